package dev.headstone.proof.model;

import dev.headstone.link.Link;
import java.time.Instant;
import java.util.Optional;

/** What somebody outside gets to know. */
sealed interface Report {
    /**
     * A visitor has an answer.
     *
     * @param click which one of the world's clicks
     * @param began what the answering process took for the time when the click arrived
     */
    record Answered(int click, int status, boolean redirect, Instant began) implements Report {}

    /**
     * Somebody has it in writing that the link is in that state.
     *
     * @param audited whether the queue has the event that the receipt names, or none is due
     */
    record Confirmed(long version, boolean dead, boolean audited) implements Report {}

    /** A request ended without a receipt. */
    record Failed(int status) implements Report {}

    /**
     * The consumer or a sweep takes the key for settled.
     *
     * @param audited whether the queue has the event of the change
     * @param item what the table held when it was asked for that
     */
    record Settled(boolean audited, Optional<Link> item) implements Report {}
}
