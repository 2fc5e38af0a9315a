package dev.headstone.standalone.cli;

import dev.headstone.link.ShortCode;
import dev.headstone.standalone.options.Misuse;
import dev.headstone.standalone.options.ResourceNames;
import dev.headstone.writer.Reason;
import dev.headstone.writer.aws.TakedownOutcome;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * The command {@code takedown}: a link ends, and the operator sees whether that is confirmed; at a
 * running {@code serve}, or on AWS.
 */
@Command(
        name = "takedown",
        description = "Takes a link down and waits until that is confirmed.",
        mixinStandardHelpOptions = true)
public final class TakedownCommand extends Asking {
    private static final String FUNCTION = "HEADSTONE_INVALIDATION_FUNCTION";

    /** Who takes down on AWS. */
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

    TakedownCommand(Shell shell, Operator operator) {
        super(shell);
        this.operator = operator;
    }

    @Override
    public Integer call() {
        return aws || shell.onAws().getAsBoolean() ? takeDownOnAws() : askServe();
    }

    @Override
    void check() {
        code(code);
        reason(reason);
    }

    @Override
    int ask(ControlClient serve) {
        return ask(
                serve,
                Question.post(
                        "/v1/links/" + code(code).value() + "/takedown",
                        object().put("reason", reason)),
                this::receipt);
    }

    private int takeDownOnAws() {
        Map<String, String> environment = console.environment();
        return say(
                operator.takeDown(
                        ResourceNames.from(environment),
                        function(environment),
                        code(code),
                        reason(reason)));
    }

    private static String function(Map<String, String> environment) {
        String name = environment.getOrDefault(FUNCTION, "");
        if (name.isEmpty()) {
            return "headstone-invalidation";
        }
        if (!name.matches("[A-Za-z0-9:_-]{1,170}")) {
            throw new Misuse(FUNCTION + " must be the name or ARN of a function");
        }
        return name;
    }

    private int say(TakedownOutcome outcome) {
        return switch (outcome) {
            case TakedownOutcome.Confirmed(String receipt) -> {
                say(isJson() ? receipt : "confirmed: " + receipt);
                yield CONFIRMED;
            }
            case TakedownOutcome.Refused(String why) -> complainOnAws("refused", why, REFUSED);
            case TakedownOutcome.Failed(String why) -> complainOnAws("failed", why, REFUSED);
            case TakedownOutcome.NotConfirmed(String why) ->
                    complainOnAws("not_confirmed", why, NOT_CONFIRMED);
        };
    }

    private int complainOnAws(String outcome, String why, int status) {
        if (isJson()) {
            say(object().put("short_code", code).put("outcome", outcome).put("detail", why));
        }
        err(why);
        return status;
    }
}
