package dev.headstone.standalone.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.headstone.standalone.options.Console;
import dev.headstone.writer.aws.TakedownOutcome;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The completion script in a real bash. */
final class CompletionTest {
    private static final Path BASH = Path.of("/bin/bash");

    @TempDir private Path folder;

    @BeforeEach
    void write() throws Exception {
        assumeTrue(Files.isExecutable(BASH), "there is no bash");
        StringWriter out = new StringWriter();
        Console console =
                new Console(Map.of(), new PrintWriter(out), new PrintWriter(new StringWriter()));
        CommandLine all = new CommandLine(new Root());
        Commands.all(
                        new Shell(
                                console,
                                false,
                                () -> false,
                                InstantSource.system(),
                                new Random(1),
                                _ -> {}),
                        (_, _, _, _) -> new TakedownOutcome.Refused("none here"))
                .forEach(all::addSubcommand);
        assertThat(all.execute("completion")).isZero();
        Files.writeString(folder.resolve("script"), out.toString());
    }

    @Command(name = "headstone")
    private static final class Root {}

    @Test
    void bashUnderstandsIt() throws Exception {
        assertThat(bash("bash -n script")).isEmpty();
    }

    @Test
    void commandsAndOptionsAreCompleted() throws Exception {
        assertThat(completed("headstone", "taked")).containsExactly("takedown", "takedowns");
        assertThat(completed("headstone", "takedowns", "--dr")).containsExactly("--dry-run");
        assertThat(completed("./headstone", "stat")).containsExactly("status");
    }

    /** What stands there when somebody presses Tab after the last of {@code words}. */
    private String[] completed(String... words) throws Exception {
        return bash(("source ./script; compopt() { :; }; COMP_WORDS=(%s); COMP_CWORD=%d; COMP_LINE='%s';"
                                + " COMP_POINT=${#COMP_LINE};"
                                + " $(complete -p headstone | sed 's/.*-F \\([^ ]*\\).*/\\1/')"
                                + " headstone %s ''; printf '%%s\\n' \"${COMPREPLY[@]}\" | sort -u")
                        .formatted(
                                String.join(" ", words),
                                words.length - 1,
                                String.join(" ", words),
                                words[words.length - 1]))
                .lines()
                .map(String::strip)
                .toArray(String[]::new);
    }

    private String bash(String script) throws Exception {
        Process bash =
                new ProcessBuilder(BASH.toString(), "--norc", "-c", script)
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .start();
        bash.getOutputStream().close();
        String said = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(bash.waitFor(10, TimeUnit.SECONDS)).isTrue();
        return said;
    }
}
