package dev.headstone.redirect;

import java.util.Locale;

/** What became of one reader's attempt to bring the cache in line, as the metrics say it. */
enum Populate {
    /** The record of a live link was written. */
    STORED,
    /** The tombstone of a dead one was written. */
    BURIED,
    /** Something newer lay there. */
    SUPERSEDED,
    /** There was nothing to write: the lease was given back. */
    RELEASED,
    /** Another reader or writer had the lease before. */
    HELD,
    /** Somebody took the lease meanwhile: nothing was written. */
    REFUSED,
    /** The cache did not answer. */
    FAILED;

    /** Whether the key holds what this reader wrote. */
    boolean stored() {
        return this == STORED || this == BURIED;
    }

    /** The metrics' name for it. */
    String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
