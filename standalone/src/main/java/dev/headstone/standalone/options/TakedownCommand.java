package dev.headstone.standalone.options;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.headstone.link.ShortCode;
import dev.headstone.writer.Reason;
import dev.headstone.writer.aws.TakedownOutcome;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code takedown}: a link ends, and the operator sees whether that is confirmed. */
@Command(
        name = "takedown",
        description = "Takes a link down on AWS and waits until that is confirmed.",
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "0:confirmed",
            "1:refused or failed",
            "2:misuse",
            "3:not confirmed, run it again"
        })
public final class TakedownCommand implements Callable<Integer> {
    private static final int CONFIRMED = 0;
    private static final int REFUSED = 1;
    private static final int NOT_CONFIRMED = 3;

    /** Who takes down. */
    @FunctionalInterface
    public interface Operator {
        /**
         * Takes a link down.
         *
         * @param names what the tables are called
         * @param function the invalidation function
         */
        TakedownOutcome takeDown(
                ResourceNames names, String function, ShortCode code, Reason reason);
    }

    private final Console console;
    private final BooleanSupplier onAws;
    private final Operator operator;

    @Option(names = "--aws", description = "on the deployed stack; who you are says STS")
    private boolean aws;

    @Parameters(paramLabel = "CODE", description = "the code of the link")
    private String code = "";

    @Option(
            names = "--reason",
            required = true,
            paramLabel = "TEXT",
            description = "why, for the audit log: 1 to 500 characters")
    private String reason = "";

    @Option(names = "--json", description = "say it as JSON")
    private boolean json;

    private TakedownCommand(Console console, BooleanSupplier onAws, Operator operator) {
        this.console = console;
        this.onAws = onAws;
        this.operator = operator;
    }

    /**
     * The command as a subcommand of another.
     *
     * @param onAws whether {@code --aws} was given before the command's name
     */
    public static CommandLine commandLine(
            Console console, BooleanSupplier onAws, Operator operator) {
        return new CommandLine(new TakedownCommand(console, onAws, operator));
    }

    @Override
    public Integer call() {
        if (!aws && !onAws.getAsBoolean()) {
            throw new Misuse("takedown speaks to AWS only, for now: --aws");
        }
        Settings settings = new Settings(Map.of(), console.environment());
        return say(
                operator.takeDown(
                        ResourceNames.from(settings), function(settings), parsed(), typedReason()));
    }

    private static String function(Settings settings) {
        String variable = "HEADSTONE_INVALIDATION_FUNCTION";
        settings.variable(variable)
                .filter(name -> !name.text().matches("[A-Za-z0-9:_-]{1,170}"))
                .ifPresent(
                        name -> {
                            throw name.refused("the name or ARN of a function");
                        });
        return settings.variable(variable).map(Given::text).orElse("headstone-invalidation");
    }

    private ShortCode parsed() {
        return ShortCode.parse(code)
                .orElseThrow(
                        () -> new Misuse("CODE must be 3 to 32 characters of A-Z a-z 0-9 _ -"));
    }

    private Reason typedReason() {
        try {
            return new Reason(reason);
        } catch (IllegalArgumentException e) {
            throw new Misuse("--reason: " + e.getMessage());
        }
    }

    private int say(TakedownOutcome outcome) {
        return switch (outcome) {
            case TakedownOutcome.Confirmed(String receipt) -> {
                console.out().println(json ? receipt : "confirmed: " + receipt);
                yield CONFIRMED;
            }
            case TakedownOutcome.Refused(String why) -> {
                complain("refused", why);
                yield REFUSED;
            }
            case TakedownOutcome.Failed(String why) -> {
                complain("failed", why);
                yield REFUSED;
            }
            case TakedownOutcome.NotConfirmed(String why) -> {
                complain("not_confirmed", why);
                yield NOT_CONFIRMED;
            }
        };
    }

    private void complain(String outcome, String why) {
        if (json) {
            console.out()
                    .println(
                            JsonNodeFactory.instance
                                    .objectNode()
                                    .put("short_code", code)
                                    .put("outcome", outcome)
                                    .put("detail", why));
        } else {
            console.err().println("headstone: " + why);
        }
        console.err().flush();
        console.out().flush();
    }
}
