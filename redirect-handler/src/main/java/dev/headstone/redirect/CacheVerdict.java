package dev.headstone.redirect;

import dev.headstone.cache.CacheLookup;
import dev.headstone.cache.CacheRecord;
import dev.headstone.cache.CacheRecord.Active;
import dev.headstone.cache.CacheRecord.Tombstone;
import dev.headstone.link.Cause;
import java.time.Instant;
import java.util.Optional;

/** What a look into the cache means at an instant: the one place where that is decided. */
sealed interface CacheVerdict {
    /** Answer with it alone. */
    record Fresh(Active link) implements CacheVerdict {}

    /** The link is dead. */
    record Deleted(Optional<Cause> cause) implements CacheVerdict {}

    /** Ask the table; should it fail, this may answer while {@link #answersFor}. */
    record Stale(Active link) implements CacheVerdict {}

    /** Ask the table. */
    record Miss() implements CacheVerdict {}

    /** Ask the table, and write nothing. */
    record Unavailable(String why) implements CacheVerdict {}

    /** One miss is like another. */
    Miss MISS = new Miss();

    /** Decides for {@code lookup} at {@code now}. */
    static CacheVerdict of(CacheLookup lookup, Instant now) {
        return switch (lookup) {
            case CacheLookup.Found(CacheRecord record) -> of(record, now);
            case CacheLookup.Absent _, CacheLookup.Unreadable _ -> MISS;
            case CacheLookup.Unavailable(String why) -> new Unavailable(why);
        };
    }

    private static CacheVerdict of(CacheRecord record, Instant now) {
        if (!now.isBefore(record.staleUntil())) {
            return MISS; // its key outlived it: a clock is off, or the key's life was lost
        }
        return switch (record) {
            case Tombstone tombstone -> new Deleted(tombstone.cause());
            case Active link -> of(link, now);
        };
    }

    private static CacheVerdict of(Active link, Instant now) {
        if (isExpired(link, now)) {
            return MISS;
        }
        return now.isBefore(link.freshUntil()) ? new Fresh(link) : new Stale(link);
    }

    /** Whether a stale record may still answer at {@code now} for a table that failed. */
    static boolean answersFor(Active link, Instant now) {
        return now.isBefore(link.staleUntil()) && !isExpired(link, now);
    }

    private static boolean isExpired(Active link, Instant now) {
        return link.expiresAt().isPresent() && !now.isBefore(link.expiresAt().get());
    }
}
