package dev.headstone.stream;

import dev.headstone.freshness.Freshness;
import java.time.Duration;

/**
 * How a sweep goes about its work.
 *
 * @param lookBack how far back deaths are settled again
 * @param lookAhead how far the clock of whoever entered a death may have been ahead
 * @param concurrency how many partitions are swept at a time; 1 sweeps them on the caller's thread
 * @param mostPerSecond how many codes are settled in a second at the most, so that clicks and
 *     takedowns do not wait behind them
 * @param budget no page is begun later than this after a call began
 */
public record SweepSettings(
        Duration lookBack,
        Duration lookAhead,
        int concurrency,
        int mostPerSecond,
        Duration budget) {
    /** For production. */
    public static final SweepSettings DEFAULT =
            new SweepSettings(
                    Freshness.SWEPT_BACK, Duration.ofMinutes(1), 8, 2_000, Duration.ofMinutes(4));

    /**
     * @throws IllegalArgumentException if a number is out of range
     */
    public SweepSettings {
        if (lookBack.isNegative() || lookAhead.isNegative() || !budget.isPositive()) {
            throw new IllegalArgumentException("times are not negative, the budget is positive");
        }
        if (concurrency < 1 || concurrency > 256 || mostPerSecond < 1) {
            throw new IllegalArgumentException(
                    "concurrency is 1 to 256 and at least one code is settled in a second");
        }
    }
}
