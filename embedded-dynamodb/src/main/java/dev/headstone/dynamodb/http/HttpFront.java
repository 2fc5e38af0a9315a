package dev.headstone.dynamodb.http;

import dev.headstone.dynamodb.operation.Operations;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.http.Status;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import java.util.zip.CRC32;

/** The listener. One virtual thread per connection. */
public final class HttpFront implements AutoCloseable {
    private static final HeaderName TARGET = HeaderNames.create("X-Amz-Target");
    private static final HeaderName REQUEST_ID = HeaderNames.create("x-amzn-RequestId");
    private static final HeaderName CHECKSUM = HeaderNames.create("x-amz-crc32");
    private static final String JSON = "application/x-amz-json-1.0";

    /** The most a request of the service may be. */
    private static final long MAX_BODY_BYTES = 16L * 1024 * 1024;

    private static final int MAX_CONNECTIONS = 1024;
    private static final Duration IDLE_PATIENCE = Duration.ofMinutes(5);
    private static final Duration READ_PATIENCE = Duration.ofSeconds(30);
    private static final Duration SHUTDOWN_PATIENCE = Duration.ofSeconds(2);

    private final CompletableFuture<WireProtocol> protocol = new CompletableFuture<>();
    private final RequestIds requestIds;
    private final WebServer server;
    private final InetAddress address;

    /**
     * Prepares to listen, which takes most of what it takes to start.
     *
     * @param port 0 for a free one
     */
    public HttpFront(InetAddress address, int port, RandomGenerator random) {
        this.requestIds = new RequestIds(random);
        this.address = address;
        HttpRouting.Builder routing =
                HttpRouting.builder().post("/", this::answer).get("/", HttpFront::answerHealth);
        this.server =
                WebServer.builder()
                        .featuresDiscoverServices(false)
                        .shutdownHook(false)
                        .address(address)
                        .port(port)
                        .maxPayloadSize(MAX_BODY_BYTES)
                        .maxTcpConnections(MAX_CONNECTIONS)
                        .idleConnectionTimeout(IDLE_PATIENCE)
                        .shutdownGracePeriod(SHUTDOWN_PATIENCE)
                        .connectionOptions(
                                options -> options.readTimeout(READ_PATIENCE).tcpNoDelay(true))
                        .routing(routing)
                        .build();
    }

    /**
     * Starts to listen.
     *
     * @throws UncheckedIOException if the address is none of this machine's, or the port is taken
     */
    public void start(Operations operations) {
        protocol.complete(new WireProtocol(operations));
        server.start();
        if (!server.isRunning()) { // the server logs the reason and keeps it to itself
            String where = "%s:%d".formatted(address.getHostAddress(), server.prototype().port());
            throw new UncheckedIOException("cannot listen at " + where, new BindException(where));
        }
    }

    /** Where clients reach it. */
    public URI endpoint() {
        String host = address.getHostAddress();
        return URI.create(
                "http://%s:%d"
                        .formatted(host.contains(":") ? "[" + host + "]" : host, server.port()));
    }

    private void answer(ServerRequest request, ServerResponse response) {
        byte[] body =
                request.content().hasEntity() ? request.content().as(byte[].class) : new byte[0];
        Reply reply =
                protocol.resultNow()
                        .reply(
                                request.headers().first(TARGET),
                                request.headers().contains(HeaderNames.AUTHORIZATION),
                                body);
        CRC32 checksum = new CRC32();
        checksum.update(reply.body());
        response.status(Status.create(reply.status()))
                .header(HeaderNames.CONTENT_TYPE, JSON)
                .header(REQUEST_ID, requestIds.next())
                .header(CHECKSUM, Long.toString(checksum.getValue()))
                .send(reply.body());
    }

    private static void answerHealth(ServerRequest request, ServerResponse response) {
        response.header(HeaderNames.CONTENT_TYPE, "text/plain")
                .send("healthy\n".getBytes(StandardCharsets.UTF_8));
    }

    /** Stops listening, after the requests in hand are answered or 2 s have passed. */
    @Override
    public void close() {
        server.stop();
    }
}
