package dev.headstone.dynamodb.stream;

/** Where an iterator begins to read a shard. */
public sealed interface IteratorStart {
    /** At the oldest record there is when it is first used. */
    record TrimHorizon() implements IteratorStart {}

    /** Behind the newest record there is now. */
    record Latest() implements IteratorStart {}

    /** At the record with that sequence number. */
    record At(String sequenceNumber) implements IteratorStart {}

    /** Behind the record with that sequence number. */
    record After(String sequenceNumber) implements IteratorStart {}
}
