package dev.headstone.link;

import java.time.Instant;

/** Whether somebody ended a link. Expiry is not a standing: it comes by itself. */
public sealed interface Standing {
    /** Nobody ended it. */
    record Alive() implements Standing {}

    /**
     * Ended.
     *
     * @param deletedAt when, to the millisecond
     */
    record Dead(Cause cause, Instant deletedAt) implements Standing {}
}
