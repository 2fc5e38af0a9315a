package dev.headstone.redirect;

import java.time.Duration;

/**
 * How often visits are written down. A crash loses what was noted since the last time: {@code
 * shortest} in all but the busiest hours, {@code longest} at the most.
 *
 * @param shortest between two flushes
 * @param longest between two flushes
 */
public record VisitPace(Duration shortest, Duration longest) {
    /** A table on the same machine costs nothing but its share of the machine. */
    public static final VisitPace LOCAL =
            new VisitPace(Duration.ofSeconds(2), Duration.ofSeconds(60));

    /** Where each write has its price: six write units for each link and flush. */
    public static final VisitPace AWS =
            new VisitPace(Duration.ofSeconds(15), Duration.ofSeconds(60));

    /**
     * Flushing takes one part in so many of the time at the most, as long as {@link #longest}
     * allows: it competes with clicks for the processor where the table is in the same process.
     */
    static final int SHARE = 60;

    /**
     * @throws IllegalArgumentException if they are not in order
     */
    public VisitPace {
        if (!shortest.isPositive() || longest.compareTo(shortest) < 0) {
            throw new IllegalArgumentException("flushes are some time apart");
        }
    }

    /** The pause after a flush that took so long. */
    Duration after(Duration flush) {
        Duration wanted = flush.multipliedBy(SHARE);
        if (wanted.compareTo(shortest) < 0) {
            return shortest;
        }
        return wanted.compareTo(longest) > 0 ? longest : wanted;
    }
}
