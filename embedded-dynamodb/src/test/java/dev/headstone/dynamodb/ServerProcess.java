package dev.headstone.dynamodb;

import java.io.BufferedReader;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A server in a process of its own, which can be killed. */
final class ServerProcess implements AutoCloseable {
    private final Process process;
    private final URI endpoint;

    private ServerProcess(Process process, URI endpoint) {
        this.process = process;
        this.endpoint = endpoint;
    }

    static ServerProcess start(Path file) throws IOException {
        Process process =
                new ProcessBuilder(
                                List.of(
                                        Path.of(System.getProperty("java.home"), "bin", "java")
                                                .toString(),
                                        "-Xmx128m",
                                        "-XX:TieredStopAtLevel=1",
                                        "-cp",
                                        System.getProperty("java.class.path"),
                                        ServerProcess.class.getName(),
                                        file.toString()))
                        .redirectError(Redirect.DISCARD)
                        .start();
        BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
        String line = out.readLine();
        if (line == null) {
            throw new IOException("the server did not start");
        }
        return new ServerProcess(process, URI.create(line));
    }

    URI endpoint() {
        return endpoint;
    }

    /** Ends it as kill -9 does. */
    void kill() throws InterruptedException {
        process.destroyForcibly();
        if (!process.waitFor(30, TimeUnit.SECONDS)) {
            throw new IllegalStateException("the server survived");
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    /** What runs in the process: serves the file until it is killed, or its parent is gone. */
    public static void main(String... args) throws IOException {
        Settings settings = Settings.at(Path.of(args[0]), InstantSource.system());
        try (EmbeddedDynamoDb server = EmbeddedDynamoDb.start(settings.withShardRecords(50))) {
            System.out.println(server.endpoint());
            int ignored = System.in.read(); // returns when the parent ends
            System.out.println(ignored);
        }
    }
}
