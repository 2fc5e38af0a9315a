package dev.headstone.cache;

import java.time.Duration;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/**
 * A point in time on two clocks. The monotonic one cannot be set back, but may stand still while a
 * machine sleeps or a frozen environment waits; the other one goes on then, but may be set. What
 * must not last too long ends as soon as either says so.
 *
 * @param nanos of the monotonic clock
 * @param millis of the wall clock, since the epoch
 */
public record Moment(long nanos, long millis) {
    /** The present. */
    static Moment now(LongSupplier nanos, InstantSource clock) {
        return new Moment(nanos.getAsLong(), clock.millis());
    }

    /** Whether less than {@code span} has passed since, by both clocks. */
    boolean isWithin(Duration span, Moment now) {
        return now.nanos - nanos < span.toNanos() && now.millis - millis < span.toMillis();
    }
}
