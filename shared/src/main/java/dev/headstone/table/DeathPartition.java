package dev.headstone.table;

/**
 * A part of the index of deaths that is read by itself.
 *
 * @param hour since the epoch
 * @param shard below {@link Deaths#SHARDS}
 */
public record DeathPartition(long hour, int shard) {
    /**
     * @throws IllegalArgumentException if there is no such shard
     */
    public DeathPartition {
        if (shard < 0 || shard >= Deaths.SHARDS) {
            throw new IllegalArgumentException("no such shard: " + shard);
        }
    }

    /** Its key. */
    String bucket() {
        return hour + "#" + shard;
    }
}
