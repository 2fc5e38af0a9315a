package dev.headstone.redirect;

import dev.headstone.cache.CacheRecord;
import dev.headstone.cache.InMemoryLinkCache;
import dev.headstone.cache.Lease;
import dev.headstone.cache.LeaseAttempt;
import dev.headstone.cache.Settlement;
import dev.headstone.cache.Settler;
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
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;

/** A redirect service over fakes that tests can stir. */
final class TestBench {
    static final ShortCode CODE = new ShortCode("abc");
    static final Instant NOW = Links.NOW.plus(Duration.ofHours(1));

    final SettableClock clock = new SettableClock(NOW);
    final InMemoryLinkCache memory = new InMemoryLinkCache(clock);
    final InMemoryLinkTable items = new InMemoryLinkTable();
    final HookedCache cache = new HookedCache(memory);
    final HookedTable table = new HookedTable(items);
    final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    final InMemoryVisitTable visits = new InMemoryVisitTable(items);
    final VisitCounter counter;
    final RedirectService service;
    private final AtomicInteger changes = new AtomicInteger();

    TestBench() {
        this(Runnable::run, RedirectSettings.DEFAULT);
    }

    TestBench(Executor executor, RedirectSettings settings) {
        Settler settler = new Settler(cache, table, clock, Duration.ofSeconds(3));
        counter = new VisitCounter(visits, clock, () -> UUID.randomUUID().toString(), registry);
        service =
                new RedirectService(
                        cache,
                        table,
                        settler,
                        clock,
                        executor,
                        () -> "change-" + changes.getAndIncrement(),
                        settings,
                        counter,
                        registry);
    }

    /** The paths in front of the service, its views included. */
    RedirectSite viewing() {
        return viewing(Optional.of(URI.create("https://s.example")));
    }

    RedirectSite viewing(Optional<URI> baseUrl) {
        return new RedirectSite(service.showing(new LinkViews(() -> baseUrl)));
    }

    RedirectAnswer view(String target) {
        return viewing().answer("GET", target, Visitor.UNKNOWN).toCompletableFuture().join();
    }

    RedirectAnswer get() {
        return get(CODE.value());
    }

    RedirectAnswer get(String code) {
        return answer(new RedirectRequest(code, false, Visitor.UNKNOWN));
    }

    RedirectAnswer head() {
        return answer(new RedirectRequest(CODE.value(), true, Visitor.UNKNOWN));
    }

    RedirectAnswer get(Visitor visitor) {
        return answer(new RedirectRequest(CODE.value(), false, visitor));
    }

    RedirectAnswer answer(RedirectRequest request) {
        return service.answer(request).toCompletableFuture().join();
    }

    /**
     * The record of {@code link} as a reader writes it whose read started at {@code readStarted}.
     */
    void cached(Link link, Instant readStarted) {
        memory.put(link.code(), CacheRecord.of(link, readStarted, readStarted));
    }

    /** A takedown as it is reported, by the rules: lease, table, tombstone. */
    Link takeDown(Link link) {
        Link dead = dead(link, Cause.TAKEDOWN);
        Lease lease = ((LeaseAttempt.Taken) memory.forceLease(link.code())).lease();
        items.change(link, dead);
        CacheRecord tombstone = CacheRecord.of(dead, clock.instant(), clock.instant());
        memory.settleConfirmed(lease, new Settlement.Write(tombstone, Duration.ofHours(24)));
        return dead;
    }

    static Link dead(Link link, Cause cause) {
        return link.ended(
                cause,
                new LastChange(NOW, "bob", Optional.of("abuse"), "death-of-" + link.code()),
                Optional.empty());
    }

    /** A plain live link with another destination and end. */
    static Link live(String url, Optional<Instant> expiresAt) {
        Link plain = Links.plain(CODE);
        return new Link(
                CODE,
                Optional.of(url),
                plain.host(),
                plain.standing(),
                plain.version(),
                plain.createdAt(),
                plain.lastChange(),
                expiresAt,
                Optional.empty(),
                plain.owner(),
                plain.tags(),
                OptionalLong.empty(),
                0);
    }

    double count(String meter, String... tags) {
        return registry.get(meter).tags(tags).counter().count();
    }
}
