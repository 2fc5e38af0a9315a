package dev.headstone.cache;

import dev.headstone.link.Stamp;
import java.util.Optional;

/** What became of one settlement. */
public sealed interface SettleOutcome {
    /**
     * The lease held; the key now holds a record of this stamp, or nothing. Of a confirmed
     * settlement it also means: durable against the failover it was configured for.
     */
    record Accepted(Optional<Stamp> holds) implements SettleOutcome {}

    /** The lease was no longer ours: nothing was written. */
    record Refused() implements SettleOutcome {}

    /**
     * Nobody knows whether it was written, or it was written and is not known to be durable.
     *
     * @param why a constant phrase, for log and problem document
     */
    record Unknown(String why) implements SettleOutcome {}
}
