package dev.headstone.cache;

import dev.headstone.link.ShortCode;

/**
 * The names of keys. The braces are literal: all keys of one code share a hash slot, so that one
 * script may touch them on a cluster.
 */
public final class CacheKeys {
    private CacheKeys() {}

    /** Where the record of {@code code} lies. */
    public static String record(ShortCode code) {
        return "url:{" + code.value() + "}";
    }

    /** Where the lease on that record lies. */
    public static String lease(ShortCode code) {
        return "lease:{" + code.value() + "}";
    }
}
