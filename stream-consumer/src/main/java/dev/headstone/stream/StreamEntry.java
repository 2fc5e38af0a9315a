package dev.headstone.stream;

import dev.headstone.link.Link;
import dev.headstone.link.ShortCode;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;

/** One record of the stream, read: that a code changed, or that nobody can tell what changed. */
sealed interface StreamEntry {
    /** Its place in the shard; empty if the record came without one. */
    Optional<String> sequenceNumber();

    /**
     * A code changed.
     *
     * @param before what the old image says, if it could be read
     * @param after what the new image says, if it could be read
     * @param operation what was done to the item
     * @param byService whether the table's own expiry did it
     * @param at when, as the stream says
     * @param record gives the record as it came, should it have to be parked
     */
    record Change(
            Optional<String> sequenceNumber,
            ShortCode code,
            Optional<Link> before,
            Optional<Link> after,
            Operation operation,
            boolean byService,
            Instant at,
            Supplier<String> record)
            implements StreamEntry {
        /** Whether only something without a version changed, such as a counted visit. */
        boolean keepsItsVersion() {
            return operation == Operation.MODIFY
                    && before.isPresent()
                    && after.isPresent()
                    && before.get().stamp().equals(after.get().stamp());
        }
    }

    /**
     * A record without a code that could have been cached.
     *
     * @param why a constant phrase
     * @param at when, as the stream says
     * @param record gives the record as it came
     */
    record Foreign(Optional<String> sequenceNumber, String why, Instant at, Supplier<String> record)
            implements StreamEntry {}

    /** What was done to the item. */
    enum Operation {
        INSERT,
        MODIFY,
        REMOVE
    }
}
