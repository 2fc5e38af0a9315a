package dev.headstone.writer;

import dev.headstone.audit.AuditEvent;
import dev.headstone.audit.AuditOutcome;
import dev.headstone.audit.RecordingAuditQueue;
import dev.headstone.cache.CacheRecord;
import dev.headstone.cache.InMemoryLinkCache;
import dev.headstone.freshness.Freshness;
import dev.headstone.link.Cause;
import dev.headstone.link.LastChange;
import dev.headstone.link.Link;
import dev.headstone.link.ShortCode;
import dev.headstone.table.InMemoryLinkTable;
import dev.headstone.table.InMemoryVisitTable;
import dev.headstone.table.Links;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * The services over ports that behave as the real ones do, a clock that stands, and some people.
 */
final class Workshop {
    static final ShortCode CODE = new ShortCode("abc");
    static final Instant NOW = Links.NOW.plus(Duration.ofHours(1));
    static final Caller ALICE = new Caller("alice", Role.OPERATOR);
    static final Caller BOB = new Caller("bob", Role.OPERATOR);
    static final Caller OLGA = new Caller("olga", Role.OWNER);
    static final Caller OSCAR = new Caller("oscar", Role.OWNER);
    static final Caller RITA = new Caller("rita", Role.READER);
    static final Reason REASON = new Reason("phishing");

    final Clock clock = new Clock(NOW);
    final InMemoryLinkTable table = new InMemoryLinkTable();
    final InMemoryVisitTable visits = new InMemoryVisitTable(table);
    final InMemoryLinkCache cache = new InMemoryLinkCache(clock);
    final RecordingAuditQueue queue = new RecordingAuditQueue();
    final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    final Interruptions interruptions = new Interruptions(table, cache, queue);
    final DestinationPolicy destinations = new DestinationPolicy(List.of("sho.rt"));
    final LinkChanges changes;
    final LinkCreation creation;
    final ControlApi api;

    Workshop() {
        this(new Random(1));
    }

    /**
     * @param random where codes and ids come from
     */
    Workshop(Random random) {
        WriterPorts ports =
                new WriterPorts(
                                interruptions.table(),
                                interruptions.cache(),
                                interruptions.queue(),
                                clock,
                                random,
                                meters)
                        .withVisits(visits);
        WriterMetrics metrics = new WriterMetrics(meters);
        URI baseUrl = URI.create("https://sho.rt");
        changes = new LinkChanges(ports, metrics);
        creation =
                new LinkCreation(
                        ports, new RequestBodies(destinations), new LinkJson(baseUrl), metrics);
        api = new ControlApi(ports, destinations, baseUrl);
    }

    /** A clock that stands until it is moved. */
    static final class Clock implements InstantSource {
        private volatile Instant now;

        private Clock(Instant now) {
            this.now = now;
        }

        @Override
        public Instant instant() {
            return now;
        }

        void advance(Duration step) {
            now = now.plus(step);
        }
    }

    /** Puts a live link of olga's into the table, and its record into the cache. */
    Link givenLive() {
        Link link = withOwner(Links.plain(CODE));
        table.put(link);
        cache.put(CODE, CacheRecord.of(link, NOW, NOW));
        return link;
    }

    static Link withOwner(Link link) {
        return new Link(
                link.code(),
                link.longUrl(),
                link.host(),
                link.standing(),
                link.version(),
                link.createdAt(),
                link.lastChange(),
                link.expiresAt(),
                link.purgeAt(),
                Optional.of(OLGA.name()),
                link.tags(),
                link.visitLimit(),
                link.visits());
    }

    /** Puts a dead link into the table, and nothing into the cache. */
    Link givenDead(Cause cause, String by) {
        Link link = dead(withOwner(Links.plain(CODE)), cause, by);
        table.put(link);
        return link;
    }

    static Link dead(Link link, Cause cause, String by) {
        Instant at = NOW.minusSeconds(60);
        return link.ended(
                cause,
                new LastChange(at, by, Optional.of("spam"), "id-1"),
                Freshness.purgeOfDead(cause, at));
    }

    Link stored() {
        return table.get(CODE).orElseThrow();
    }

    /** The outcomes that the audit queue has, in order. */
    List<AuditOutcome> audited() {
        return queue.eventsOf(CODE).stream().map(AuditEvent::outcome).toList();
    }

    double count(String name, String... tags) {
        return meters.get(name).tags(tags).counter().count();
    }
}
