package dev.headstone.standalone.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/** A {@code serve} in a process of its own, as somebody outside sees it. */
final class ServeProcess implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration START = Duration.ofSeconds(90);

    private final Path data;
    private final Process process;
    private final JsonNode places;
    private final String token;
    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();

    private ServeProcess(Path data, Process process, JsonNode places, String token) {
        this.data = data;
        this.process = process;
        this.places = places;
        this.token = token;
    }

    /** Starts one on {@code data} and waits until it is ready. */
    static ServeProcess start(Path data, String... options) {
        return start(data, Map.of(), options);
    }

    static ServeProcess start(Path data, Map<String, String> environment, String... options) {
        try {
            Files.createDirectories(data);
            Files.deleteIfExists(data.resolve("serve.json"));
            List<String> command =
                    new ArrayList<>(
                            List.of(
                                    Path.of(System.getProperty("java.home"), "bin", "java")
                                            .toString(),
                                    "-Xmx256m",
                                    "-XX:+UseSerialGC",
                                    "-XX:TieredStopAtLevel=1",
                                    "--enable-native-access=ALL-UNNAMED",
                                    "--sun-misc-unsafe-memory-access=allow",
                                    "-cp",
                                    System.getProperty("java.class.path"),
                                    "dev.headstone.standalone.Main",
                                    "serve",
                                    "--port",
                                    "0",
                                    "--control-port",
                                    "0",
                                    "--data",
                                    data.toString()));
            command.addAll(Arrays.asList(options));
            ProcessBuilder builder =
                    new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(
                                    ProcessBuilder.Redirect.appendTo(
                                            data.resolve("serve.log").toFile()));
            builder.environment().putAll(environment);
            Process process = builder.start();
            Runtime.getRuntime().addShutdownHook(new Thread(process::destroy));
            Path ready = data.resolve("serve.json");
            Awaitility.await("serve is ready, see " + data.resolve("serve.log"))
                    .atMost(START)
                    .pollInterval(Duration.ofMillis(20))
                    .until(() -> Files.exists(ready) || !process.isAlive());
            assertThat(process.isAlive()).as(() -> read(data.resolve("serve.log"))).isTrue();
            return new ServeProcess(
                    data,
                    process,
                    JSON.readTree(ready.toFile()),
                    Files.readString(data.resolve("local-token")).strip());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return e.toString();
        }
    }

    /** What it has said so far. */
    String log() {
        return read(data.resolve("serve.log"));
    }

    URI table() {
        return URI.create(places.get("dynamodb_endpoint").asText());
    }

    URI queue() {
        return URI.create(places.get("sqs_endpoint").asText());
    }

    /** Where the control port is. */
    URI control() {
        return URI.create("http://127.0.0.1:" + places.get("control_port").asInt());
    }

    /** The token of this machine's operator. */
    String token() {
        return token;
    }

    /** One click, its redirect not followed. */
    HttpResponse<String> click(String path, String... headers) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(
                                URI.create("http://127.0.0.1:" + places.get("port").asInt() + path))
                        .timeout(Duration.ofSeconds(10));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return send(request.build());
    }

    /** A request to the control port, as the operator of this machine. */
    HttpResponse<String> control(String method, String path, String body) {
        return send(
                HttpRequest.newBuilder(URI.create(control() + path))
                        .timeout(Duration.ofSeconds(30))
                        .header("Authorization", "Bearer " + token)
                        .header("Content-Type", "application/json")
                        .method(method, BodyPublishers.ofString(body))
                        .build());
    }

    private HttpResponse<String> send(HttpRequest request) {
        try {
            return http.send(request, BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    /** A link of that alias, created. */
    JsonNode create(String alias, String url) {
        HttpResponse<String> answer =
                control(
                        "POST",
                        "/v1/links",
                        "{\"alias\":\"" + alias + "\",\"long_url\":\"" + url + "\"}");
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
        return parsed(answer);
    }

    HttpResponse<String> takeDown(String code) {
        return control("POST", "/v1/links/" + code + "/takedown", "{\"reason\":\"phishing\"}");
    }

    /** The events of a code, oldest first. */
    List<JsonNode> audit(String code) {
        return parsed(control("GET", "/v1/audit?limit=1000&code=" + code, ""))
                .get("events")
                .valueStream()
                .toList();
    }

    JsonNode verify() {
        return parsed(control("GET", "/v1/audit/verify", ""));
    }

    static JsonNode parsed(HttpResponse<String> answer) {
        try {
            return JSON.readTree(answer.body());
        } catch (IOException e) {
            throw new AssertionError(answer.body(), e);
        }
    }

    /**
     * What must always hold, once stream and queue are drained: every version of the link has its
     * committed event, once; the chain verifies; and the cache holds nothing that is older than the
     * table or of another mind.
     */
    void assertSound(String code) {
        JsonNode link = parsed(control("GET", "/v1/links/" + code, ""));
        long version = link.get("version").asLong();
        Awaitility.await("the events of " + code)
                .atMost(Duration.ofSeconds(30))
                .untilAsserted(
                        () ->
                                assertThat(
                                                audit(code).stream()
                                                        .filter(
                                                                event ->
                                                                        event.get("outcome")
                                                                                .asText()
                                                                                .equals(
                                                                                        "committed"))
                                                        .map(
                                                                event ->
                                                                        event.get("version")
                                                                                .asLong()))
                                        .containsExactlyInAnyOrderElementsOf(upTo(version)));
        assertThat(verify().get("ok").asBoolean()).as(verify().toString()).isTrue();
        JsonNode cache = parsed(control("GET", "/v1/links/" + code, "")).path("cache");
        if (cache.hasNonNull("stamp")) {
            boolean dead = !link.get("state").asText().equals("active");
            assertThat(cache.get("stamp").asText())
                    .isEqualTo(
                            "%013d.%019d.%d"
                                    .formatted(
                                            java.time.Instant.parse(link.get("created_at").asText())
                                                    .toEpochMilli(),
                                            version,
                                            dead ? 1 : 0));
        }
    }

    private static List<Long> upTo(long version) {
        return java.util.stream.LongStream.rangeClosed(1, version).boxed().toList();
    }

    /** The Redis that it started; Debian's redis-server is another of its programs by name. */
    ProcessHandle redis() {
        return process.descendants()
                .filter(child -> child.info().command().orElse("").contains("redis"))
                .findFirst()
                .orElseThrow();
    }

    static void signal(ProcessHandle target, String name) {
        try {
            Process kill =
                    new ProcessBuilder("kill", "-" + name, String.valueOf(target.pid())).start();
            assertThat(kill.waitFor(5, TimeUnit.SECONDS)).isTrue();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    /** Kills it, and nothing else. */
    void kill() {
        process.destroyForcibly();
        awaitEnd(Duration.ofSeconds(10));
    }

    /** Asks it to stop, and gives its exit status. */
    int stop() {
        process.destroy();
        awaitEnd(Duration.ofSeconds(15));
        return process.exitValue();
    }

    private void awaitEnd(Duration deadline) {
        Awaitility.await("the process ends").atMost(deadline).until(() -> !process.isAlive());
    }

    @Override
    public void close() {
        if (process.isAlive()) {
            stop();
        }
        http.close();
    }
}
