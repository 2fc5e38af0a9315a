package dev.headstone.bench;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * What a fresh hit is measured beside: nginx with a Lua handler that gets the record from a Redis
 * of its own, reads the JSON and redirects. As many workers as cores, pooled connections.
 */
final class NginxRedirect implements AutoCloseable {
    private final Process redis;
    private final Process nginx;
    private final Path folder;
    private final int port;

    private NginxRedirect(Process redis, Process nginx, Path folder, int port) {
        this.redis = redis;
        this.nginx = nginx;
        this.folder = folder;
        this.port = port;
    }

    static NginxRedirect start(Path nginxProgram, Path redisProgram, Path redisClient)
            throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("headstone-nginx");
        int redisPort = freePort();
        int port = freePort();
        Process redis =
                start(
                        folder,
                        "redis.log",
                        redisProgram.toString(),
                        "--port",
                        String.valueOf(redisPort),
                        "--bind",
                        "127.0.0.1",
                        "--save",
                        "",
                        "--appendonly",
                        "no");
        String record =
                "{\"state\":\"active\",\"stamp\":\"1790000000000.0000000000000000001.0\",\"long_url\":"
                        + "\"https://example.com/landing?campaign=spring\",\"host\":\"example.com\","
                        + "\"fresh_until\":9000000000000,\"stale_until\":9000000900000}";
        TimeUnit.MILLISECONDS.sleep(500);
        String set =
                Machine.output(
                        Duration.ofSeconds(5),
                        List.of(
                                redisClient.toString(),
                                "-p",
                                String.valueOf(redisPort),
                                "SET",
                                "url:{bench00}",
                                record));
        if (!set.strip().equals("OK")) {
            throw new IllegalStateException("the record was not set: " + set);
        }
        Path configuration = folder.resolve("nginx.conf");
        Files.writeString(
                configuration,
                template()
                        .replace("@FOLDER@", folder.toString())
                        .replace("@PORT@", String.valueOf(port))
                        .replace("@REDIS@", String.valueOf(redisPort)));
        Process nginx =
                start(
                        folder,
                        "nginx.log",
                        nginxProgram.toString(),
                        "-c",
                        configuration.toString(),
                        "-p",
                        folder.toString());
        TimeUnit.MILLISECONDS.sleep(500);
        if (!nginx.isAlive()) {
            throw new IllegalStateException(
                    "nginx did not start: " + Files.readString(folder.resolve("nginx.log")));
        }
        return new NginxRedirect(redis, nginx, folder, port);
    }

    private static String template() throws IOException {
        try (InputStream text = NginxRedirect.class.getResourceAsStream("nginx.conf")) {
            if (text == null) {
                throw new IllegalStateException("nginx.conf is missing from the class path");
            }
            return new String(text.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static Process start(Path folder, String log, String... command) throws IOException {
        return new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve(log).toFile())
                .start();
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    URI clicks() {
        return URI.create("http://127.0.0.1:" + port + "/bench00");
    }

    @Override
    public void close() throws IOException {
        Machine.stop(nginx, Duration.ofSeconds(5));
        Machine.stop(redis, Duration.ofSeconds(5));
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
