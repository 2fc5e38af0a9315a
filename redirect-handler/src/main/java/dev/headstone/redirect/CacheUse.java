package dev.headstone.redirect;

import java.util.Locale;

/**
 * What the cache contributed to an answer, as {@code Cache-Status} (RFC 9211) and metrics say it.
 */
enum CacheUse {
    /** A fresh record. */
    HIT("hit"),
    /** A tombstone. */
    TOMBSTONE("hit; detail=tombstone"),
    /** Nothing that counts. */
    MISS("fwd=miss"),
    /** A record that wanted the table's word, and got it. */
    STALE("fwd=stale"),
    /** A record that answered because the table failed. */
    STALE_SERVED("fwd=stale; detail=stale-served"),
    /** It did not answer, or is not trusted. */
    UNAVAILABLE("fwd=bypass; detail=cache-unavailable");

    private final String status;
    private final String storedStatus;

    CacheUse(String parameters) {
        status = "headstone; " + parameters;
        storedStatus = status + "; stored";
    }

    /** The value of {@code Cache-Status}; {@code stored} if the cache was populated on the way. */
    String status(boolean stored) {
        return stored ? storedStatus : status;
    }

    /** The metrics' name for it. */
    String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
