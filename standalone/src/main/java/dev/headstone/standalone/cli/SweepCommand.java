package dev.headstone.standalone.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.Locale;
import picocli.CommandLine.Command;

/** The command {@code sweep}: what died lately is settled again, now. */
@Command(
        name = "sweep",
        description = "Settles again what died in the last 25 hours, and waits for the end.",
        mixinStandardHelpOptions = true)
final class SweepCommand extends Asking {
    /** What the control port gives itself, and a second. */
    private static final Duration SWEEPING = Duration.ofSeconds(301);

    SweepCommand(Shell shell) {
        super(shell);
    }

    @Override
    void check() {}

    @Override
    int ask(ControlClient serve) {
        if (shell.onTerminal() && !isJson()) {
            console.err().println("sweeping …");
            console.err().flush();
        }
        return ask(serve, Question.post("/v1/sweep").within(SWEEPING), this::swept);
    }

    private int swept(JsonNode answer) {
        if (!answer.path("outcome").asText().equals("swept")) {
            err("not confirmed: the answer says of no sweep; run it again");
            return NOT_CONFIRMED;
        }
        if (!isJson()) {
            double settled = answer.path("settled").asDouble();
            say(
                    "swept: %s settled in %s s"
                            .formatted(
                                    number(settled) + (settled == 1 ? " dead link" : " dead links"),
                                    String.format(
                                            Locale.ROOT,
                                            "%.1f",
                                            answer.path("seconds").asDouble())));
        }
        return CONFIRMED;
    }
}
