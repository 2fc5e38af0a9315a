package dev.headstone.proof.campaign;

import io.lettuce.core.RedisURI;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One redis-server of the campaign, which may be killed and come back under its address, empty or
 * with its last snapshot. For one thread but for {@link #uri}.
 */
final class RedisServer implements AutoCloseable {
    private static final Duration READY = Duration.ofSeconds(10);
    private static final int ANSWER_MILLIS = 500;
    private static final int PAUSE_MILLIS = 2;
    private static final int STARTS = 5;
    private static final String SNAPSHOT = "snapshot.rdb";

    private final List<String> command;
    private final Path folder;
    private final String password;

    /** A child may end with the thread that started it: this one lives as long as the server. */
    private final ExecutorService starter =
            Executors.newSingleThreadExecutor(
                    Thread.ofPlatform().daemon().name("redis-starter").factory());

    private int port;
    private @Nullable Process process;

    /**
     * @param command starts a redis-server that reads its configuration from standard input, but
     *     for the last word that says so
     * @param folder for its snapshot
     */
    RedisServer(List<String> command, Path folder, String password) {
        this.command = new ArrayList<>(command);
        this.command.add("-");
        this.folder = folder;
        this.password = password;
    }

    /**
     * Starts it on a free port.
     *
     * @throws IOException if it does not answer in time
     */
    void start() throws IOException, InterruptedException {
        IOException fault = new IOException("not tried");
        for (int tries = 0; tries < STARTS; tries++) {
            try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                port = socket.getLocalPort();
            }
            try {
                run();
                return;
            } catch (IOException e) {
                fault = e; // somebody else took the port
            }
        }
        throw fault;
    }

    /** What leads to it, under the name of a process. */
    RedisURI uri(String name) {
        return RedisURI.builder()
                .withHost("127.0.0.1")
                .withPort(port)
                .withPassword(password.toCharArray())
                .withClientName(name)
                .withTimeout(Duration.ofSeconds(2))
                .build();
    }

    /** Kills it and brings it back, with its last snapshot unless it is to be empty. */
    void restart(boolean empty) throws IOException, InterruptedException {
        kill();
        if (empty) {
            Files.deleteIfExists(folder.resolve(SNAPSHOT));
        }
        run();
    }

    /** Lets the process stand still, or go on. */
    void signal(String name) throws IOException, InterruptedException {
        Process running = process;
        if (running != null) {
            Process kill =
                    new ProcessBuilder("kill", "-" + name, Long.toString(running.pid())).start();
            kill.waitFor(ANSWER_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private void run() throws IOException, InterruptedException {
        Path log = folder.resolve("redis.log");
        try {
            process =
                    starter.submit(
                                    () ->
                                            new ProcessBuilder(command)
                                                    .directory(folder.toFile())
                                                    .redirectErrorStream(true)
                                                    .redirectOutput(log.toFile())
                                                    .start())
                            .get();
        } catch (ExecutionException e) {
            throw new IOException("redis-server does not start: " + command.getFirst(), e);
        }
        try (OutputStream input = process.getOutputStream()) {
            input.write(configuration().getBytes(StandardCharsets.UTF_8));
        }
        awaitReady(process, log);
    }

    private String configuration() {
        return """
        bind 127.0.0.1
        port %d
        requirepass %s
        daemonize no
        save ""
        appendonly no
        dbfilename %s
        maxmemory 64mb
        maxmemory-policy allkeys-lru
        logfile ""
        loglevel warning
        """
                .formatted(port, password, SNAPSHOT);
    }

    private void awaitReady(Process started, Path log) throws IOException, InterruptedException {
        long begun = System.nanoTime();
        while (!answers()) {
            if (!started.isAlive() || System.nanoTime() - begun > READY.toNanos()) {
                kill();
                throw new IOException("redis-server does not answer: " + Files.readString(log));
            }
            Thread.sleep(PAUSE_MILLIS);
        }
    }

    private boolean answers() throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), port), ANSWER_MILLIS);
            socket.setSoTimeout(ANSWER_MILLIS);
            socket.getOutputStream()
                    .write(
                            "AUTH %s\r\nPING\r\n"
                                    .formatted(password)
                                    .getBytes(StandardCharsets.US_ASCII));
            String wanted = "+OK\r\n+PONG\r\n";
            return new String(
                            socket.getInputStream().readNBytes(wanted.length()),
                            StandardCharsets.US_ASCII)
                    .equals(wanted);
        } catch (SocketException | SocketTimeoutException e) {
            return false;
        }
    }

    private void kill() {
        Process running = process;
        if (running != null) {
            running.destroyForcibly();
            try {
                running.waitFor(READY.toMillis(), TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public void close() {
        kill();
        starter.shutdown();
    }
}
