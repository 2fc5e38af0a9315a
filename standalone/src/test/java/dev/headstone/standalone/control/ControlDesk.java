package dev.headstone.standalone.control;

import dev.headstone.audit.RecordingAuditQueue;
import dev.headstone.auditlog.AuditReader;
import dev.headstone.auditlog.InMemoryAuditLog;
import dev.headstone.cache.CacheRecord;
import dev.headstone.cache.InMemoryLinkCache;
import dev.headstone.link.Link;
import dev.headstone.link.ShortCode;
import dev.headstone.stream.SweepOutcome;
import dev.headstone.table.InMemoryLinkTable;
import dev.headstone.table.InMemoryVisitTable;
import dev.headstone.table.LinkTable;
import dev.headstone.table.Links;
import dev.headstone.writer.Caller;
import dev.headstone.writer.ControlApi;
import dev.headstone.writer.DestinationPolicy;
import dev.headstone.writer.Role;
import dev.headstone.writer.WriterPorts;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.UnaryOperator;

/** A control port over ports that behave as the real ones do, and a client for it. */
final class ControlDesk implements AutoCloseable {
    static final ShortCode CODE = new ShortCode("abc");
    static final String OPERATOR = "operator-token";
    static final String OWNER = "owner-token";
    static final String READER = "reader-token";

    private static final Map<String, Caller> CALLERS =
            Map.of(
                    OPERATOR, new Caller("alice", Role.OPERATOR),
                    OWNER, new Caller("olga", Role.OWNER),
                    READER, new Caller("rita", Role.READER));
    private static final InstantSource CLOCK = InstantSource.fixed(Links.NOW);

    final InMemoryLinkTable table = new InMemoryLinkTable();
    final InMemoryVisitTable visits = new InMemoryVisitTable(table);
    final InMemoryLinkCache cache = new InMemoryLinkCache(CLOCK);
    final RecordingAuditQueue queue = new RecordingAuditQueue();
    final InMemoryAuditLog auditLog = new InMemoryAuditLog(CLOCK);
    final PrometheusMeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    final ControlListener listener;
    volatile SweepOutcome sweep = new SweepOutcome.Unfinished("nobody has said");
    private final HttpClient client = HttpClient.newHttpClient();

    ControlDesk() throws IOException {
        this(table -> table, List.of(), settings -> settings);
    }

    /**
     * @param slow stands before the table
     * @param parts what readiness tells of
     * @param bounds alters the usual settings
     */
    ControlDesk(
            UnaryOperator<LinkTable> slow, List<Part> parts, UnaryOperator<ControlSettings> bounds)
            throws IOException {
        WriterPorts ports =
                new WriterPorts(slow.apply(table), cache, queue, CLOCK, new Random(1), meters)
                        .withVisits(visits);
        ControlSite site =
                new ControlSite(
                        new ControlApi(
                                ports,
                                new DestinationPolicy(List.of("sho.rt")),
                                URI.create("https://sho.rt")),
                        new AuditReader(auditLog),
                        () -> sweep,
                        token -> Optional.ofNullable(CALLERS.get(token)),
                        parts,
                        meters);
        listener = ControlListener.start(site, bounds.apply(ControlSettings.on("127.0.0.1", 0)));
    }

    Link givenLive() {
        Link link = Links.plain(CODE);
        table.put(link);
        cache.put(CODE, CacheRecord.of(link, Links.NOW, Links.NOW));
        return link;
    }

    HttpResponse<String> get(String token, String path) throws Exception {
        return send(token, "GET", path, "");
    }

    HttpResponse<String> send(String token, String method, String path, String body)
            throws Exception {
        HttpRequest.Builder request =
                request(path)
                        .method(
                                method,
                                body.isEmpty()
                                        ? HttpRequest.BodyPublishers.noBody()
                                        : HttpRequest.BodyPublishers.ofString(body));
        if (!token.isEmpty()) {
            request.header("Authorization", "Bearer " + token);
        }
        return send(request);
    }

    HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + listener.port() + path))
                .timeout(Duration.ofSeconds(20));
    }

    HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return client.send(request.build(), BodyHandlers.ofString());
    }

    /** Sends bytes as they are, and reads until the other side closes. */
    String raw(String request) throws IOException {
        return RawClient.exchange(listener.port(), request);
    }

    @Override
    public void close() {
        client.close();
        listener.close();
    }
}
