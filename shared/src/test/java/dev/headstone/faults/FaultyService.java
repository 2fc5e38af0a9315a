package dev.headstone.faults;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Something that listens where a service of AWS should, and does not do what it should. */
public final class FaultyService implements AutoCloseable {
    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final CountDownLatch closed = new CountDownLatch(1);

    private FaultyService(int status, String body, boolean silent) {
        try {
            server =
                    HttpServer.create(
                            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(threads);
        server.createContext(
                "/",
                exchange -> {
                    if (silent) {
                        await();
                    }
                    byte[] answer = body.getBytes(StandardCharsets.UTF_8);
                    exchange.getResponseHeaders().set("Content-Type", "application/x-amz-json-1.0");
                    exchange.sendResponseHeaders(status, answer.length);
                    try (var out = exchange.getResponseBody()) {
                        out.write(answer);
                    }
                });
        server.start();
    }

    /** Takes each request and says nothing. */
    public static FaultyService silent() {
        return new FaultyService(200, "{}", true);
    }

    /** Answers each request so. */
    public static FaultyService answering(int status, String body) {
        return new FaultyService(status, body, false);
    }

    private void await() {
        try {
            closed.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Where it listens. */
    public URI endpoint() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    @Override
    public void close() {
        closed.countDown();
        server.stop(0);
        threads.shutdownNow();
    }
}
