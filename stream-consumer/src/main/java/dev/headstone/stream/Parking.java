package dev.headstone.stream;

import java.time.Instant;
import java.util.Optional;

/** Where records are set aside that nobody can apply, with all their bytes. */
public interface Parking {
    /**
     * Sets one aside, durably. Parking the same record again is harmless.
     *
     * @return whether it is durable; false if nobody knows
     */
    boolean park(Parked parked);

    /**
     * A record that is set aside.
     *
     * @param sequenceNumber its place in the shard, if it had one
     * @param why a constant phrase
     * @param record the record as it came
     * @param at when the change was made, as the stream says
     */
    record Parked(Optional<String> sequenceNumber, String why, String record, Instant at) {}
}
