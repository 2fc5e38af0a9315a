package dev.headstone.lambda;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.slf4j.Logger;

@Isolated("replaces standard output")
final class JsonLoggerTest {
    private final ByteArrayOutputStream written = new ByteArrayOutputStream();
    private final PrintStream usual = System.out;
    private final Logger ours = new JsonLogger("dev.headstone.Some");

    @BeforeEach
    void capture() {
        System.setOut(new PrintStream(written, true, UTF_8));
    }

    @AfterEach
    void release() {
        System.setOut(usual);
    }

    @Test
    void writesOneLineOfJsonWithEachValueAsAField() throws IOException {
        ours.atWarn()
                .addKeyValue("code", "abc")
                .addKeyValue("version", 2L)
                .addKeyValue("dead", true)
                .log("settled, {} times\n", 3);

        JsonNode line = line();
        assertThat(line.get("level").asText()).isEqualTo("WARN");
        assertThat(line.get("logger").asText()).isEqualTo("dev.headstone.Some");
        assertThat(line.get("message").asText()).isEqualTo("settled, 3 times\n");
        assertThat(line.get("code").asText()).isEqualTo("abc");
        assertThat(line.get("version").asLong()).isEqualTo(2);
        assertThat(line.get("dead").asBoolean()).isTrue();
        assertThat(line.get("timestamp").asText()).endsWith("Z").startsWith("20");
    }

    @Test
    void writesTheStackOfWhatWasThrown() throws IOException {
        ours.atError().setCause(new IllegalStateException("boom")).log("failed");

        assertThat(line().get("error").asText())
                .startsWith("java.lang.IllegalStateException: boom\n\tat ");
    }

    @Test
    void leavesOutWhatNobodyReads() {
        ours.debug("x");
        new JsonLogger("io.lettuce.Core").info("x");

        assertThat(written.size()).isZero();
    }

    private JsonNode line() throws IOException {
        String text = written.toString(UTF_8);
        assertThat(text.lines()).hasSize(1);
        return new ObjectMapper().readTree(text);
    }
}
