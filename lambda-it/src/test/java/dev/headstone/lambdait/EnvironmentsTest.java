package dev.headstone.lambdait;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What becomes of an execution environment: its start, its snapshot, its restores, its freezing.
 */
@Tag("slow")
final class EnvironmentsTest {
    @TempDir private static Path folder;
    private static Deployment deployment;

    @BeforeAll
    static void deploy() {
        deployment = new Deployment(folder);
    }

    @AfterAll
    static void remove() {
        deployment.close();
    }

    /** All modules at once, for the sake of time: each reads its own settings. */
    @Test
    void aSettingThatIsMissingOrMalformedIsNamedAndKeepsTheFunctionFromStarting() {
        try (FunctionProcess redirect =
                        deployment.start(Function.REDIRECT, Map.of("HEADSTONE_REDIS", ""));
                FunctionProcess audit =
                        deployment.start(Function.AUDIT, Map.of("HEADSTONE_AUDIT_TABLE", "?"))) {
            assertThat(redirect.initError()).contains("HEADSTONE_REDIS is missing");
            assertThat(audit.initError()).contains("HEADSTONE_AUDIT_TABLE must be");
        }
    }

    @Test
    void noSocketIsInASnapshotAndTwoRestoresMakeDifferentCodes() throws IOException {
        Map<String, String> snapStart = Map.of("AWS_LAMBDA_INITIALIZATION_TYPE", "snap-start");
        Set<String> codes = new HashSet<>();
        try (FunctionProcess first = deployment.start(Function.LINK_API, snapStart);
                FunctionProcess second = deployment.start(Function.LINK_API, snapStart)) {
            for (FunctionProcess function : List.of(first, second)) {
                function.atCheckpoint();
                assertThat(connectionsOf(function.pid(), deployment.services().redis().port()))
                        .isZero();
                assertThat(connectionsOf(function.pid(), deployment.services().tablePort()))
                        .isZero();
                function.restore();
                function.ready();
                codes.add(codeOf(function.answer(create())));
                codes.add(codeOf(function.answer(create())));
                assertThat(connectionsOf(function.pid(), deployment.services().redis().port()))
                        .isPositive();
            }
        }
        assertThat(codes).hasSize(4);
    }

    @Test
    void anEnvironmentThatIsThawedAfterItsConnectionsDiedGoesOn() {
        FunctionProcess redirect = deployment.function(Function.REDIRECT);
        assertThat(status(redirect.answer(Events.click("GET", "/nothing")))).isEqualTo(404);

        deployment.services().redis().killAndWait();
        deployment.services().redis().restart();

        assertThat(status(redirect.answer(Events.click("GET", "/nothing")))).isEqualTo(404);
        assertThat(status(redirect.answer(Events.click("HEAD", "/nothing")))).isEqualTo(404);
    }

    @Test
    void anAnswerThatNobodyWaitedForDisturbsNoLaterOne() {
        FunctionProcess redirect = deployment.function(Function.REDIRECT);
        redirect.answer(Events.click("GET", "/nothing"));

        assertThat(redirect.invoke(Events.click("GET", "/nothing"), Duration.ofMillis(1)))
                .isNotNull();
        assertThat(status(redirect.answer(Events.click("POST", "/nothing")))).isEqualTo(405);
    }

    private static int status(JsonNode answer) {
        return answer.get("statusCode").asInt();
    }

    private static String create() {
        return Events.signed("POST", "/v1/links", "{\"long_url\":\"https://example.com/\"}");
    }

    private static String codeOf(JsonNode answer) {
        assertThat(status(answer)).as(answer.toString()).isEqualTo(201);
        return FunctionProcess.parsed(answer.get("body").asText()).get("short_code").asText();
    }

    /** How many of the process's sockets lead to that port of this machine, as Linux says. */
    private static long connectionsOf(long pid, int port) throws IOException {
        Set<String> sockets = new HashSet<>();
        try (Stream<Path> files = Files.list(Path.of("/proc", Long.toString(pid), "fd"))) {
            for (Path file : files.toList()) {
                String target = Files.readSymbolicLink(file).toString();
                if (target.startsWith("socket:[")) {
                    sockets.add(target.substring(8, target.length() - 1));
                }
            }
        }
        String peer = ":%04X".formatted(port);
        long found = 0;
        for (String table : List.of("tcp", "tcp6")) {
            for (String line :
                    Files.readAllLines(Path.of("/proc", Long.toString(pid), "net", table))) {
                String[] columns = line.strip().split("\\s+", -1);
                if (columns.length > 9
                        && columns[2].endsWith(peer)
                        && sockets.contains(columns[9])) {
                    found++;
                }
            }
        }
        return found;
    }
}
