package dev.headstone.standalone.prove;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.headstone.standalone.options.Console;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import picocli.CommandLine;

/** A run so short that the model cannot be searched to its end. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("slow")
final class ProveCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void whatWasNotSearchedToItsEndIsSaidAndIsNoProof() throws Exception {
        int status = prove("--budget", "4s", "--json", "--seed", "7");

        JsonNode report = new ObjectMapper().readTree(out.toString());
        assertThat(status).isEqualTo(1);
        assertThat(report.at("/model/complete").asBoolean(true)).isFalse();
        assertThat(report.at("/model/violations").asLong(-1)).isZero();
        assertThat(report.at("/model/states").asLong()).isPositive();
        assertThat(report.at("/mutants").isArray()).isTrue();
        assertThat(report.at("/campaign/trials").asLong()).isPositive();
        assertThat(report.at("/campaign/dead_links_served").asLong(-1)).isZero();
        assertThat(report.at("/campaign/live_links_hidden").asLong(-1)).isZero();
        assertThat(report.at("/campaign/lost_events").asLong(-1)).isZero();
        assertThat(report.at("/campaign/seed").asLong()).isEqualTo(7);
        assertThat(err.toString()).isEmpty();
    }

    private int prove(String... arguments) {
        return new CommandLine(
                        new ProveCommand(
                                console(Map.of("PATH", System.getenv("PATH"))),
                                new Random(1),
                                Clock.tickMillis(ZoneOffset.UTC),
                                false))
                .execute(arguments);
    }

    private Console console(Map<String, String> environment) {
        return new Console(environment, new PrintWriter(out), new PrintWriter(err));
    }
}
