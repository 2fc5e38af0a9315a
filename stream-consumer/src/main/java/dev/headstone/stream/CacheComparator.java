package dev.headstone.stream;

import dev.headstone.audit.Acceptance;
import dev.headstone.audit.AuditDetail;
import dev.headstone.audit.AuditEvent;
import dev.headstone.audit.AuditOutcome;
import dev.headstone.audit.AuditQueue;
import dev.headstone.audit.AuditType;
import dev.headstone.cache.CacheLookup;
import dev.headstone.cache.LinkCache;
import dev.headstone.cache.Repair;
import dev.headstone.cache.Settler;
import dev.headstone.cache.Settler.OfLive;
import dev.headstone.freshness.Freshness;
import dev.headstone.link.LastChange;
import dev.headstone.link.Link;
import dev.headstone.link.ShortCode;
import dev.headstone.link.Stamp;
import dev.headstone.table.LinkTable;
import dev.headstone.table.TableRead;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks, 2 s, 60 s and 300 s after each change, whether the cache agrees with the table. What
 * disagrees is settled, counted, recorded in the audit log, and logged with its whole story: it
 * means that every other path has failed.
 *
 * <p>Holds what is still to be compared in memory, so much at the most for each horizon, and counts
 * what it had to leave out; a process that ends forgets it, and the sweep is what remains. Safe for
 * use by several threads.
 */
public final class CacheComparator implements Comparisons {
    private static final Logger log = LoggerFactory.getLogger(CacheComparator.class);

    /** Who did it, in the audit log. */
    private static final String ACTOR = "comparator";

    /** Of how many comparisons the ratio speaks, per horizon. */
    static final int WINDOW = 1_000;

    private final LinkCache cache;
    private final LinkTable table;
    private final Settler settler;
    private final AuditQueue audit;
    private final InstantSource clock;
    private final RandomGenerator random;
    private final List<Horizon> horizons;
    private final MeterRegistry meters;
    private final Counter confirmed;
    private final Counter failed;

    /**
     * @param cache what clicks are answered from
     * @param settler brings {@code cache} in line with {@code table}
     * @param random for the ids of audit events
     * @param mostWaiting how many comparisons may wait for each horizon
     */
    public CacheComparator(
            LinkCache cache,
            LinkTable table,
            Settler settler,
            AuditQueue audit,
            InstantSource clock,
            RandomGenerator random,
            int mostWaiting,
            MeterRegistry meters) {
        this.cache = cache;
        this.table = table;
        this.settler = settler;
        this.audit = audit;
        this.clock = clock;
        this.random = random;
        this.meters = meters;
        this.horizons =
                Freshness.COMPARED_AFTER.stream()
                        .map(after -> new Horizon(after, mostWaiting, meters))
                        .toList();
        this.confirmed = tombstones(meters, "confirmed");
        this.failed = tombstones(meters, "failed");
        for (Agreement.Kind kind : Agreement.Kind.values()) {
            disagreements(kind);
        }
    }

    private static Counter tombstones(MeterRegistry meters, String result) {
        return Counter.builder("headstone.tombstones")
                .description("Tombstones that somebody tried to write")
                .tag("source", "comparator")
                .tag("result", result)
                .register(meters);
    }

    private Counter disagreements(Agreement.Kind kind) {
        return Counter.builder("headstone.cache.disagreements")
                .description("Times that the cache did not agree with the table")
                .tag("kind", kind.wireName())
                .register(meters);
    }

    /** What is to be compared at one distance from its change, and what came of it. */
    private static final class Horizon {
        private final Duration after;
        private final int mostWaiting;
        private final ArrayDeque<Due> waiting = new ArrayDeque<>();
        private final boolean[] last = new boolean[WINDOW];
        private final Counter agreed;
        private final Counter disagreed;
        private final Counter undecided;
        private final Counter shed;
        private long compared;

        Horizon(Duration after, int mostWaiting, MeterRegistry meters) {
            this.after = after;
            this.mostWaiting = mostWaiting;
            this.agreed = comparisons(meters, "agreed");
            this.disagreed = comparisons(meters, "disagreed");
            this.undecided = comparisons(meters, "undecided");
            this.shed = comparisons(meters, "shed");
            Gauge.builder("headstone.cache.agreement.ratio", this, Horizon::ratio)
                    .description("Share of the last comparisons in which cache and table agreed")
                    .tag("horizon", name())
                    .register(meters);
        }

        private Counter comparisons(MeterRegistry meters, String result) {
            return Counter.builder("headstone.comparisons")
                    .description("Comparisons of cache and table, by what came of them")
                    .tag("horizon", name())
                    .tag("result", result)
                    .register(meters);
        }

        String name() {
            return "%ds".formatted(after.toSeconds());
        }

        synchronized void add(ShortCode code, Instant due) {
            if (waiting.size() < mostWaiting) {
                waiting.addLast(new Due(code, due));
            } else {
                shed.increment();
            }
        }

        /** The next that is due, taken out. */
        synchronized Optional<ShortCode> take(Instant now) {
            Due first = waiting.peekFirst();
            if (first == null || now.isBefore(first.at)) {
                return Optional.empty();
            }
            waiting.removeFirst();
            return Optional.of(first.code);
        }

        synchronized void count(boolean agrees) {
            last[(int) (compared % WINDOW)] = agrees;
            compared++;
            (agrees ? agreed : disagreed).increment();
        }

        /** Not a number while nothing has been compared. */
        synchronized double ratio() {
            int known = (int) Math.min(compared, WINDOW);
            int agreeing = 0;
            for (int i = 0; i < known; i++) {
                agreeing += last[i] ? 1 : 0;
            }
            return known == 0 ? Double.NaN : (double) agreeing / known;
        }
    }

