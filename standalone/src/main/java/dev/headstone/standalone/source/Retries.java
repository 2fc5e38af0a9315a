package dev.headstone.standalone.source;

import java.time.Duration;
import java.util.Optional;

/**
 * How often and how long a failing record is tried again before it goes to the failure destination.
 * The meaning is that of Lambda's {@code MaximumRetryAttempts} and {@code
 * MaximumRecordAgeInSeconds}.
 *
 * @param maximumAttempts retries of a record that fails alone, 0 to 10,000, or -1 for no limit;
 *     splitting a batch uses up none
 * @param maximumAge a record older than this is not handed over any more; empty for no limit
 * @param backoff the wait before a retry
 * @see <a href="https://docs.aws.amazon.com/lambda/latest/dg/services-ddb-params.html">Lambda
 *     parameters for Amazon DynamoDB event source mappings</a>
 */
public record Retries(int maximumAttempts, Optional<Duration> maximumAge, Backoff backoff) {
    private static final int NO_LIMIT = -1;
    private static final int MOST_ATTEMPTS = 10_000;

    /**
     * @throws IllegalArgumentException when a value is out of its range
     */
    public Retries {
        if (maximumAttempts < NO_LIMIT || maximumAttempts > MOST_ATTEMPTS) {
            throw new IllegalArgumentException(
                    "maximum retry attempts %d is not between -1 and 10000"
                            .formatted(maximumAttempts));
        }
        if (maximumAge.isPresent() && !maximumAge.get().isPositive()) {
            throw new IllegalArgumentException(
                    "maximum record age %s is not positive".formatted(maximumAge.get()));
        }
    }

    boolean exhaustedBy(int attempts) {
        return maximumAttempts != NO_LIMIT && attempts >= maximumAttempts;
    }
}
