package dev.headstone.infra;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("slow")
final class MainTest {
    @TempDir private Path folder;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int run(String... arguments) {
        return Main.run(arguments, stream(out), stream(err));
    }

    private static PrintStream stream(ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }

    private void pretendThatJarsAreBuilt() throws IOException {
        for (FunctionKind kind : FunctionKind.values()) {
            Path target = Files.createDirectories(folder.resolve(kind.module()).resolve("target"));
            Files.writeString(target.resolve("headstone-1-lambda.jar"), "not a jar");
        }
    }

    @Test
    void writesEveryStacksTemplateWithoutAwsAndWithoutANetwork() throws IOException {
        pretendThatJarsAreBuilt();

        int status = run(folder.toString(), "--out", folder.resolve("out").toString());

        assertThat(status).as(err.toString(StandardCharsets.UTF_8)).isZero();
        try (Stream<Path> files = Files.list(folder.resolve("out"))) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .contains(
                            "HeadstoneNetwork.template.json",
                            "HeadstoneData.template.json",
                            "HeadstoneCache.template.json",
                            "HeadstoneRedirect.template.json",
                            "HeadstoneFirewall.template.json",
                            "HeadstoneEdge.template.json",
                            "HeadstoneFunctions.template.json",
                            "HeadstoneAlarms.template.json",
                            "manifest.json");
        }
        assertThat(out.toString(StandardCharsets.UTF_8)).contains(folder.resolve("out").toString());
    }

    @Test
    void aJarThatIsNotBuiltIsNamed() {
        assertThat(run(folder.toString(), "--out", folder.resolve("out").toString())).isOne();
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("-lambda.jar").hasLineCount(1);
    }

    @ParameterizedTest
    @CsvSource({
        "--out,                      --out wants a value",
        "--where,                    unknown option '--where'",
        "--domain=x,                 unknown option"
    })
    void misuseIsSaidInOneLine(String option, String said) {
        assertThat(run(folder.toString(), option)).isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains(said).hasLineCount(1);
    }

    @Test
    void aDomainNeedsItsCertificate() {
        assertThat(run(folder.toString(), "--out", "x", "--domain", "go.example.org")).isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("--certificate");
    }

    @Test
    void theFolderIsAskedFor() {
        assertThat(run(folder.toString())).isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("--out is missing");
    }

    @Test
    void oneCommandSynthesizesAndDeploys() throws IOException {
        assertThat(Files.readString(Path.of("..", "cdk.json")))
                .contains("\"app\": \"./headstone synth --out cdk.out\"")
                .contains("\"output\": \"cdk.out\"");
    }
}
