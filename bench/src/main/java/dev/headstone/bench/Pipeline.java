package dev.headstone.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
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
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A {@code serve} of its own, on a data directory of its own, driven from outside. */
final class Pipeline implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int AT_ONCE = 16;
    private static final Duration START = Duration.ofMinutes(2);

    private final Process process;
    private final Path data;
    private final JsonNode places;
    private final String token;
    private final HttpClient http =
            HttpClient.newBuilder()
                    .followRedirects(HttpClient.Redirect.NEVER)
                    .connectTimeout(Duration.ofSeconds(5))
                    .build();

    private Pipeline(Process process, Path data, JsonNode places, String token) {
        this.process = process;
        this.data = data;
        this.places = places;
        this.token = token;
    }

    /** Starts one and waits until it is ready. */
    static Pipeline start(Path launcher) throws IOException, InterruptedException {
        return start(launcher, Map.of());
    }

    /** Starts one with these variables and waits until it is ready. */
    static Pipeline start(Path launcher, Map<String, String> environment)
            throws IOException, InterruptedException {
        Path data = Files.createTempDirectory("headstone-bench");
        ProcessBuilder serve =
                new ProcessBuilder(
                                launcher.toString(),
                                "serve",
                                "--port",
                                "0",
                                "--control-port",
                                "0",
                                "--data",
                                data.toString())
                        .redirectErrorStream(true)
                        .redirectOutput(data.resolve("serve.log").toFile());
        serve.environment().putAll(environment);
        Process process = serve.start();
        Path ready = data.resolve("serve.json");
        long end = System.nanoTime() + START.toNanos();
        while (!Files.exists(ready)) {
            if (!process.isAlive() || System.nanoTime() > end) {
                process.destroyForcibly();
                throw new IllegalStateException(
                        "serve did not start: " + Files.readString(data.resolve("serve.log")));
            }
            TimeUnit.MILLISECONDS.sleep(5);
        }
        return new Pipeline(
                process,
                data,
                JSON.readTree(ready.toFile()),
                Files.readString(data.resolve("local-token")).strip());
    }

    URI clicks(String code) {
        return URI.create("http://127.0.0.1:" + places.get("port").asInt() + "/" + code);
    }

    URI table() {
        return URI.create(places.get("dynamodb_endpoint").asText());
    }

    ProcessHandle processes() {
        return process.toHandle();
    }

    /** Creates a link and gives its code. */
    String create(String url) throws IOException, InterruptedException {
        JsonNode answer = call("POST", "/v1/links", "{\"long_url\":\"" + url + "\"}", 201);
        return answer.get("short_code").asText();
    }

    /** Creates a link that is good for so many visits and gives its code. */
    String createLimited(long visits) throws IOException, InterruptedException {
        String body =
                "{\"long_url\":\"https://example.com/\",\"visit_limit\":%d}".formatted(visits);
        return call("POST", "/v1/links", body, 201).get("short_code").asText();
    }

    /** Creates so many links, some at a time, and gives their codes. */
    List<String> create(int count) throws IOException, InterruptedException {
        List<Callable<String>> creates =
                IntStream.range(0, count)
                        .<Callable<String>>mapToObj(i -> () -> create("https://example.com/" + i))
                        .toList();
        try (ExecutorService desks = Executors.newFixedThreadPool(AT_ONCE)) {
            List<String> codes = new ArrayList<>();
            for (Future<String> created : desks.invokeAll(creates)) {
                codes.add(created.get());
            }
            return codes;
        } catch (ExecutionException e) {
            throw new IOException("a link could not be created", e.getCause());
        }
    }

    /** The value of one counter or gauge: the first line of the metrics that begins so. */
    double metric(String line) throws IOException, InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(control("/metrics")).timeout(Duration.ofSeconds(10)).build();
        return http.send(request, BodyHandlers.ofString())
                .body()
                .lines()
                .filter(text -> text.startsWith(line))
                .map(text -> Double.parseDouble(text.substring(text.lastIndexOf(' ') + 1)))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no metric " + line));
    }

    /** Kills the Redis; another one, empty, takes its place. Returns once it is used. */
    void loseCache(String deadCode) throws IOException, InterruptedException {
        process.toHandle()
                .descendants()
                .filter(child -> child.info().command().orElse("").contains("redis"))
                .forEach(ProcessHandle::destroyForcibly);
        TimeUnit.SECONDS.sleep(2);
        long end = System.nanoTime() + START.toNanos();
        while (!cacheStatus(deadCode).contains("detail=tombstone")) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException("the cache does not come back");
            }
            TimeUnit.MILLISECONDS.sleep(50);
        }
    }

    private String cacheStatus(String code) throws IOException, InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(clicks(code)).timeout(Duration.ofSeconds(10)).build();
        return http.send(request, BodyHandlers.discarding())
                .headers()
                .firstValue("Cache-Status")
                .orElse("");
    }

    /** Takes a link down; the receipt must say that it is confirmed. */
    void takeDown(String code) throws IOException, InterruptedException {
        JsonNode receipt =
                call("POST", "/v1/links/" + code + "/takedown", "{\"reason\":\"benchmark\"}", 200);
        if (!receipt.get("outcome").asText().equals("confirmed")) {
            throw new IllegalStateException("not confirmed: " + receipt);
        }
    }

    private URI control(String path) {
        return URI.create("http://127.0.0.1:" + places.get("control_port").asInt() + path);
    }

    private JsonNode call(String method, String path, String body, int expected)
            throws IOException, InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(control(path))
                        .timeout(Duration.ofSeconds(20))
                        .header("Authorization", "Bearer " + token)
                        .header("Content-Type", "application/json")
                        .method(method, BodyPublishers.ofString(body))
                        .build();
        HttpResponse<String> answer = http.send(request, BodyHandlers.ofString());
        if (answer.statusCode() != expected) {
            throw new IllegalStateException(
                    method + " " + path + " answered " + answer.statusCode() + " " + answer.body());
        }
        return JSON.readTree(answer.body());
    }

    /** The status of one click. */
    int click(String code) throws IOException, InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(clicks(code)).timeout(Duration.ofSeconds(10)).build();
        return http.send(request, BodyHandlers.discarding()).statusCode();
    }

    @Override
    public void close() throws IOException {
        Machine.stop(process, Duration.ofSeconds(15));
        http.close();
        try (Stream<Path> files = Files.walk(data)) {
            for (Path file : List.copyOf(files.sorted(Comparator.reverseOrder()).toList())) {
                Files.deleteIfExists(file);
            }
        }
    }
}
