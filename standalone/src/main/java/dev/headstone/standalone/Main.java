package dev.headstone.standalone;

import dev.headstone.link.ShortCode;
import dev.headstone.standalone.cli.Commands;
import dev.headstone.standalone.cli.Shell;
import dev.headstone.standalone.operators.OperatorCommand;
import dev.headstone.standalone.operators.Operators;
import dev.headstone.standalone.options.Console;
import dev.headstone.standalone.options.Misuse;
import dev.headstone.standalone.options.ResourceNames;
import dev.headstone.standalone.options.ServeCommand;
import dev.headstone.standalone.options.Usage;
import dev.headstone.standalone.prove.ProveCommand;
import dev.headstone.table.TableNames;
import dev.headstone.writer.Reason;
import dev.headstone.writer.aws.AwsOperator;
import dev.headstone.writer.aws.TakedownOutcome;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Level;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;
import software.amazon.awssdk.core.exception.SdkException;

/** Every command of {@code headstone}: reads the command line and hands over. */
public final class Main {
    private final Console console;
    private final SecureRandom random;
    private final InstantSource clock;

    Main(Console console, SecureRandom random, InstantSource clock) {
        this.console = console;
        this.random = random;
        this.clock = clock;
    }

    /** Runs the command that {@code arguments} name and exits with its status. */
    public static void main(String[] arguments) {
        // The SDK's plain HTTP client keeps five idle connections without the first, and without
        // the
        // second may send a write twice without telling anybody.
        System.setProperty("http.maxConnections", "128");
        System.setProperty("sun.net.http.retryPost", "false");
        if (arguments.length > 0 && arguments[0].equals("prove")) {
            // What is broken on purpose would be told of, thousands of times a second.
            System.setProperty("org.slf4j.simpleLogger.defaultLogLevel", "off");
            System.setProperty("org.slf4j.simpleLogger.log.dev.headstone", "off");
        }
        java.util.logging.Logger.getLogger("").setLevel(Level.WARNING); // Helidon's way of logging
        Console console = new Console(System.getenv(), writer(System.out), writer(System.err));
        System.exit(new Main(console, new SecureRandom(), InstantSource.system()).run(arguments));
    }

    /**
     * Runs one command.
     *
     * @return 0 done, 1 refused or failed, 2 misuse; what else a command says
     */
    int run(String... arguments) {
        return commandLine().execute(arguments);
    }

    /** A new command is one more line here. */
    private CommandLine commandLine() {
        Serve serve = new Serve();
        Headstone itself = new Headstone();
        CommandLine headstone =
                new CommandLine(itself)
                        .addSubcommand(new ServeCommand(console, serve).commandLine())
                        .addSubcommand(OperatorCommand.commandLine(console, this::operators))
                        .addSubcommand(prove())
                        .addSubcommand(new Rehearsal(console, serve));
        Shell shell =
                new Shell(
                        console,
                        isOnTerminal(),
                        () -> itself.aws,
                        clock,
                        random,
                        pause -> LockSupport.parkNanos(pause.toNanos()));
        Commands.all(shell, this::takeDownOnAws).forEach(headstone::addSubcommand);
        return headstone
                .setOut(console.out())
                .setErr(console.err())
                .setExpandAtFiles(false)
                .setPosixClusteredShortOptionsAllowed(false)
                .setParameterExceptionHandler((fault, _) -> misused(Usage.fault(fault)))
                .setExecutionExceptionHandler((failure, _, _) -> failed(failure));
    }

    private ProveCommand prove() {
        return new ProveCommand(
                console,
                random,
                () -> clock.instant().truncatedTo(ChronoUnit.MILLIS),
                isOnTerminal());
    }

    private static boolean isOnTerminal() {
        return Optional.ofNullable(System.console())
                .filter(java.io.Console::isTerminal)
                .isPresent();
    }

    private TakedownOutcome takeDownOnAws(
            ResourceNames names, String function, ShortCode code, Reason reason) {
        try (AwsOperator operator =
                AwsOperator.open(new TableNames(names.linksTable()), function, clock, random)) {
            return operator.takeDown(code, reason);
        } catch (SdkException e) { // no region, or a profile that is none
            return new TakedownOutcome.Failed(String.valueOf(e.getMessage()));
        }
    }

    private Operators operators(Path folder) {
        return new Operators(folder, random, clock);
    }

    private int failed(Exception failure) {
        if (failure instanceof Misuse misuse) {
            return misused(misuse.line());
        }
        LoggerFactory.getLogger(Main.class).atError().setCause(failure).log("The command failed");
        return ExitCode.SOFTWARE;
    }

    private int misused(String line) {
        console.err().println("headstone: " + line);
        console.err().flush();
        return Misuse.EXIT;
    }

    private static PrintWriter writer(PrintStream stream) {
        return new PrintWriter(new OutputStreamWriter(stream, StandardCharsets.UTF_8), true);
    }

    @Command(
            name = "headstone",
            description = "Links that, once dead, stay dead.",
            mixinStandardHelpOptions = true,
            versionProvider = Version.class)
    private static final class Headstone implements Runnable {
        @Option(names = "--aws", description = "speak to the deployed stack (takedown)")
        private boolean aws;

        @Override
        public void run() {
            throw new Misuse("no command; headstone --help lists them");
        }
    }

    private static final class Version implements CommandLine.IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {
                "headstone "
                        + Optional.ofNullable(Main.class.getPackage().getImplementationVersion())
                                .orElse("(not packaged)")
            };
        }
    }
}
