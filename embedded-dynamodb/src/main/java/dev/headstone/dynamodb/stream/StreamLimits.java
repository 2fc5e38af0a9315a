package dev.headstone.dynamodb.stream;

import java.time.Duration;

/**
 * When the shards of a stream end, and how long records are kept.
 *
 * @param shardAge after which a shard that holds records is closed and its child opened
 * @param shardRecords after which many records likewise
 * @param retention after which a record is trimmed
 */
public record StreamLimits(Duration shardAge, long shardRecords, Duration retention) {
    /** Refuses what is not positive. */
    public StreamLimits {
        if (!shardAge.isPositive() || shardRecords < 1 || !retention.isPositive()) {
            throw new IllegalArgumentException("the limits of a stream must be positive");
        }
    }
}
