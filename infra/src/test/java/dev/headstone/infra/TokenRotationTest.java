package dev.headstone.infra;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The rotation as it ships, by the interpreter that the kit runs on. */
@Tag("slow")
final class TokenRotationTest {
    private static final String FAKES =
            """
            const stages = { v1: ['AWSCURRENT'], v2: ['AWSPENDING'] };
            const values = { v1: 'old' };
            const allowed = [];
            const rotate = require('./rotation.cjs').rotation({
              secrets: {
                describe: async () => ({ VersionIdsToStages: stages }),
                find: async (_, version) => values[version],
                current: async () => values.v1,
                random: async () => 'new',
                put: async (_, version, value) => { values[version] = value; },
                promote: async (_, to, from) => { stages[to] = ['AWSCURRENT']; stages[from] = ['AWSPREVIOUS']; },
              },
              cache: {
                user: async () => ({ Status: status() }),
                allow: async (_, passwords) => { allowed.push(passwords); },
              },
              secretArn: 'secret',
              userId: 'user',
              pause: async () => {},
              looks: 3,
            });
            const step = (Step, more = {}) =>
              rotate({ SecretId: 'secret', ClientRequestToken: 'v2', Step, ...more });
            """;

    @TempDir private Path folder;

    private String node(String script) throws IOException, InterruptedException {
        Files.writeString(folder.resolve("rotation.cjs"), TokenRotation.code());
        Path file =
                Files.writeString(
                        folder.resolve("run.cjs"),
                        FAKES
                                + "(async () => {"
                                + script
                                + "})().catch((e) => console.log('failed: ' + e.message));");
        Process process =
                new ProcessBuilder("node", file.toString()).redirectErrorStream(true).start();
        try {
            assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
            return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                    .strip();
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void bothTokensAreGoodUntilTheNextRotation() throws Exception {
        assertThat(
                        node(
                                "global.status = () => 'active';"
                                        + "for (const s of ['createSecret', 'setSecret', 'testSecret', 'finishSecret']) await step(s);"
                                        + "console.log(JSON.stringify([allowed, stages]));"))
                .isEqualTo(
                        "[[[\"new\",\"old\"]],{\"v1\":[\"AWSPREVIOUS\"],\"v2\":[\"AWSCURRENT\"]}]");
    }

    @Test
    void aStepThatComesTwiceMakesNoSecondToken() throws Exception {
        assertThat(
                        node(
                                "global.status = () => 'active'; values.v2 = 'kept';"
                                        + "await step('createSecret'); await step('createSecret');"
                                        + "console.log(values.v2);"))
                .isEqualTo("kept");
    }

    @Test
    void aUserThatDoesNotBecomeActiveEndsTheStepWithoutAPromotion() throws Exception {
        assertThat(node("global.status = () => 'modifying'; await step('testSecret');"))
                .isEqualTo("failed: the user did not become active in time");
    }

    @Test
    void anotherSecretIsNotTouched() throws Exception {
        assertThat(
                        node(
                                "global.status = () => 'active';"
                                        + "await step('setSecret', { SecretId: 'another' });"))
                .isEqualTo("failed: not the secret that this function rotates");
    }

    @Test
    void whatAlreadyIsCurrentIsLeftAlone() throws Exception {
        assertThat(
                        node(
                                "global.status = () => 'active'; stages.v2 = ['AWSCURRENT'];"
                                        + "await step('setSecret'); console.log(allowed.length);"))
                .isEqualTo("0");
    }
}
