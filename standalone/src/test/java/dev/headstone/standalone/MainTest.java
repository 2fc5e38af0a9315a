package dev.headstone.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headstone.standalone.options.Console;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class MainTest {
    @TempDir private Path folder;
    private final Map<String, String> environment = new TreeMap<>();
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "frobnicate | headstone: unknown command frobnicate",
                "--frobnicate=secret | headstone: unknown option --frobnicate",
                "serve --prot=secret | headstone: unknown option --prot",
                "serve --prot redis://:secret@h | headstone: unknown option --prot",
                "serve secret | headstone: serve was given an argument too many",
                "serve --port | headstone: --port needs a value",
                "serve --port 1 --port 2 | headstone: --port is given twice",
                "serve --in-memory=secret | headstone: --in-memory is malformed",
                "serve --port secret | headstone: --port must be a whole number from 0 to 65535",
                "operator | headstone: operator needs a command: add, list or revoke",
                "operator ad | headstone: unknown command ad",
                "operator add | headstone: --role needs a value",
                "operator add --role reader | headstone: NAME is missing",
                "operator add a/b --role reader | headstone: NAME must be 1 to 64 characters of A-Z a-z 0-9 . _ : @ -",
                "operator add a --role admin | headstone: --role must be operator, owner or reader",
                "prove --bugdet 5m | headstone: unknown option --bugdet",
                "prove secret | headstone: prove was given an argument too many",
                "prove --budget | headstone: --budget needs a value",
                "prove --budget secret | headstone: --budget must be a duration such as 90s, 5m or 2h, a week at the most",
                "prove --budget 0s | headstone: --budget must be a duration such as 90s, 5m or 2h, a week at the most",
                "prove --seed secret | headstone: --seed is malformed",
                "'' | headstone: no command; headstone --help lists them",
            })
    void misuseIsOneLineThatNamesWhatIsWrongAndQuotesNoValue(String line, String message) {
        assertThat(run(line.isEmpty() ? new String[0] : line.split(" ", -1))).isEqualTo(2);
        assertThat(err).hasToString(message + System.lineSeparator());
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void aMalformedVariableIsNamedLikeAnOption() {
        environment.put("HEADSTONE_REDIS", "redis://:secret@:99999");

        assertThat(run("serve", "--data", folder.resolve("data").toString())).isEqualTo(2);
        assertThat(err.toString())
                .startsWith("headstone: HEADSTONE_REDIS must be ")
                .hasLineCount(1)
                .doesNotContain("secret");
        assertThat(folder.resolve("data")).doesNotExist();
    }

    @Test
    void aPortInUseIsNamedAndNothingIsStarted() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String port = Integer.toString(taken.getLocalPort());
            String data = folder.resolve("data").toString();

            assertThat(run("serve", "--port", "0", "--control-port", port, "--data", data))
                    .isEqualTo(2);
            assertThat(err.toString())
                    .startsWith("headstone: port %s (--control-port) is in use".formatted(port))
                    .hasLineCount(1);
            assertThat(folder.resolve("data")).doesNotExist();
        }
    }

    @Test
    void anAddressOfAnotherMachineIsNamed() {
        assertThat(run("serve", "--port", "0", "--control-port", "0", "--bind", "192.0.2.1"))
                .isEqualTo(2);
        assertThat(err.toString()).contains("--bind is no address of this machine").hasLineCount(1);
    }

    @Test
    void anOperatorIsAddedListedAndRevokedWithoutARunningServe() {
        environment.put("HEADSTONE_DATA", folder.resolve("data").toString());

        assertThat(run("operator", "add", "ada@example.org", "--role", "owner")).isZero();
        assertThat(printed().getLast()).matches("hs_[A-Za-z0-9_-]{43}");
        assertThat(run("operator", "list")).isZero();
        assertThat(printed().getLast()).startsWith("owner").endsWith("ada@example.org");
        assertThat(run("operator", "revoke", "ada@example.org")).isZero();
        assertThat(run("operator", "list", "--json")).isZero();
        assertThat(printed().getLast()).isEqualTo("[]");
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void whatAnOperatorCommandRefusesIsSaidWithStatus1() {
        String data = folder.resolve("data").toString();
        run("operator", "add", "ada", "--role", "owner", "--data", data);

        assertThat(run("operator", "add", "ada", "--role", "owner", "--data", data)).isEqualTo(1);
        assertThat(run("operator", "add", "local", "--role", "owner", "--data", data)).isEqualTo(1);
        assertThat(run("operator", "revoke", "bob", "--data", data)).isEqualTo(1);
        assertThat(err.toString()).hasLineCount(3).contains("ada has a token", "bob has no token");
    }

    @Test
    void helpNamesEveryOptionAndItsDefault() {
        assertThat(run("serve", "--help")).isZero();
        assertThat(out.toString())
                .contains(
                        "--port", "8080", "--control-port", "8081", "--gone-status", "HEADSTONE_");
    }

    @Test
    void versionIsOneLine() {
        assertThat(run("--version")).isZero();
        assertThat(out.toString()).startsWith("headstone ").hasLineCount(1);
    }

    @Test
    void theRehearsalLeavesNothingBehind() throws IOException {
        try (var before = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
            var left = before.toList();

            assertThat(run("rehearse", "--links", "2")).isZero();

            try (var after = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
                assertThat(after.filter(path -> path.toString().contains("headstone-rehearsal")))
                        .isSubsetOf(left);
            }
        }
    }

    private List<String> printed() {
        return out.toString().lines().toList();
    }

    private int run(String... arguments) {
        return new Main(
                        new Console(environment, new PrintWriter(out), new PrintWriter(err)),
                        new SecureRandom(),
                        InstantSource.system())
                .run(arguments);
    }
}
