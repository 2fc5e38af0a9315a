package dev.headstone.cache;

import dev.headstone.freshness.Freshness;
import dev.headstone.link.Link;
import dev.headstone.link.ShortCode;
import dev.headstone.link.Stamp;
import dev.headstone.link.Standing.Alive;
import dev.headstone.link.Standing.Dead;
import dev.headstone.table.LinkTable;
import dev.headstone.table.TableRead;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * Brings a key of the cache in line with the table, as everybody does who changes or repairs a
 * link: lease by force, consult the table, confirmed settlement; again from the start while
 * somebody else takes the lease away. Holds no state; safe for use by several threads.
 */
public final class Settler {
    /** How often a writer starts at the most. */
    public static final int MOST_ATTEMPTS = 3;

    /** Several times what a round takes on a quiet machine. */
    static final Duration LONGEST_PAUSE = Duration.ofMillis(40);

    private final LinkCache cache;
    private final LinkTable table;
    private final InstantSource clock;
    private final Duration budget;
    private final Runnable pause;

    /**
     * Pauses up to {@link #LONGEST_PAUSE} before it starts again.
     *
     * @param budget no attempt starts later than this after the first
     */
    public Settler(LinkCache cache, LinkTable table, InstantSource clock, Duration budget) {
        this(cache, table, clock, budget, Settler::pauseAtRandom);
    }

    /**
     * @param budget no attempt starts later than this after the first
     * @param pause made before each start but the first: two writers that take the lease from each
     *     other in step would go on until both give up
     */
    public Settler(
            LinkCache cache,
            LinkTable table,
            InstantSource clock,
            Duration budget,
            Runnable pause) {
        this.cache = cache;
        this.table = table;
        this.clock = clock;
        this.budget = budget;
        this.pause = pause;
    }

