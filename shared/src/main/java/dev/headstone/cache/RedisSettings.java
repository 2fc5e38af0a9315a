package dev.headstone.cache;

import dev.headstone.freshness.Freshness;
import java.time.Duration;

/**
 * How the adapter treats its Redis.
 *
 * @param readBudget how long one command of a reader may take, without a retry
 * @param writeBudget how long one command of a writer may take
 * @param acks how many replicas must have a confirmed write before it counts; 0 if there is a
 *     single node, or if the store persists before it answers
 */
public record RedisSettings(Duration readBudget, Duration writeBudget, int acks) {
    /** A single node, or a durable one. */
    public static final RedisSettings DEFAULT =
            new RedisSettings(Freshness.CACHE_BUDGET, Duration.ofMillis(500), 0);

    /**
     * @throws IllegalArgumentException if a number is out of range
     */
    public RedisSettings {
        if (readBudget.isNegative()
                || readBudget.isZero()
                || writeBudget.compareTo(readBudget) < 0) {
            throw new IllegalArgumentException(
                    "budgets are positive, the writer's not the smaller");
        }
        if (acks < 0) {
            throw new IllegalArgumentException("acks must not be negative: " + acks);
        }
    }

    /** The same, with another number of replicas that must acknowledge. */
    public RedisSettings withAcks(int replicas) {
        return new RedisSettings(readBudget, writeBudget, replicas);
    }
}
