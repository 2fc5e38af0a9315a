package dev.headstone.standalone.redis;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One run of redis-server: started, answering, ended.
 *
 * <p>Its configuration goes in through standard input, so that the password is in no list of
 * processes. Where setpriv is installed, the kernel ends the child with the <em>thread</em> that
 * started it: that thread must live as long as the child should.
 */
final class RedisChild {
    private static final Duration READY_DEADLINE = Duration.ofSeconds(5);
    private static final Duration STOP_DEADLINE = Duration.ofSeconds(2);
    private static final int READY_PAUSE_MILLIS = 2;
    private static final int ANSWER_MILLIS = 500;
    private static final int LAST_LINES = 5;
    private static final Logger log = LoggerFactory.getLogger(RedisChild.class);

    private final Process process;
    private final Thread output;
    private final Deque<String> lastLines = new ArrayDeque<>();

    private RedisChild(Process process) {
        this.process = process;
        this.output = Thread.ofPlatform().daemon().name("redis-output").unstarted(this::readOutput);
    }

    /**
     * What a run needs.
     *
     * @param executable the redis-server
     * @param setpriv the command that ties a child to its parent's life, where there is one
     * @param folder the working folder
     * @param port the port on 127.0.0.1
     * @param password what clients must say
     */
    record Settings(
            Path executable, Optional<Path> setpriv, Path folder, int port, String password) {

        @Override
        public String toString() {
            return "Settings[executable=%s, port=%d]".formatted(executable, port);
        }

        private List<String> command() {
            String redis = executable.toString();
            return setpriv.map(
                            command ->
                                    List.of(
                                            command.toString(),
                                            "--pdeathsig",
                                            "KILL",
                                            "--",
                                            redis,
                                            "-"))
                    .orElseGet(() -> List.of(redis, "-"));
        }

        /**
         * 128 MB hold some 300,000 records. What does not fit is evicted: the protocol bears the
         * loss of any record, tombstones included.
         */
        private String configuration() {
            return """
            bind 127.0.0.1
            port %d
            requirepass %s
            daemonize no
            save ""
            appendonly no
            maxmemory 128mb
            maxmemory-policy allkeys-lru
            maxclients 1000
            logfile ""
            """
                    .formatted(port, password);
        }
    }

    /** A port that nobody had a moment ago. */
    static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /**
     * Starts a run and waits until it answers.
     *
     * @throws IOException when it ends, or does not answer in 5 s; it has then ended
     */
    static RedisChild start(Settings settings) throws IOException, InterruptedException {
        ProcessBuilder builder =
                new ProcessBuilder(settings.command())
                        .directory(settings.folder().toFile())
                        .redirectErrorStream(true);
        RedisChild child = new RedisChild(builder.start());
        try {
            child.output.start();
            child.configure(settings);
            child.awaitReady(settings);
            return child;
        } catch (IOException | InterruptedException e) {
            child.stop();
            throw e;
        }
    }

    ProcessHandle handle() {
        return process.toHandle();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Waits until it ends, for whatever reason. */
    int awaitExit() throws InterruptedException {
        return process.waitFor();
    }

    /** Ends it, by force after 2 s or when the thread is interrupted. */
    void stop() {
        process.destroy();
        try {
            if (!process.waitFor(STOP_DEADLINE.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly();
                process.waitFor(STOP_DEADLINE.toMillis(), TimeUnit.MILLISECONDS);
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    private void configure(Settings settings) throws IOException, InterruptedException {
        try (OutputStream input = process.getOutputStream()) {
            input.write(settings.configuration().getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            // It ended before it read that; what it said tells why.
            throw new IOException("redis-server ended at once: " + lastWords(), e);
        }
    }

    private void awaitReady(Settings settings) throws IOException, InterruptedException {
        long start = System.nanoTime();
        while (process.isAlive()) {
            if (answers(settings)) {
                return;
            }
            if (System.nanoTime() - start > READY_DEADLINE.toNanos()) {
                throw new IOException("redis-server does not answer: " + lastWords());
            }
            Thread.sleep(READY_PAUSE_MILLIS);
        }
        throw new IOException("redis-server ended at once: " + lastWords());
    }

    private boolean answers(Settings settings) throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), settings.port()),
                    ANSWER_MILLIS);
            socket.setSoTimeout(ANSWER_MILLIS);
            socket.getOutputStream()
                    .write(
                            "AUTH %s\r\nPING\r\n"
                                    .formatted(settings.password())
                                    .getBytes(StandardCharsets.US_ASCII));
            return read(socket.getInputStream(), "+OK\r\n+PONG\r\n".length())
                    .equals("+OK\r\n+PONG\r\n");
        } catch (SocketException | SocketTimeoutException e) {
            return false;
        }
    }

    private static String read(InputStream input, int length) throws IOException {
        return new String(input.readNBytes(length), StandardCharsets.US_ASCII);
    }

    private void readOutput() {
        try (BufferedReader output =
                new BufferedReader(
                        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                log.atDebug().addKeyValue("line", line).log("redis-server says");
                synchronized (lastLines) {
                    lastLines.addLast(line.strip());
                    if (lastLines.size() > LAST_LINES) {
                        lastLines.removeFirst();
                    }
                }
            }
        } catch (IOException e) {
            log.atDebug().setCause(e).log("The output of redis-server ended");
        }
    }

    private String lastWords() throws InterruptedException {
        // Its output ends with it, perhaps a moment after it was noticed that it no longer listens.
        output.join(Duration.ofMillis(ANSWER_MILLIS));
        synchronized (lastLines) {
            return String.join(" / ", lastLines);
        }
    }
}