    private record Due(ShortCode code, Instant at) {}

    /** Changes come nearly in their order, so that what waits is nearly in the order it is due. */
    @Override
    public void after(ShortCode code, Instant changed) {
        for (Horizon horizon : horizons) {
            horizon.add(code, changed.plus(horizon.after));
        }
    }

    /**
     * Compares what is due, the shortest horizon first, and not more than {@code most}: so that
     * whoever calls it can bound the rate.
     *
     * @return how many comparisons were made
     */
    public int compareDue(int most) {
        int made = 0;
        for (Horizon horizon : horizons) {
            while (made < most && comparedNext(horizon)) {
                made++;
            }
        }
        return made;
    }

    /**
     * Compares now, for whoever has waited elsewhere.
     *
     * @param after how long after the change: one of {@link Freshness#COMPARED_AFTER}
     */
    void compare(ShortCode code, Duration after) {
        compare(
                code,
                horizons.stream()
                        .filter(horizon -> horizon.after.equals(after))
                        .findFirst()
                        .orElseThrow());
    }

    private boolean comparedNext(Horizon horizon) {
        Optional<ShortCode> next = horizon.take(clock.instant());
        next.ifPresent(code -> compare(code, horizon));
        return next.isPresent();
    }

    private void compare(ShortCode code, Horizon horizon) {
        switch (agreement(code)) {
            case Agreement.Agrees _ -> horizon.count(true);
            case Agreement.Undecided _ -> horizon.undecided.increment();
            case Agreement.Disagrees first -> confirm(code, first, horizon);
        }
    }

    /**
     * The cache is asked before the table: what was right then, and has been overtaken by a change
     * since, is told apart by a second look, and by the age of the change.
     */
    private Agreement agreement(ShortCode code) {
        CacheLookup seen = cache.look(code).toCompletableFuture().join();
        TableRead truth = table.read(code);
        return Agreement.of(seen, truth, clock.instant());
    }

    private void confirm(ShortCode code, Agreement.Disagrees first, Horizon horizon) {
        if (isInFlight(first)
                || !(agreement(code) instanceof Agreement.Disagrees second)
                || !second.isStill(first)) {
            horizon.undecided.increment();
            return;
        }
        horizon.count(false);
        disagreements(first.kind()).increment();
        String repaired = repair(code, first);
        tell(code, first, horizon, repaired);
        record(code, first, horizon, repaired);
    }

    /** A change so young may not have been reported yet, and will be compared itself. */
    private boolean isInFlight(Agreement.Disagrees found) {
        Instant youngest = clock.instant().minus(Freshness.COMPARED_AFTER.getFirst());
        return found.item().filter(item -> item.lastChange().at().isAfter(youngest)).isPresent();
    }

    /** Settles it; what still disagrees then, such as a stamp from a table's future, is dropped. */
    private String repair(ShortCode code, Agreement.Disagrees found) {
        Optional<Stamp> gone = found.item().isPresent() ? Optional.empty() : newest(found);
        String outcome = settled(settler.repair(code, OfLive.DROP_OLDER, gone));
        if (agreement(code) instanceof Agreement.Agrees) {
            return outcome;
        }
        return settled(settler.drop(code)) + " after its record was dropped";
    }

    private static Optional<Stamp> newest(Agreement.Disagrees found) {
        return Optional.of(found.cached());
    }

    private String settled(Repair repair) {
        return switch (repair) {
            case Repair.Settled(Optional<Link> item) -> {
                if (item.isPresent() && item.get().isDead()) {
                    confirmed.increment();
                }
                yield "settled";
            }
            case Repair.Unreadable(String why) -> "not settled, " + why;
            case Repair.TableFailed(Exception cause) ->
                    "not settled, the table: " + cause.getClass().getSimpleName();
            case Repair.CacheFailed(String why) -> {
                failed.increment();
                yield "not settled, " + why;
            }
        };
    }

    private void tell(ShortCode code, Agreement.Disagrees found, Horizon horizon, String repaired) {
        Optional<LastChange> change = found.item().map(Link::lastChange);
        log.atError()
                .addKeyValue("code", code)
                .addKeyValue("kind", found.kind().wireName())
                .addKeyValue("horizon", horizon.name())
                .addKeyValue("cached", found.cached())
                .addKeyValue(
                        "item", found.item().map(item -> item.stamp().toString()).orElse("gone"))
                .addKeyValue(
                        "changed_at", change.map(last -> last.at().toString()).orElse("unknown"))
                .addKeyValue("changed_by", change.map(LastChange::by).orElse("unknown"))
                .addKeyValue("change_id", change.map(LastChange::id).orElse("unknown"))
                .addKeyValue("repair", repaired)
                .log("cache disagrees with the table");
    }

    private void record(
            ShortCode code, Agreement.Disagrees found, Horizon horizon, String repaired) {
        AuditEvent event =
                AuditEvent.attempt(
                        "repaired." + new UUID(random.nextLong(), random.nextLong()),
                        AuditType.CACHE_REPAIRED,
                        AuditOutcome.REPAIRED,
                        code,
                        found.item().map(Link::epoch).orElse(found.cached().epoch()),
                        found.item().map(Link::version).orElse(found.cached().version()),
                        ACTOR,
                        Optional.empty(),
                        clock.instant(),
                        AuditDetail.none()
                                .with("kind", found.kind().wireName())
                                .with("horizon", horizon.name())
                                .with("cached", found.cached().toString())
                                .with("repair", repaired));
        switch (audit.send(event)) {
            case Acceptance.Accepted _ -> {}
            case Acceptance.NotAccepted(Exception cause) ->
                    log.atError()
                            .addKeyValue("code", code)
                            .addKeyValue("why", cause.toString())
                            .log("audit event of a repair not accepted");
        }
    }
}
