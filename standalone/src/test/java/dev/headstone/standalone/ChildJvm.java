package dev.headstone.standalone;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A main class in a JVM of its own, with the class path of the tests, that can be killed. */
public final class ChildJvm implements AutoCloseable {
    private static final long DEADLINE_SECONDS = 60;

    private final Process process;
    private final BufferedReader lines;

    private ChildJvm(Process process) {
        this.process = process;
        this.lines =
                new BufferedReader(
                        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    /** Starts {@code main} with {@code arguments}; its errors go where the test's go. */
    public static ChildJvm start(Class<?> main, String... arguments) throws IOException {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-Xmx192m",
                                "-XX:+UseSerialGC",
                                "-XX:TieredStopAtLevel=1",
                                "--enable-native-access=ALL-UNNAMED",
                                "--sun-misc-unsafe-memory-access=allow",
                                "-Duser.language=" + System.getProperty("user.language"),
                                "-Duser.country=" + System.getProperty("user.country", ""),
                                "-cp",
                                System.getProperty("java.class.path"),
                                main.getName()));
        command.addAll(Arrays.asList(arguments));
        return new ChildJvm(
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
    }

    /** The next line that it prints. */
    public String line() throws IOException, InterruptedException {
        try {
            String line =
                    CompletableFuture.supplyAsync(this::read)
                            .get(DEADLINE_SECONDS, TimeUnit.SECONDS);
            if (line.isEmpty()) {
                throw new IOException("the child printed nothing more");
            }
            return line;
        } catch (ExecutionException | TimeoutException e) {
            throw new IOException("the child printed nothing", e);
        }
    }

    /** Every line until it ends. */
    public List<String> rest() {
        return lines.lines().toList();
    }

    /** Its process. */
    public ProcessHandle handle() {
        return process.toHandle();
    }

    /** Ends it as {@code kill -9} does, and waits for that. */
    public void kill() throws InterruptedException {
        process.destroyForcibly();
        process.waitFor();
    }

    /** Asks it to end, as SIGTERM does, and waits. */
    public int terminate() throws InterruptedException {
        process.destroy();
        if (!process.waitFor(DEADLINE_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException("the child does not end");
        }
        return process.exitValue();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    private String read() {
        try {
            String line = lines.readLine();
            return line == null ? "" : line;
        } catch (IOException e) {
            return "";
        }
    }
}
