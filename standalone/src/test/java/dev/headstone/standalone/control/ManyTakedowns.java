package dev.headstone.standalone.control;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.headstone.writer.ControlResponse;
import dev.headstone.writer.Problem;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * A control port that serves the page and takedowns of many links: a job blocks at once and is a
 * step further each time somebody looks. Everybody is an operator.
 */
final class ManyTakedowns implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String PATH = "/v1/takedowns";

    private final Dashboard dashboard = new Dashboard();
    private final HttpServer server;
    private final boolean described;
    private final List<JsonNode> asked = new ArrayList<>();
    private String state = "none";
    private int failing;

    /**
     * @param described whether the description of the API has them
     */
    ManyTakedowns(boolean described) throws IOException {
        this.described = described;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::handle);
        server.start();
    }

    URI host() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    /** From now on so many tombstones of a job are not confirmed. */
    synchronized void failing(int links) {
        failing = links;
    }

    /** The bodies that were sent so far. */
    synchronized List<JsonNode> asked() {
        return List.copyOf(asked);
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
            ControlResponse answer =
                    answer(exchange.getRequestMethod(), exchange.getRequestURI().getPath(), body);
            answer.headers()
                    .forEach((name, value) -> exchange.getResponseHeaders().set(name, value));
            byte[] content = answer.body().getBytes(UTF_8);
            exchange.sendResponseHeaders(answer.status(), content.length);
            exchange.getResponseBody().write(content);
        }
    }

    private synchronized ControlResponse answer(String method, String path, String body)
            throws IOException {
        return switch (method + " " + path) {
            case "GET /metrics" -> ControlResponse.of(200, "text/plain", "");
            case "GET /readyz" -> ControlResponse.json(200, "{\"ready\": true, \"parts\": {}}");
            case "GET /v1/caller" ->
                    ControlResponse.json(200, "{\"name\": \"alice\", \"role\": \"operator\"}");
            case "GET " + Dashboard.OPENAPI ->
                    ControlResponse.of(
                            200,
                            "application/yaml",
                            "openapi: 3.1.0\npaths:\n" + (described ? "  " + PATH + ":\n" : ""));
            case "POST " + PATH -> begin(JSON.readTree(body));
            case "GET " + PATH + "/job-1" -> ControlResponse.json(200, look().toString());
            case "POST " + PATH + "/job-1/restore" -> restore(JSON.readTree(body));
            default ->
                    Optional.of(path)
                            .flatMap(dashboard::at)
                            .orElseGet(() -> Problem.of(404, "There is nothing here.").response());
        };
    }

    private ControlResponse begin(JsonNode body) {
        asked.add(body);
        if (body.path("host").asText().equals("co.uk")) {
            return Problem.of(422, "co.uk is a public suffix.").field("host").response();
        }
        if (body.path("dry_run").asBoolean()) {
            ObjectNode counted = JSON.createObjectNode().put("count", 3);
            ObjectNode answer = counted;
            IntStream.rangeClosed(1, 3).forEach(i -> answer.withArray("sample").add("bad" + i));
            return ControlResponse.json(200, answer.toString());
        }
        state = "blocked";
        return ControlResponse.json(202, job().toString());
    }

    private ObjectNode look() {
        state =
                switch (state) {
                    case "blocked" -> "running";
                    case "running" -> "done";
                    default -> state;
                };
        return job();
    }

    private ControlResponse restore(JsonNode body) {
        asked.add(body);
        state = "restored";
        return ControlResponse.json(202, job().toString());
    }

    private ObjectNode job() {
        ObjectNode job =
                JSON.createObjectNode().put("id", "job-1").put("state", state).put("count", 3);
        if (state.equals("done")) {
            job.put("confirmed", 3 - failing).put("failed", failing);
            for (int i = 1; i <= 3; i++) {
                job.withArray("outcomes")
                        .addObject()
                        .put("short_code", "bad" + i)
                        .put("outcome", i <= failing ? "invalidate_failed" : "confirmed");
            }
        }
        return job;
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
