package dev.headstone.standalone.source;

/** How far a shard is settled. */
sealed interface ShardPosition {
    /** Nothing yet: it is read from the oldest record there is. */
    record Horizon() implements ShardPosition {}

    /** Everything up to and with this record. */
    record After(String sequenceNumber) implements ShardPosition {}

    /** All of it, and it is closed. */
    record End() implements ShardPosition {}
}
