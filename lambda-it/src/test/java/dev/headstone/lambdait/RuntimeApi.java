package dev.headstone.lambdait;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * Lambda's Runtime API for one execution environment.
 *
 * @see <a href="https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html">The API</a>
 */
final class RuntimeApi implements AutoCloseable {
    private static final String PREFIX = "/2018-06-01/runtime/";
    private static final int MOST_WAITING = 16;
    private static final Duration LONGEST_POLL = Duration.ofMinutes(3);
    static final String ARN = "arn:aws:lambda:us-east-1:000000000000:function:it";

    /** What became of an invocation. */
    sealed interface Outcome {
        record Answered(String payload) implements Outcome {}

        /**
         * The function threw.
         *
         * @param error as the runtime reports it
         */
        record Failed(String error) implements Outcome {}

        /** There was no answer in time. */
        record TimedOut() implements Outcome {}
    }

    private record Invocation(String id, String event, String trace, Instant deadline) {}

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final BlockingQueue<Invocation> waiting = new ArrayBlockingQueue<>(MOST_WAITING);
    private final Map<String, CompletableFuture<Outcome>> running = new ConcurrentHashMap<>();
    private final CountDownLatch polled = new CountDownLatch(1);
    private final CountDownLatch checkpoint = new CountDownLatch(1);
    private final CountDownLatch restore = new CountDownLatch(1);
    private final CompletableFuture<String> initError = new CompletableFuture<>();

    RuntimeApi() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext(PREFIX, this::handle);
        server.start();
    }

    /** As {@code AWS_LAMBDA_RUNTIME_API} has it. */
    String address() {
        return "127.0.0.1:" + server.getAddress().getPort();
    }

    private void handle(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath().substring(PREFIX.length());
        String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
        try {
            switch (path) {
                case "invocation/next" -> next(exchange);
                case "init/error" -> {
                    initError.complete(body);
                    running.values().forEach(it -> it.complete(new Outcome.Failed(body)));
                    accepted(exchange);
                }
                case "restore/next" -> {
                    checkpoint.countDown();
                    await(restore);
                    ok(exchange, "");
                }
                default -> {
                    ended(path.split("/", -1), body);
                    accepted(exchange);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            exchange.close();
        }
    }

    private static void await(CountDownLatch latch) throws InterruptedException {
        if (!latch.await(LONGEST_POLL.toSeconds(), TimeUnit.SECONDS)) {
            throw new InterruptedException("nobody went on");
        }
    }

    private void next(HttpExchange exchange) throws IOException, InterruptedException {
        polled.countDown();
        Invocation next = waiting.poll(LONGEST_POLL.toSeconds(), TimeUnit.SECONDS);
        if (next == null) {
            return;
        }
        exchange.getResponseHeaders().set("Lambda-Runtime-Aws-Request-Id", next.id);
        exchange.getResponseHeaders()
                .set("Lambda-Runtime-Deadline-Ms", Long.toString(next.deadline.toEpochMilli()));
        exchange.getResponseHeaders().set("Lambda-Runtime-Invoked-Function-Arn", ARN);
        exchange.getResponseHeaders().set("Lambda-Runtime-Trace-Id", next.trace);
        ok(exchange, next.event);
    }

    private void ended(String[] path, String body) {
        CompletableFuture<Outcome> outcome = running.get(path[1]);
        if (outcome != null) {
            outcome.complete(
                    path[2].equals("response")
                            ? new Outcome.Answered(body)
                            : new Outcome.Failed(body));
        }
    }

    /** The native client dies of an answer without a type. */
    private static void ok(HttpExchange exchange, String body) throws IOException {
        byte[] bytes = body.getBytes(UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(200, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    private static void accepted(HttpExchange exchange) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        byte[] bytes = "{\"status\":\"OK\"}".getBytes(UTF_8);
        exchange.sendResponseHeaders(202, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    /** Invokes, and waits for the outcome. */
    Outcome invoke(String event, String trace, Duration timeout) {
        String id = UUID.randomUUID().toString();
        CompletableFuture<Outcome> outcome = new CompletableFuture<>();
        running.put(id, outcome);
        waiting.add(new Invocation(id, event, trace, Instant.now().plus(timeout)));
        try {
            return outcome.completeOnTimeout(
                            new Outcome.TimedOut(), timeout.toMillis(), TimeUnit.MILLISECONDS)
                    .join();
        } finally {
            running.remove(id);
        }
    }

    /** Whether the function has asked for work within that time. */
    boolean isPolled(Duration patience) throws InterruptedException {
        return polled.await(patience.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Whether the function is ready for its snapshot within that time. */
    boolean isAtCheckpoint(Duration patience) throws InterruptedException {
        return checkpoint.await(patience.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** The environment comes out of its snapshot. */
    void restore() {
        restore.countDown();
    }

    /** What the function said when it could not start. */
    CompletableFuture<String> initError() {
        return initError;
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
