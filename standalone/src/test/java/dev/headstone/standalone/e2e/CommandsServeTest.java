package dev.headstone.standalone.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an operator does at a shell, beside a running {@code serve}. */
@Tag("slow")
final class CommandsServeTest {
    @TempDir private Path folder;

    @Test
    void aLinksWholeLifeFromTheShell() throws Exception {
        try (ServeProcess serve = ServeProcess.start(folder.resolve("data"))) {
            said(0, "http://", "create", "https://example.com/spring", "--alias", "spring");
            said(0, "active", "show", "spring");
            said(0, "edge clear in ", "takedown", "spring", "--reason", "phishing");
            assertThat(serve.click("/spring").statusCode()).isEqualTo(404);
            said(0, "\"outcome\":\"confirmed\"", "confirm", "spring", "--json");
            said(0, "active", "restore", "spring", "--reason", "a mistake");
            assertThat(serve.click("/spring").statusCode()).isEqualTo(302);
            said(0, "deactivated", "deactivate", "spring");
            said(0, "link.taken_down", "audit", "spring");
            said(0, "whole", "audit", "--verify");
            said(0, "swept: ", "sweep");
            said(0, "hit ratio", "status");
            said(1, "", "show", "unknown");
            ServeProcess.signal(serve.redis(), "STOP");
            said(3, "", "reactivate", "spring");
            ServeProcess.signal(serve.redis(), "CONT");
        }
    }

    private void said(int exit, String text, String... arguments) throws Exception {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-XX:+UseSerialGC",
                                "-XX:TieredStopAtLevel=1",
                                "-cp",
                                System.getProperty("java.class.path"),
                                "dev.headstone.standalone.Main"));
        command.addAll(List.of(arguments));
        command.addAll(List.of("--data", folder.resolve("data").toString()));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().remove("HEADSTONE_URL");
        builder.environment().remove("HEADSTONE_TOKEN");
        Process process = builder.redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(said).isEqualTo(exit);
        assertThat(said).contains(text);
    }
}
