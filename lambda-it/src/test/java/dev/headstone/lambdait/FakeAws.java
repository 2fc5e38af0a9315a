package dev.headstone.lambdait;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** STS, the single sign-on service and Lambda's front door, as far as an operator needs them. */
final class FakeAws implements AutoCloseable {
    static final String ARN =
            "arn:aws:sts::123456789012:assumed-role/AWSReservedSSO_operator_0/alice";
    static final String TOKEN = "sso-token-of-alice";
    private static final String KEY = "ASIASSOALICE00000000";

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final FunctionProcess invalidation;

    FakeAws(FunctionProcess invalidation) throws IOException {
        this.invalidation = invalidation;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", FakeAws::callerIdentity);
        server.createContext("/federation/credentials", FakeAws::roleCredentials);
        server.createContext("/2015-03-31/functions/", this::invoke);
        server.start();
    }

    String endpoint() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** Whoever has signed with the key of the single sign-on is alice. */
    private static void callerIdentity(HttpExchange exchange) throws IOException {
        String signature = String.valueOf(exchange.getRequestHeaders().getFirst("Authorization"));
        boolean known = signature.contains("Credential=" + KEY + "/");
        answer(
                exchange,
                known ? 200 : 403,
                "text/xml",
                known
                        ? "<GetCallerIdentityResponse><GetCallerIdentityResult><Arn>%s</Arn><UserId>A:alice</UserId><Account>123456789012</Account></GetCallerIdentityResult></GetCallerIdentityResponse>"
                                .formatted(ARN)
                        : "<ErrorResponse><Error><Code>InvalidClientTokenId</Code><Message>no</Message></Error></ErrorResponse>");
    }

    private static void roleCredentials(HttpExchange exchange) throws IOException {
        boolean known =
                TOKEN.equals(exchange.getRequestHeaders().getFirst("x-amz-sso_bearer_token"));
        answer(
                exchange,
                known ? 200 : 401,
                "application/json",
                known
                        ? "{\"roleCredentials\":{\"accessKeyId\":\"%s\",\"secretAccessKey\":\"s\",\"sessionToken\":\"t\",\"expiration\":4102444800000}}"
                                .formatted(KEY)
                        : "{\"message\":\"no\"}");
    }

    private void invoke(HttpExchange exchange) throws IOException {
        if (!"RequestResponse"
                .equals(exchange.getRequestHeaders().getFirst("X-Amz-Invocation-Type"))) {
            answer(exchange, 400, "application/json", "{\"message\":\"asynchronous\"}");
            return;
        }
        String payload = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
        switch (invalidation.invoke(payload)) {
            case RuntimeApi.Outcome.Answered(String answer) ->
                    answer(exchange, 200, "application/json", answer);
            case RuntimeApi.Outcome.Failed(String error) -> {
                exchange.getResponseHeaders().set("X-Amz-Function-Error", "Unhandled");
                answer(exchange, 200, "application/json", error);
            }
            case RuntimeApi.Outcome.TimedOut _ -> {
                exchange.getResponseHeaders().set("X-Amz-Function-Error", "Unhandled");
                answer(exchange, 200, "application/json", "{\"errorMessage\":\"timed out\"}");
            }
        }
    }

    private static void answer(HttpExchange exchange, int status, String type, String body)
            throws IOException {
        byte[] bytes = body.getBytes(UTF_8);
        exchange.getResponseHeaders().set("Content-Type", type);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
