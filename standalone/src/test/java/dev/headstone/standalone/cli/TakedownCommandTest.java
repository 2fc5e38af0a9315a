package dev.headstone.standalone.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headstone.link.ShortCode;
import dev.headstone.standalone.options.Console;
import dev.headstone.standalone.options.Misuse;
import dev.headstone.standalone.options.ResourceNames;
import dev.headstone.writer.Reason;
import dev.headstone.writer.aws.TakedownOutcome;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

final class TakedownCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final List<String> asked = new ArrayList<>();
    private TakedownOutcome outcome = new TakedownOutcome.Confirmed("{\"outcome\":\"confirmed\"}");

    private TakedownOutcome takeDown(
            ResourceNames names, String function, ShortCode code, Reason reason) {
        asked.add(String.join(" ", names.linksTable(), function, code.value(), reason.text()));
        return outcome;
    }

    private int run(Map<String, String> environment, boolean onAws, String... arguments) {
        Console console = new Console(environment, new PrintWriter(out), new PrintWriter(err));
        CommandLine command =
                new CommandLine(
                                new TakedownCommand(
                                        new Shell(
                                                console,
                                                false,
                                                () -> onAws,
                                                InstantSource.system(),
                                                new Random(1),
                                                _ -> {}),
                                        this::takeDown))
                        .setErr(new PrintWriter(err))
                        .setExecutionExceptionHandler(
                                (failure, _, _) -> {
                                    if (failure instanceof Misuse misuse) {
                                        err.append(misuse.line());
                                        return Misuse.EXIT;
                                    }
                                    throw failure;
                                });
        return command.execute(arguments);
    }

    @Test
    void confirmedIsZeroAndTheReceiptIsTheOutput() {
        assertThat(run(Map.of(), true, "abc", "--reason", "phishing", "--json")).isZero();
        assertThat(out.toString().strip()).isEqualTo("{\"outcome\":\"confirmed\"}");
        assertThat(asked).containsExactly("Links headstone-invalidation abc phishing");
    }

    @Test
    void theStackIsTheOneThatTheEnvironmentNames() {
        run(
                Map.of(
                        "HEADSTONE_LINKS_TABLE", "Links-2",
                        "HEADSTONE_INVALIDATION_FUNCTION", "inv:live"),
                false,
                "--aws",
                "abc",
                "--reason",
                "x");

        assertThat(asked).containsExactly("Links-2 inv:live abc x");
    }

    @Test
    void refusedAndFailedAreOne() {
        outcome = new TakedownOutcome.Refused("There is no such link.");
        assertThat(run(Map.of(), true, "abc", "--reason", "x")).isEqualTo(1);
        assertThat(err.toString()).contains("There is no such link.");

        outcome = new TakedownOutcome.Failed("Nobody can say who you are.");
        assertThat(run(Map.of(), true, "abc", "--reason", "x", "--json")).isEqualTo(1);
        assertThat(out.toString()).contains("\"outcome\":\"failed\"");
    }

    @Test
    void notConfirmedIsThree() {
        outcome = new TakedownOutcome.NotConfirmed("The link is dead, but not confirmed.");

        assertThat(run(Map.of(), true, "abc", "--reason", "x")).isEqualTo(3);
        assertThat(err.toString()).contains("not confirmed");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--aws abc",
                "--aws --reason x",
                "--aws a! --reason x",
                "--aws abc --reason  ",
                "--aws abc --reason x --actor root",
                "a! --reason x"
            })
    void misuseIsTwoAndAsksNobody(String line) {
        assertThat(run(Map.of(), false, line.split(" ", -1))).isEqualTo(2);
        assertThat(asked).isEmpty();
        assertThat(err.toString()).isNotBlank();
    }
}
