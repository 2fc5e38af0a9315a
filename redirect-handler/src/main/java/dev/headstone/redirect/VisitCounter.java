package dev.headstone.redirect;

import dev.headstone.link.ShortCode;
import dev.headstone.table.VisitTable;
import dev.headstone.table.Visits;
import dev.headstone.table.VisitsAdded;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts visits beside the redirects: clicks note them in memory, and from time to time somebody
 * has them written. A click never waits for that.
 *
 * <p>What is written is written in batches that the table takes as a whole and, by their ids, once.
 * A batch whose outcome nobody knows is offered again as it is, and nothing after it, so long as
 * the table remembers ids; after that it is given up and counted as lost, for it might be there
 * already. A count is therefore never too high. Safe for use by several threads.
 */
public final class VisitCounter {
    /** How many links and days are counted at one time; some 20 MB when all are in use. */
    public static final int MOST_TALLIES = 131_072;

    /** How many batches may be turned down in a row before the rest is left for the next time. */
    private static final int MOST_REFUSALS = 3;

    private static final Logger LOG = LoggerFactory.getLogger(VisitCounter.class);

    /** What became of writing down what was noted. */
    public enum Flushed {
        /** All that had been noted stands in the table, but for what it will never take. */
        ALL,
        /** Some is left for the next time. */
        PARTLY
    }

    /** A batch that is on its way. */
    private record Sent(String id, List<Visits> visits, Instant first) {}

    /** Of one link in one month there is one item, and a transaction writes no item twice. */
    private record ItemKey(ShortCode code, long epoch, int year, int month) {
        private static ItemKey of(Visits visits) {
            return new ItemKey(
                    visits.code(),
                    visits.epoch(),
                    visits.day().getYear(),
                    visits.day().getMonthValue());
        }
    }

    private final VisitTable table;
    private final InstantSource clock;
    private final Supplier<String> ids;
    private final VisitTallies tallies;
    private final VisitMeters meters;
    private final ReentrantLock flushing = new ReentrantLock();
    private Optional<Sent> unknown = Optional.empty();

    /**
     * A counter for so many links as {@link #MOST_TALLIES}.
     *
     * @param ids gives each batch its unique id, 36 characters at the most
     */
    public VisitCounter(
            VisitTable table, InstantSource clock, Supplier<String> ids, MeterRegistry registry) {
        this(table, clock, ids, new VisitTallies(stripes(), MOST_TALLIES), registry);
    }

    VisitCounter(
            VisitTable table,
            InstantSource clock,
            Supplier<String> ids,
            VisitTallies tallies,
            MeterRegistry registry) {
        this.table = table;
        this.clock = clock;
        this.ids = ids;
        this.tallies = tallies;
        this.meters = new VisitMeters(registry);
    }

    private static int stripes() {
        return Integer.highestOneBit(Math.max(1, Runtime.getRuntime().availableProcessors())) * 2;
    }

    /** Notes a visit. Waits for nothing. */
    void note(ShortCode code, long epoch, Optional<Instant> expiresAt, Instant now) {
        if (!tallies.note(code, epoch, expiresAt, now)) {
            meters.shed(1);
        }
    }

    /**
     * Writes down what was noted so far. Blocks; calls follow one another. Throws nothing for a
     * table that is down.
     */
    public Flushed flush() {
        flushing.lock();
        try {
            return settleUnknown() ? flushNoted() : Flushed.PARTLY;
        } finally {
            flushing.unlock();
        }
    }

    /** Whether nothing stands in the way of what was noted since. */
    private boolean settleUnknown() {
        if (unknown.isEmpty()) {
            return true;
        }
        Sent sent = unknown.get();
        if (!clock.instant().isBefore(sent.first().plus(VisitTable.REMEMBERED))) {
            unknown = Optional.empty();
            meters.lost(sum(sent.visits()));
            LOG.atWarn()
                    .addKeyValue("visits", sum(sent.visits()))
                    .log("visits are given up: nobody knows whether they were counted");
            return true;
        }
        return switch (offer(sent)) {
            case VisitsAdded.Added _ -> true;
            case VisitsAdded.NotAdded turnedDown -> {
                takeBack(without(sent.visits(), turnedDown.hopeless()));
                yield true;
            }
            case VisitsAdded.Unknown _ -> false;
        };
    }

