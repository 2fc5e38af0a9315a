package dev.headstone.standalone.prove;

import dev.headstone.proof.Proof;
import dev.headstone.proof.ProofReport;
import dev.headstone.proof.ProofSettings;
import dev.headstone.standalone.options.Console;
import dev.headstone.standalone.redis.RedisCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * The command {@code prove}. Its status is 0 if everything was checked and holds, 1 if something is
 * broken, was not searched to its end, or could not be run.
 */
@Command(
        name = "prove",
        description = "Checks that dead links stay dead: model, mutants, and a random campaign.",
        mixinStandardHelpOptions = true)
public final class ProveCommand implements Callable<Integer> {
    @Option(
            names = "--budget",
            paramLabel = "TIME",
            defaultValue = "5m",
            description = "how long all of it may take, such as 90s, 5m, 2h (${DEFAULT-VALUE})")
    private String budget = "5m";

    @Option(names = "--mutants", description = "also switch off each rule, to see what breaks")
    private boolean mutants;

    @Option(names = "--json", description = "print JSON")
    private boolean json;

    @Option(
            names = "--seed",
            paramLabel = "NUMBER",
            description = "of the campaign's randomness, as an earlier run printed it")
    private @Nullable Long seed;

    private final Console console;
    private final RandomGenerator random;
    private final InstantSource clock;
    private final boolean onTerminal;

    /**
     * @param random gives the seed if none is given
     * @param clock in whole milliseconds
     * @param onTerminal whether a person looks on, who is shown how far it has come
     */
    public ProveCommand(
            Console console, RandomGenerator random, InstantSource clock, boolean onTerminal) {
        this.console = console;
        this.random = random;
        this.clock = clock;
        this.onTerminal = onTerminal;
    }

    @Override
    public Integer call() throws InterruptedException {
        Duration time = Budget.parse(budget);
        long start = Optional.ofNullable(seed).orElseGet(random::nextLong);
        try {
            Path folder = Files.createTempDirectory("headstone-prove");
            try {
                return prove(time, start, folder);
            } finally {
                remove(folder);
            }
        } catch (IOException e) {
            console.err().println("headstone: " + e.getMessage());
            return 1;
        }
    }

    private int prove(Duration time, long start, Path folder)
            throws IOException, InterruptedException {
        ProofSettings settings =
                new ProofSettings(
                        start,
                        time,
                        mutants,
                        RedisCommand.find(folder, console.environment()),
                        folder);
        try (Bars bars = new Bars(onTerminal)) {
            ProofReport report = new Proof(settings, clock, bars).run();
            console.out().print(json ? ProofJson.of(report) : ProofTable.of(report, settings));
            console.out().flush();
            return report.holds() ? 0 : 1;
        }
    }

    private static void remove(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(each);
            }
        }
    }
}
