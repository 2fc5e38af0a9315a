package dev.headstone.standalone;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.headstone.standalone.data.ServeFile;
import dev.headstone.standalone.operators.Operators;
import dev.headstone.standalone.options.Console;
import dev.headstone.standalone.options.ServeOptions;
import dev.headstone.standalone.options.Setting;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Starts everything on a folder of its own, leads links through their lives and stops, so that the
 * JVM that runs it learns which classes are needed and which methods are worth compiling. The
 * launcher makes its AOT cache of that; nobody else has a use for it.
 */
@Command(name = "rehearse", hidden = true)
final class Rehearsal implements Callable<Integer> {
    /** About as many calls of each step are what the JVM wants to see before it compiles it. */
    @Option(names = "--links", defaultValue = "120")
    private int links;

    private static final int REQUEST_MILLIS = 10_000;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Console console;
    private final Serve serve;

    Rehearsal(Console console, Serve serve) {
        this.console = console;
        this.serve = serve;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        Console silent = new Console(Map.of(), new PrintWriter(Writer.nullWriter()), console.err());
        Path folder = Files.createTempDirectory("headstone-rehearsal");
        Path data = folder.resolve("data");
        try {
            serve.during(options(data), silent, () -> play(data, links));
        } finally {
            remove(folder);
        }
        return 0;
    }

    private static ServeOptions options(Path data) {
        return ServeOptions.from(
                Map.of(
                        Setting.PORT, "0",
                        Setting.CONTROL_PORT, "0",
                        Setting.DATA, data.toString()),
                Map.of());
    }

    private static void play(Path data, int links) throws IOException {
        ServeFile running =
                ServeFile.read(data).orElseThrow(() -> new IOException("serve is not ready"));
        URI clicks = URI.create("http://127.0.0.1:" + running.port());
        Desk desk =
                new Desk(
                        URI.create("http://127.0.0.1:" + running.controlPort()),
                        Operators.localToken(data)
                                .orElseThrow(() -> new IOException("no local token")));
        for (int i = 0; i < links; i++) {
            String code = desk.create("https://example.com/" + i);
            expect(302, clicks.resolve("/" + code));
            desk.takeDown(code);
            expect(404, clicks.resolve("/" + code));
        }
        for (String page : List.of("/readyz", "/metrics", "/v1/audit?limit=10")) {
            desk.read(page);
        }
    }

    private static void expect(int status, URI target) throws IOException {
        HttpURLConnection click = open(target);
        if (click.getResponseCode() != status) {
            throw new IOException("a click was answered with " + click.getResponseCode());
        }
        drain(click);
    }

    private static HttpURLConnection open(URI target) throws IOException {
        HttpURLConnection request = (HttpURLConnection) target.toURL().openConnection();
        request.setInstanceFollowRedirects(false);
        request.setConnectTimeout(REQUEST_MILLIS);
        request.setReadTimeout(REQUEST_MILLIS);
        return request;
    }

    /** Reads the answer to its end, so that the connection serves the next request too. */
    private static byte[] drain(HttpURLConnection answered) throws IOException {
        InputStream error = answered.getErrorStream();
        try (InputStream body = error == null ? answered.getInputStream() : error) {
            return body.readAllBytes();
        }
    }

    private static void remove(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        }
    }

    /** Somebody with a token at the control listener. */
    private record Desk(URI control, String token) {
        String create(String longUrl) throws IOException {
            JsonNode link = post("/v1/links", Map.of("long_url", longUrl));
            return link.path("short_code").asText();
        }

        void takeDown(String code) throws IOException {
            post("/v1/links/" + code + "/takedown", Map.of("reason", "rehearsal"));
        }

        private JsonNode post(String path, Map<String, String> body) throws IOException {
            HttpURLConnection request = request(path);
            request.setRequestMethod("POST");
            request.setDoOutput(true);
            request.setRequestProperty("Content-Type", "application/json");
            request.getOutputStream().write(JSON.writeValueAsBytes(body));
            return JSON.readTree(answer(request));
        }

        void read(String path) throws IOException {
            answer(request(path));
        }

        private HttpURLConnection request(String path) throws IOException {
            HttpURLConnection request = open(control.resolve(path));
            request.setRequestProperty("Authorization", "Bearer " + token);
            return request;
        }

        private static byte[] answer(HttpURLConnection request) throws IOException {
            int status = request.getResponseCode();
            byte[] body = drain(request);
            if (status >= 300) {
                throw new IOException(
                        "a request was answered with %d %s"
                                .formatted(status, new String(body, StandardCharsets.UTF_8)));
            }
            return body;
        }
    }
}
