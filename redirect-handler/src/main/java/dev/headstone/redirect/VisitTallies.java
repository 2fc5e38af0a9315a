package dev.headstone.redirect;

import dev.headstone.link.ShortCode;
import dev.headstone.table.Visits;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts visits in memory until somebody collects them. Noting one takes a look into a map and an
 * addition, and waits for nobody: threads count in stripes, and a tally that is being collected is
 * simply begun anew. Holds so many tallies at the most; what would need another one is shed.
 */
final class VisitTallies {
    private static final long MILLIS_PER_DAY = 86_400_000;

    /** What a collected tally is set to: additions to it stay far below zero. */
    private static final long COLLECTED = Long.MIN_VALUE;

    private record Key(ShortCode code, long epoch, long day) {}

    /** Visits of one link on one day, as one stripe saw them. */
    private static final class Tally {
        private final AtomicLong count = new AtomicLong();
        private final Optional<Instant> expiresAt;
        private volatile long last;

        private Tally(Optional<Instant> expiresAt) {
            this.expiresAt = expiresAt;
        }

        /** Whether it counts; if not, it was collected before. */
        private boolean add(long count, long at) {
            if (at > last) {
                last = at; // two at the same time may differ by less than anybody sees
            }
            return this.count.getAndAdd(count) >= 0;
        }
    }

    private final List<ConcurrentHashMap<Key, Tally>> stripes = new ArrayList<>();
    private final int mostPerStripe;

    /**
     * @param stripes how many threads count without meeting; a power of two
     * @param most how many tallies are held at one time
     */
    VisitTallies(int stripes, int most) {
        if (Integer.bitCount(stripes) != 1 || most < stripes) {
            throw new IllegalArgumentException("stripes are a power of two, and each holds one");
        }
        for (int i = 0; i < stripes; i++) {
            this.stripes.add(new ConcurrentHashMap<>());
        }
        this.mostPerStripe = most / stripes;
    }

    /** Notes one visit at {@code now}; false if there is no room for it. */
    boolean note(ShortCode code, long epoch, Optional<Instant> expiresAt, Instant now) {
        long at = now.toEpochMilli();
        return add(new Key(code, epoch, Math.floorDiv(at, MILLIS_PER_DAY)), 1, at, expiresAt);
    }

    /** Takes visits back that were collected; false if there is no room for them. */
    boolean takeBack(Visits visits) {
        return add(
                new Key(visits.code(), visits.epoch(), visits.day().toEpochDay()),
                visits.count(),
                visits.last().toEpochMilli(),
                visits.expiresAt());
    }

    private boolean add(Key key, long count, long at, Optional<Instant> expiresAt) {
        ConcurrentHashMap<Key, Tally> stripe =
                stripes.get((int) Thread.currentThread().threadId() & (stripes.size() - 1));
        while (true) {
            Tally tally = stripe.get(key);
            if (tally == null) {
                if (stripe.mappingCount() >= mostPerStripe) {
                    return false;
                }
                tally = stripe.computeIfAbsent(key, _ -> new Tally(expiresAt));
            }
            if (tally.add(count, at)) {
                return true;
            }
            stripe.remove(key, tally);
        }
    }

    /** Whether there is nothing to collect. */
    boolean isEmpty() {
        return stripes.stream().allMatch(Map::isEmpty);
    }

    /** Takes out everything that was noted so far, one for each link and day. */
    List<Visits> collect() {
        Map<Key, Visits> collected = new HashMap<>();
        for (ConcurrentHashMap<Key, Tally> stripe : stripes) {
            stripe.forEach(
                    (key, tally) -> {
                        long count = tally.count.getAndSet(COLLECTED);
                        stripe.remove(key, tally);
                        if (count > 0) {
                            collected.merge(key, visits(key, count, tally), VisitTallies::together);
                        }
                    });
        }
        return List.copyOf(collected.values());
    }

    private static Visits visits(Key key, long count, Tally tally) {
        return new Visits(
                key.code(),
                key.epoch(),
                LocalDate.ofEpochDay(key.day()),
                count,
                Instant.ofEpochMilli(tally.last),
                tally.expiresAt);
    }

    private static Visits together(Visits one, Visits other) {
        return new Visits(
                one.code(),
                one.epoch(),
                one.day(),
                one.count() + other.count(),
                one.last().isAfter(other.last()) ? one.last() : other.last(),
                one.expiresAt());
    }
}
