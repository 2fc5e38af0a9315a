package dev.headstone.redirect;

import dev.headstone.link.ShortCode;
import dev.headstone.table.NotableLinks;
import dev.headstone.table.NotableLinks.Listing;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings the links into the cache that are likely to be asked for next, once, in the background.
 * Each is read and settled as by a click that misses: with a lease, and never over what is newer.
 * So many a second, and for so long at the most, so that it stays a small load beside the clicks
 * that come meanwhile. Start it once; it ends by itself, or when it is closed.
 */
public final class WarmUp implements AutoCloseable {
    /** How many links of each list. */
    public static final int MOST_PER_LIST = 20;

    /** Three lists are through in a little more than a second. */
    static final Duration APART = Duration.ofMillis(20);

    /** After this the clicks themselves have warmed what matters. */
    static final Duration LONGEST = Duration.ofSeconds(10);

    private static final Logger log = LoggerFactory.getLogger(WarmUp.class);
    private static final Duration STOP = Duration.ofSeconds(2);

    private final NotableLinks lists;
    private final RedirectService redirects;
    private final InstantSource clock;
    private final Duration apart;
    private final Counter cached;
    private final Counter notCached;
    private final Counter leftOut;
    private final Counter listsFailed;
    private final Thread thread;

    /**
     * @param redirects whose cache is warmed
     */
    public WarmUp(
            NotableLinks lists,
            RedirectService redirects,
            InstantSource clock,
            MeterRegistry registry) {
        this(lists, redirects, clock, APART, registry);
    }

    /**
     * @param apart between two links
     */
    WarmUp(
            NotableLinks lists,
            RedirectService redirects,
            InstantSource clock,
            Duration apart,
            MeterRegistry registry) {
        this.lists = lists;
        this.apart = apart;
        this.redirects = redirects;
        this.clock = clock;
        this.cached = links("cached", registry);
        this.notCached = links("not_cached", registry);
        this.leftOut = links("left_out", registry);
        this.listsFailed =
                Counter.builder("headstone.warm.up.lists.failed")
                        .description("Lists of links to warm up that the table did not give")
                        .register(registry);
        this.thread = Thread.ofVirtual().name("warm-up").unstarted(this::warm);
    }

    private static Counter links(String result, MeterRegistry registry) {
        return Counter.builder("headstone.warm.up.links")
                .description("Links that were to be brought into the cache at the start")
                .tag("result", result)
                .register(registry);
    }

    /** Begins, and returns at once. */
    public WarmUp start() {
        thread.start();
        return this;
    }

    /** Warms up, on the caller's thread. */
    void warm() {
        try {
            warm(codes());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // closed
        } catch (RuntimeException e) { // nobody waits for it, so nobody else would say so
            log.atError().setCause(e).log("warm-up ended with an exception");
        }
    }

    /**
     * The codes of all lists, each once: of every list the first, then of every list the second.
     */
    private Set<ShortCode> codes() {
        List<List<ShortCode>> listed =
                List.of(
                        of(lists.mostVisited(MOST_PER_LIST, clock.instant())),
                        of(lists.visitedLast(MOST_PER_LIST, clock.instant())),
                        of(lists.newest(MOST_PER_LIST)));
        Set<ShortCode> codes = new LinkedHashSet<>();
        for (int place = 0; place < MOST_PER_LIST; place++) {
            for (List<ShortCode> list : listed) {
                if (place < list.size()) {
                    codes.add(list.get(place));
                }
            }
        }
        return codes;
    }

    private List<ShortCode> of(Listing listing) {
        return switch (listing) {
            case Listing.Listed(List<ShortCode> codes) -> codes;
            case Listing.Failed(Exception cause) -> {
                listsFailed.increment();
                log.atWarn()
                        .addKeyValue("cause", cause.toString())
                        .log("a list of links to warm up cannot be had");
                yield List.of();
            }
        };
    }

    private void warm(Set<ShortCode> codes) throws InterruptedException {
        Instant end = clock.instant().plus(LONGEST);
        int done = 0;
        for (ShortCode code : codes) {
            if (!clock.instant().isBefore(end)) {
                leftOut.increment(codes.size() - done);
                return;
            }
            (redirects.warm(code) ? cached : notCached).increment();
            done++;
            TimeUnit.NANOSECONDS.sleep(apart.toNanos());
        }
        log.atDebug().addKeyValue("links", done).log("warmed up");
    }

    /** Ends it; waits a moment at the most for the link in hand. */
    @Override
    public void close() {
        thread.interrupt();
        try {
            if (thread.isAlive()) {
                thread.join(STOP);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