    /** Each round writes a batch, makes one shorter, or is one of a few refusals. */
    private Flushed flushNoted() {
        Deque<List<Visits>> batches = batches(tallies.collect());
        boolean all = true;
        int refusals = 0;
        while (!batches.isEmpty() && refusals < MOST_REFUSALS && unknown.isEmpty()) {
            List<Visits> batch = batches.pop();
            switch (offer(new Sent(ids.get(), batch, clock.instant()))) {
                case VisitsAdded.Added _ -> refusals = 0;
                case VisitsAdded.NotAdded(var hopeless, var busy, var _) -> {
                    List<Visits> rest = without(without(batch, hopeless), busy);
                    takeBack(busy);
                    all &= busy.isEmpty();
                    if (rest.size() == batch.size()) {
                        takeBack(rest); // not for what is in it
                        all = false;
                        refusals++;
                    } else if (!rest.isEmpty()) {
                        batches.push(rest);
                    }
                }
                case VisitsAdded.Unknown _ -> all = false;
            }
        }
        all &= batches.isEmpty();
        batches.forEach(this::takeBack);
        return all ? Flushed.ALL : Flushed.PARTLY;
    }

    private static List<Visits> without(List<Visits> visits, List<Visits> others) {
        Set<Visits> left = new LinkedHashSet<>(visits);
        others.forEach(left::remove);
        return List.copyOf(left);
    }

    /** Batches in which no item is written twice. */
    private static Deque<List<Visits>> batches(List<Visits> all) {
        Deque<List<Visits>> batches = new ArrayDeque<>();
        List<Visits> rest = all;
        while (!rest.isEmpty()) {
            Set<ItemKey> items = new HashSet<>();
            List<Visits> again = new ArrayList<>();
            List<Visits> batch = new ArrayList<>();
            for (Visits visits : rest) {
                if (!items.add(ItemKey.of(visits))) {
                    again.add(visits); // the day has changed since the last time
                    continue;
                }
                batch.add(visits);
                if (batch.size() == VisitTable.MOST_PER_BATCH) {
                    batches.add(batch);
                    batch = new ArrayList<>();
                }
            }
            if (!batch.isEmpty()) {
                batches.add(batch);
            }
            rest = again;
        }
        return batches;
    }

    private VisitsAdded offer(Sent sent) {
        VisitsAdded outcome = table.add(sent.id(), sent.visits());
        unknown = Optional.empty();
        switch (outcome) {
            case VisitsAdded.Added _ -> meters.written(sum(sent.visits()));
            case VisitsAdded.NotAdded(var hopeless, var _, Exception cause) -> {
                meters.turnedDown();
                giveUp(hopeless, cause);
            }
            case VisitsAdded.Unknown(Exception cause) -> {
                unknown = Optional.of(sent);
                meters.unknown();
                LOG.atWarn()
                        .addKeyValue("cause", cause.toString())
                        .log("nobody knows whether visits were counted; the batch goes again");
            }
        }
        return outcome;
    }

    private void giveUp(List<Visits> hopeless, Exception cause) {
        if (!hopeless.isEmpty()) {
            meters.lost(sum(hopeless));
            LOG.atError()
                    .addKeyValue("code", hopeless.getFirst().code())
                    .addKeyValue("cause", cause.toString())
                    .log("visits cannot be counted: something else lies in their place");
        }
    }

    private void takeBack(List<Visits> visits) {
        visits.stream()
                .filter(each -> !tallies.takeBack(each))
                .forEach(each -> meters.shed(each.count()));
    }

    private static long sum(List<Visits> visits) {
        return visits.stream().mapToLong(Visits::count).sum();
    }
}