    private static void pauseAtRandom() {
        LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(1, LONGEST_PAUSE.toNanos()));
    }

    /** What to do with the key of a link that lives. */
    public enum OfLive {
        /** Drop what is strictly older, leave the rest. */
        DROP_OLDER,
        /** Write the record, so that the first click is a hit: after a create or a restore. */
        WRITE
    }

    /**
     * Settles the key to what the table says now.
     *
     * @param lastSeen the last stamp of the item, should it be gone; empty drops anything then
     */
    public Repair repair(ShortCode code, OfLive ofLive, Optional<Stamp> lastSeen) {
        return attempts(code, ofLive, lastSeen, clock.instant(), MOST_ATTEMPTS);
    }

    /**
     * Settles the key to {@code committed}, which the caller wrote into the table while it held
     * {@code lease}; if the lease is gone by now, to what the table says then.
     *
     * @param consulted when the writing of the table was begun
     */
    public Repair settle(Lease lease, Link committed, OfLive ofLive, Instant consulted) {
        Instant started = clock.instant();
        return settleOnce(lease, Optional.of(committed), ofLive, Optional.empty(), consulted)
                .orElseGet(
                        () ->
                                attempts(
                                        committed.code(),
                                        ofLive,
                                        Optional.of(committed.stamp()),
                                        started,
                                        MOST_ATTEMPTS - 1));
    }

    /**
     * Drops whatever lies under the key, confirmed: for a code whose item is no link, so that
     * nothing may answer for it.
     */
    public Repair drop(ShortCode code) {
        return switch (cache.forceLease(code)) {
            case LeaseAttempt.Taken(Lease lease) ->
                    switch (cache.settleConfirmed(lease, new Settlement.DropAll())) {
                        case SettleOutcome.Accepted _ -> new Repair.Settled(Optional.empty());
                        case SettleOutcome.Refused _ ->
                                new Repair.CacheFailed("the lease was taken away");
                        case SettleOutcome.Unknown(String why) -> new Repair.CacheFailed(why);
                    };
            case LeaseAttempt.Held _ -> new Repair.CacheFailed("the lease was taken away");
            case LeaseAttempt.Unreachable(String why) -> new Repair.CacheFailed(why);
        };
    }

    private Repair attempts(
            ShortCode code,
            OfLive ofLive,
            Optional<Stamp> lastSeen,
            Instant started,
            int attempts) {
        for (int attempt = 0; attempt < attempts && withinBudget(started); attempt++) {
            if (attempt > 0 || attempts < MOST_ATTEMPTS) {
                pause.run();
            }
            Optional<Repair> repair = attempt(code, ofLive, lastSeen);
            if (repair.isPresent()) {
                return repair.get();
            }
        }
        return new Repair.CacheFailed("the lease was taken away each time");
    }

    private boolean withinBudget(Instant started) {
        return clock.instant().isBefore(started.plus(budget));
    }

    /** One round; empty if somebody else took the lease meanwhile. */
    private Optional<Repair> attempt(ShortCode code, OfLive ofLive, Optional<Stamp> lastSeen) {
        return switch (cache.forceLease(code)) {
            case LeaseAttempt.Taken(Lease lease) -> consult(lease, ofLive, lastSeen);
            case LeaseAttempt.Held _ -> Optional.empty();
            case LeaseAttempt.Unreachable(String why) -> Optional.of(new Repair.CacheFailed(why));
        };
    }

    private Optional<Repair> consult(Lease lease, OfLive ofLive, Optional<Stamp> lastSeen) {
        Instant started = clock.instant();
        return switch (table.read(lease.code())) {
            case TableRead.Found(Link link) ->
                    settleOnce(lease, Optional.of(link), ofLive, lastSeen, started);
            case TableRead.Absent _ ->
                    settleOnce(lease, Optional.empty(), ofLive, lastSeen, started);
            case TableRead.Unreadable(String why) -> Optional.of(new Repair.Unreadable(why));
            case TableRead.Failed(Exception cause) -> Optional.of(new Repair.TableFailed(cause));
        };
    }

    private Optional<Repair> settleOnce(
            Lease lease,
            Optional<Link> item,
            OfLive ofLive,
            Optional<Stamp> lastSeen,
            Instant consulted) {
        Settlement settlement = settlementOf(item, ofLive, lastSeen, consulted, clock.instant());
        return switch (cache.settleConfirmed(lease, settlement)) {
            case SettleOutcome.Accepted(Optional<Stamp> holds) ->
                    isMet(settlement, holds)
                            ? Optional.of(new Repair.Settled(item))
                            : Optional.empty();
            case SettleOutcome.Refused _ -> Optional.empty();
            case SettleOutcome.Unknown(String why) -> Optional.of(new Repair.CacheFailed(why));
        };
    }

    /** What the key of {@code item} is to be brought to. */
    static Settlement settlementOf(
            Optional<Link> item,
            OfLive ofLive,
            Optional<Stamp> lastSeen,
            Instant consulted,
            Instant now) {
        if (item.isEmpty()) {
            return lastSeen.<Settlement>map(Settlement.DropUpTo::new)
                    .orElseGet(Settlement.DropAll::new);
        }
        Link link = item.get();
        return switch (link.standing()) {
            case Dead _ -> write(link, consulted, now);
            case Alive _ ->
                    switch (ofLive) {
                        case DROP_OLDER -> new Settlement.DropOlder(link.stamp());
                        case WRITE ->
                                link.isExpired(now)
                                        ? new Settlement.DropOlder(link.stamp())
                                        : write(link, consulted, now);
                    };
        };
    }

    private static Settlement write(Link link, Instant consulted, Instant now) {
        CacheRecord record = CacheRecord.of(link, consulted, now);
        return new Settlement.Write(record, Freshness.keyLife(record.staleUntil(), now));
    }

    /**
     * Whether what the key holds is what was wanted. A record may be newer than the one that was to
     * be written, but a death is not confirmed by a live record, nor a life by a tombstone.
     */
    static boolean isMet(Settlement settlement, Optional<Stamp> holds) {
        return switch (settlement) {
            case Settlement.Write(CacheRecord record, var _) ->
                    holds.isPresent()
                            && holds.get().deleted() == record.stamp().deleted()
                            && !record.stamp().isNewerThan(holds.get());
            case Settlement.DropOlder(Stamp live) ->
                    holds.isEmpty() || !live.isNewerThan(holds.get());
            case Settlement.DropUpTo _, Settlement.DropAll _, Settlement.Release _ -> true;
        };
    }
}
