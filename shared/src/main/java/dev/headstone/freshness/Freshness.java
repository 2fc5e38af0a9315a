package dev.headstone.freshness;

import dev.headstone.link.Cause;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Every number of staleness, and the few rules that turn one into an instant. The numbers come from
 * the protocol; whatever answers, caches or expires takes them from here.
 */
public final class Freshness {
    /** How long a record answers alone, from the moment its table read <em>started</em>. */
    public static final Duration FRESH = Duration.ofHours(24);

    /** How long after that it may still answer if the table fails. */
    public static final Duration STALE_GRACE = Duration.ofMinutes(15);

    /** How long a tombstone lies, from the death. */
    public static final Duration TOMBSTONE = Duration.ofHours(24);

    /** How long a tombstone lies at the least from its writing: a replay may come very late. */
    public static final Duration TOMBSTONE_AT_LEAST = Duration.ofHours(1);

    /** A key's time to live is never less than this: the store refuses zero. */
    public static final Duration SHORTEST_KEY_LIFE = Duration.ofSeconds(1);

    /** How long a lease holds. */
    public static final Duration LEASE = Duration.ofSeconds(3);

    /** How long a copy of a redirect may live at the edge. */
    public static final Duration EDGE = Duration.ofSeconds(5);

    /** From the confirmation until no copy is left at the edge: its 5 s and one for transit. */
    public static final Duration EDGE_CLEAR = Duration.ofSeconds(6);

    /** An answer older than this, from the start of its reads, must not be stored by anybody. */
    public static final Duration STORABLE = Duration.ofSeconds(1);

    /** How long a hit may be used after it was last verified that the cache may be believed. */
    public static final Duration TRUST = Duration.ofSeconds(1);

    /** How often that is verified: three attempts may fail before a hit is lost. */
    public static final Duration VERIFY_EVERY = Duration.ofMillis(250);

    /**
     * How far back a sweep looks: longer than the life of any record that a death leaves behind.
     */
    public static final Duration SWEPT_BACK = Duration.ofHours(25);

    /** How long after a change the cache is compared with the table, shortest first. */
    public static final List<Duration> COMPARED_AFTER =
            List.of(Duration.ofSeconds(2), Duration.ofMinutes(1), Duration.ofMinutes(5));

    /** The redirect's budget for one command to the cache; there is no retry. */
    public static final Duration CACHE_BUDGET = Duration.ofMillis(150);

    /** The redirect's budget for the table. */
    public static final Duration TABLE_BUDGET = Duration.ofSeconds(1);

    /** How long a code of a dead link stays taken. */
    public static final Duration QUARANTINE = Duration.ofDays(30);

    /** How far an instance's clock may be off before it is an alarm. */
    public static final Duration CLOCK_SKEW = Duration.ofSeconds(1);

    private Freshness() {}

    /** Until when a record whose table read started at {@code readStarted} answers alone. */
    public static Instant freshUntil(Instant readStarted, Optional<Instant> expiresAt) {
        return noLaterThan(expiresAt, readStarted.plus(FRESH));
    }

    /** Until when it may answer while the table fails: also the end of the key's life. */
    public static Instant staleUntil(Instant readStarted, Optional<Instant> expiresAt) {
        return noLaterThan(expiresAt, readStarted.plus(FRESH).plus(STALE_GRACE));
    }

    /** Until when a tombstone that is written at {@code now} lies. */
    public static Instant tombstoneUntil(
            Instant deletedAt, Optional<Instant> purgeAt, Instant now) {
        Instant late = now.plus(TOMBSTONE_AT_LEAST);
        Instant usual = deletedAt.plus(TOMBSTONE);
        return noLaterThan(purgeAt, usual.isAfter(late) ? usual : late);
    }

    /** The life of a key that is written at {@code now} and ends at {@code until}. */
    public static Duration keyLife(Instant until, Instant now) {
        Duration life = Duration.between(now, until);
        return life.compareTo(SHORTEST_KEY_LIFE) < 0 ? SHORTEST_KEY_LIFE : life;
    }

    /**
     * When the table may forget a link that died: never for a deactivated one, which its owner may
     * switch on again. Rounded up to the second, since that is what a TTL attribute holds.
     */
    public static Optional<Instant> purgeOfDead(Cause cause, Instant deletedAt) {
        return switch (cause) {
            case TAKEDOWN, EXHAUSTED -> Optional.of(roundedUp(deletedAt.plus(QUARANTINE)));
            case DEACTIVATED -> Optional.empty();
        };
    }

    /** When the table may forget a live link: when it has expired. */
    public static Optional<Instant> purgeOfLive(Optional<Instant> expiresAt) {
        return expiresAt.map(Freshness::roundedUp);
    }

    private static Instant roundedUp(Instant instant) {
        Instant second = Instant.ofEpochSecond(instant.getEpochSecond());
        return second.equals(instant) ? second : second.plusSeconds(1);
    }

    private static Instant noLaterThan(Optional<Instant> limit, Instant instant) {
        return limit.filter(instant::isAfter).orElse(instant);
    }
}
