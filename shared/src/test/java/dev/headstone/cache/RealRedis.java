package dev.headstone.cache;

import io.lettuce.core.RedisURI;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import redis.embedded.core.ExecutableProvider;

/**
 * A Redis of its own for a test: the server on the PATH, else the one that embedded-redis brings.
 * It listens on the loopback, keeps nothing on disk and ends with {@link #close}.
 */
public final class RealRedis implements AutoCloseable {
    private static final String SERVER = "redis-server";

    private final List<String> command;
    private final Path directory;
    private final int port;
    private volatile Process process;

    private RealRedis(List<String> command, Path directory, int port) throws IOException {
        this.command = List.copyOf(command);
        this.directory = directory;
        this.port = port;
        this.process = launch();
        Runtime.getRuntime().addShutdownHook(new Thread(this::kill));
    }

    private Process launch() throws IOException {
        Process launched =
                new ProcessBuilder(command)
                        .directory(directory.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start();
        Awaitility.await().atMost(Duration.ofSeconds(10)).until(this::answers);
        return launched;
    }

    private boolean answers() {
        return command("PING");
    }

    private boolean command(String text) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(1_000);
            socket.getOutputStream().write((text + "\r\n").getBytes(StandardCharsets.US_ASCII));
            return socket.getInputStream().read() == '+';
        } catch (IOException e) {
            return false;
        }
    }

    /** Starts one with further arguments, such as {@code --replicaof}. */
    public static RealRedis start(String... arguments) {
        return startOn(FreePort.any(), arguments);
    }

    /** Starts one on that port. */
    static RealRedis startOn(int port, String... arguments) {
        try {
            List<String> command =
                    new ArrayList<>(
                            List.of(
                                    executable(),
                                    "--bind",
                                    "127.0.0.1",
                                    "--port",
                                    String.valueOf(port),
                                    "--save",
                                    "",
                                    "--appendonly",
                                    "no"));
            command.addAll(Arrays.asList(arguments));
            Path directory = Files.createTempDirectory("headstone-redis");
            directory.toFile().deleteOnExit();
            return new RealRedis(command, directory, port);
        } catch (IOException e) {
            throw new UncheckedIOException("no Redis could be started", e);
        }
    }

    /** The server that is run. */
    public static String executable() throws IOException {
        Optional<Path> onPath =
                Arrays.stream(System.getenv("PATH").split(":"))
                        .map(folder -> Path.of(folder, SERVER))
                        .filter(Files::isExecutable)
                        .findFirst();
        return onPath.isPresent()
                ? onPath.get().toString()
                : ExecutableProvider.newJarResourceProvider(
                                Files.createTempDirectory("headstone-redis-bin").toFile())
                        .get()
                        .getPath();
    }

    /** Where it listens. */
    public int port() {
        return port;
    }

    /** Where it listens, as Lettuce wants it. */
    public RedisURI uri() {
        return RedisURI.builder()
                .withHost("127.0.0.1")
                .withPort(port)
                .withTimeout(Duration.ofSeconds(2))
                .build();
    }

    /** Freezes it: it answers nothing, and its connections stay. */
    public void freeze() {
        signal("STOP");
    }

    /** Lets it go on. */
    public void thaw() {
        signal("CONT");
    }

    private void signal(String name) {
        try {
            Process kill =
                    new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid())).start();
            if (!kill.waitFor(5, TimeUnit.SECONDS) || kill.exitValue() != 0) {
                throw new IllegalStateException("kill -" + name + " failed");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    /** Writes a snapshot, which it reads when it is started again. */
    public void save() {
        if (!command("SAVE")) {
            throw new IllegalStateException("the Redis did not save");
        }
    }

    /** Kills it at once. */
    public void kill() {
        process.destroyForcibly();
    }

    /** Kills it and waits until it is gone. */
    public void killAndWait() {
        try {
            if (!process.destroyForcibly().waitFor(5, TimeUnit.SECONDS)) {
                throw new IllegalStateException("the Redis did not end");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    /** Kills it and starts it again on the same port, with the snapshot it saved last, if any. */
    public void restart() {
        killAndWait();
        resume();
    }

    /** Starts it again after it was killed. */
    public void resume() {
        try {
            process = launch();
        } catch (IOException e) {
            throw new UncheckedIOException("no Redis could be started", e);
        }
    }

    @Override
    public void close() {
        kill();
    }
}
