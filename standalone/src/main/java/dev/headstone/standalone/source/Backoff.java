package dev.headstone.standalone.source;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How long to wait before the next try: twice as long after each failure in a row, up to a ceiling,
 * less a random part of up to a half so that many waiting for the same thing do not come back
 * together.
 *
 * @param initial the longest wait after the first failure
 * @param ceiling the longest wait after any failure
 */
public record Backoff(Duration initial, Duration ceiling) {
    /** Doubling more often than this leaves every ceiling behind. */
    private static final int MOST_DOUBLINGS = 30;

    /**
     * @throws IllegalArgumentException unless {@code 0 < initial <= ceiling <= 1 h}
     */
    public Backoff {
        if (!initial.isPositive()) {
            throw new IllegalArgumentException(
                    "backoff initial %s is not positive".formatted(initial));
        }
        if (ceiling.compareTo(initial) < 0 || ceiling.compareTo(Duration.ofHours(1)) > 0) {
            throw new IllegalArgumentException(
                    "backoff ceiling %s is not between %s and PT1H".formatted(ceiling, initial));
        }
    }

    /**
     * The wait after a failure.
     *
     * @param earlier how many failures in a row came before this one
     */
    Duration delay(int earlier, RandomGenerator random) {
        Duration longest = initial.multipliedBy(1L << Math.clamp(earlier, 0, MOST_DOUBLINGS));
        long nanos = (longest.compareTo(ceiling) > 0 ? ceiling : longest).toNanos();
        return Duration.ofNanos(nanos - (long) (random.nextDouble() * nanos / 2));
    }
}
