package dev.headstone.standalone.control;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.headstone.writer.ControlRequest;
import dev.headstone.writer.ControlResponse;
import dev.headstone.writer.Problem;
import io.helidon.http.DirectHandler.EventType;
import io.helidon.http.DirectHandler.TransportResponse;
import io.helidon.http.Header;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.ServerResponseHeaders;
import io.helidon.http.Status;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.http.DirectHandlers;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.helidon.webserver.http1.Http1Config;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The server of the control port: HTTP/1.1 on virtual threads. Whatever goes wrong, in the request
 * or in here, is answered with a problem document.
 */
public final class ControlListener implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(ControlListener.class);

    /** Longer than any path and query that are answered. */
    private static final int MAX_REQUEST_LINE = 8_192;

    private static final int MAX_HEADERS = 16_384;

    private final ControlSite site;
    private final ControlSettings settings;
    private final WebServer server;

    private ControlListener(ControlSite site, ControlSettings settings) {
        this.site = site;
        this.settings = settings;
        this.server =
                WebServer.builder()
                        .host(settings.bind())
                        .port(settings.port())
                        .shutdownHook(false)
                        .featuresDiscoverServices(false)
                        .shutdownGracePeriod(settings.stopDeadline())
                        .maxTcpConnections(settings.maxConnections())
                        .maxConcurrentRequests(settings.maxRequests())
                        .idleConnectionTimeout(settings.idleTimeout())
                        .idleConnectionPeriod(settings.idleTimeout().dividedBy(4))
                        .protocolsDiscoverServices(false)
                        .addConnectionSelector(
                                new HeadDeadline(
                                        Http1Config.builder()
                                                .maxPrologueLength(MAX_REQUEST_LINE)
                                                .maxHeadersSize(MAX_HEADERS)))
                        .directHandlers(problems())
                        .routing(HttpRouting.builder().any(this::handle))
                        .build();
    }

    /**
     * Starts listening.
     *
     * @throws IOException if the address cannot be listened on, for example since it is in use
     */
    public static ControlListener start(ControlSite site, ControlSettings settings)
            throws IOException {
        ControlListener listener = new ControlListener(site, settings);
        listener.server.start(); // says only to its own log that it could not
        if (!listener.server.isRunning()) {
            throw new IOException(
                    "cannot listen on %s:%d".formatted(settings.bind(), settings.port()));
        }
        return listener;
    }

    /** The port that is listened on. */
    public int port() {
        return server.port();
    }

    /** Accepts nothing more, and lets requests in flight end, within the deadline for stopping. */
    @Override
    public void close() {
        server.stop();
    }

    /**
     * Answers one request. The server would go on with the connection after a {@code Connection:
     * close} of either side, and take what is left of a body for the next request: so it is ended
     * here.
     */
    private void handle(ServerRequest request, ServerResponse response) {
        RequestBody body = RequestBody.read(request, settings.bodyDeadline());
        if (!body.isComplete()) {
            response.header(HeaderValues.CONNECTION_CLOSE);
        }
        send(answer(request, body), request, response);
        if (body instanceof RequestBody.TooLarge) {
            RequestBody.discardRest(request);
        }
        if (!body.isComplete()) {
            throw new CloseConnectionException("the body was not read to its end");
        }
        if (request.headers().containsToken(HeaderValues.CONNECTION_CLOSE)) {
            throw new CloseConnectionException("the client asked for it");
        }
    }

    private static void send(
            ControlResponse answer, ServerRequest request, ServerResponse response) {
        byte[] content = answer.body().getBytes(UTF_8);
        response.status(answer.status());
        answer.headers().forEach((name, value) -> response.header(name, value));
        response.contentLength(content.length);
        response.send(method(request).equals("HEAD") ? new byte[0] : content);
    }

    private ControlResponse answer(ServerRequest request, RequestBody body) {
        return switch (body) {
            case RequestBody.Complete complete -> answer(request, complete.bytes());
            case RequestBody.TooLarge _ -> problem(413).response();
            case RequestBody.TooSlow _ ->
                    Problem.of(408, "The body did not arrive in time.").response();
            case RequestBody.Broken _ -> problem(400).response();
        };
    }

    private ControlResponse answer(ServerRequest request, byte[] body) {
        ControlRequest asked =
                new ControlRequest(
                        method(request), request.path().rawPath(), headers(request), body);
        String query = request.query().rawValue();
        FutureTask<ControlResponse> answering = new FutureTask<>(() -> site.answer(asked, query));
        Thread.ofVirtual().name("control-request").start(answering);
        try {
            return answering.get(deadline(asked).toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException failed) {
            log.atError().setCause(failed.getCause()).log("request failed by a fault of ours");
            return Problem.of(500, "Something went wrong in here.").response();
        } catch (TimeoutException late) {
            answering.cancel(true);
            log.atError().addKeyValue("path", asked.path()).log("request took too long");
            return Problem.of(503, "This takes too long; try again.").response();
        } catch (InterruptedException interrupted) {
            answering.cancel(true);
            Thread.currentThread().interrupt();
            return Problem.of(503, "The service is stopping; try again.").response();
        }
    }

    private Duration deadline(ControlRequest request) {
        return switch (request.path()) {
            case ControlSite.VERIFY, ControlSite.SWEEP -> settings.verifyDeadline();
            default -> settings.answerDeadline();
        };
    }

    private static String method(ServerRequest request) {
        return request.prologue().method().text();
    }

    private static Map<String, String> headers(ServerRequest request) {
        Map<String, String> headers = new TreeMap<>();
        for (Header header : request.headers()) {
            headers.put(header.name(), String.join(", ", header.allValues()));
        }
        return headers;
    }

    /** What the server itself refuses, before any handler sees it. */
    private static DirectHandlers problems() {
        DirectHandlers.Builder handlers = DirectHandlers.builder();
        for (EventType type : EventType.values()) {
            handlers.addHandler(
                    type, (_, event, status, headers, _) -> problem(event, status, headers));
        }
        return handlers.build();
    }

    private static TransportResponse problem(
            EventType event, Status status, ServerResponseHeaders headers) {
        ControlResponse response = problem(status.code()).response();
        response.headers().forEach((name, value) -> headers.set(HeaderNames.create(name), value));
        return TransportResponse.builder()
                .status(Status.create(response.status()))
                .headers(headers)
                .keepAlive(event.keepAlive())
                .entity(response.body())
                .build();
    }

    private static Problem problem(int status) {
        return switch (status) {
            case 404 -> Problem.of(404, "There is nothing here.");
            case 413 -> Problem.of(413, "A body has at most 65,536 bytes.");
            case 414 -> Problem.of(414, "The request line is too long.");
            case 431 -> Problem.of(431, "The headers are too long.");
            case 503 -> Problem.of(503, "Too much is going on; try again.");
            case 505 -> Problem.of(505, "This is answered over HTTP/1.1.");
            default ->
                    status < 500
                            ? Problem.of(400, "This is no request that is understood here.")
                            : Problem.of(500, "Something went wrong in here.");
        };
    }
}
