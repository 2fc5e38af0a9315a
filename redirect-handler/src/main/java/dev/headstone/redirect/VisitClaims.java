package dev.headstone.redirect;

import dev.headstone.cache.Lease;
import dev.headstone.cache.LeaseAttempt;
import dev.headstone.cache.LinkCache;
import dev.headstone.cache.Repair;
import dev.headstone.cache.Settlement;
import dev.headstone.cache.Settler;
import dev.headstone.cache.Settler.OfLive;
import dev.headstone.freshness.Freshness;
import dev.headstone.link.Cause;
import dev.headstone.link.LastChange;
import dev.headstone.link.Link;
import dev.headstone.link.RedirectDecision;
import dev.headstone.link.ShortCode;
import dev.headstone.table.ChangeOutcome;
import dev.headstone.table.LinkTable;
import dev.headstone.table.TableRead;
import dev.headstone.table.VisitClaim;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Claims visits of limited links, each durably before its redirect may leave. The last one ends the
 * link. Blocks; holds no state.
 */
final class VisitClaims {
    /** Who ends a link whose visits are used up. */
    static final String ACTOR = "system:visits";

    /** Another attempt follows only a change by somebody else, and those are rare. */
    private static final int MOST_ATTEMPTS = 5;

    private static final Logger LOG = LoggerFactory.getLogger(VisitClaims.class);

    /** What became of wanting a visit. */
    sealed interface Outcome {
        /** It is the caller's: the redirect to {@code link} may leave. */
        record Granted(Link link) implements Outcome {}

        /** The link is dead, expired or unknown, or no visit is left. */
        record Denied(RedirectDecision decision) implements Outcome {}

        /** Nobody knows. */
        record Failed() implements Outcome {}
    }

    private final LinkCache cache;
    private final LinkTable table;
    private final TableReading reading;
    private final Settler settler;
    private final InstantSource clock;
    private final Supplier<String> changeIds;
    private final RedirectMeters meters;

    VisitClaims(
            LinkCache cache,
            LinkTable table,
            TableReading reading,
            Settler settler,
            InstantSource clock,
            Supplier<String> changeIds,
            RedirectMeters meters) {
        this.cache = cache;
        this.table = table;
        this.reading = reading;
        this.settler = settler;
        this.clock = clock;
        this.changeIds = changeIds;
        this.meters = meters;
    }

    /**
     * Claims one visit.
     *
     * @param link as the table had it, or as far as a cached record tells: which incarnation and
     *     version it is
     */
    Outcome claim(Link link) {
        return switch (table.claimVisit(link)) {
            case VisitClaim.Claimed _ -> new Outcome.Granted(link);
            case VisitClaim.NotClaimed _ -> readAndClaim(link.code());
            case VisitClaim.Failed _ -> new Outcome.Failed();
        };
    }

    /** The link is not what it was thought to be, or its last visit is at stake. */
    private Outcome readAndClaim(ShortCode code) {
        String changeId = changeIds.get(); // one for all attempts: each recognises its own success
        for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
            Optional<Outcome> outcome =
                    switch (reading.read(code)) {
                        case TableRead.Found(Link link) -> claimOf(link, changeId);
                        case TableRead.Absent _ ->
                                Optional.of(new Outcome.Denied(new RedirectDecision.Unknown()));
                        case TableRead.Unreadable _, TableRead.Failed _ ->
                                Optional.of(new Outcome.Failed());
                    };
            if (outcome.isPresent()) {
                return outcome.get();
            }
        }
        return new Outcome.Failed();
    }

    /** Claims a visit of {@code link} as it was just read; empty if it has changed since. */
    private Optional<Outcome> claimOf(Link link, String changeId) {
        if (link.isDead() && link.lastChange().id().equals(changeId)) {
            return Optional.of(
                    new Outcome.Granted(link)); // our own attempt, reported as a conflict
        }
        RedirectDecision decision = RedirectDecision.of(Optional.of(link), clock.instant());
        return switch (decision) {
            case RedirectDecision.Redirect _ -> claimOfLive(link, changeId);
            case RedirectDecision.Gone _, RedirectDecision.Expired _, RedirectDecision.Unknown _ ->
                    Optional.of(new Outcome.Denied(decision));
        };
    }

    private Optional<Outcome> claimOfLive(Link link, String changeId) {
        if (link.visitLimit().isEmpty()) {
            return Optional.of(new Outcome.Granted(link));
        }
        long left = link.visitLimit().getAsLong() - link.visits();
        if (left <= 0) { // somebody revived an exhausted link: it is alive, and useless
            return Optional.of(
                    new Outcome.Denied(new RedirectDecision.Gone(link, Cause.EXHAUSTED)));
        }
        if (left == 1) {
            return exhaust(link, changeId);
        }
        return switch (table.claimVisit(link)) {
            case VisitClaim.Claimed _ -> Optional.of(new Outcome.Granted(link));
            case VisitClaim.NotClaimed _ -> Optional.empty();
            case VisitClaim.Failed _ -> Optional.of(new Outcome.Failed());
        };
    }

    /**
     * Takes the last visit, which ends the link: the lease by force first, as whoever changes a
     * link does; a cache that cannot be reached does not keep the visitor.
     */
    private Optional<Outcome> exhaust(Link link, String changeId) {
        Optional<Lease> lease = forceLease(link.code());
        Instant consulted = clock.instant();
        Link ended = endOf(link, changeId);
        return switch (table.exhaust(link, ended)) {
            case ChangeOutcome.Changed _ -> {
                bury(lease, ended, consulted);
                yield Optional.of(new Outcome.Granted(link));
            }
            case ChangeOutcome.Conflict _ -> {
                release(lease);
                yield Optional.empty();
            }
            case ChangeOutcome.Failed _ -> {
                release(lease);
                yield Optional.of(new Outcome.Failed());
            }
        };
    }

    private static Link endOf(Link link, String changeId, Instant at) {
        return link.ended(
                Cause.EXHAUSTED,
                new LastChange(at, ACTOR, Optional.empty(), changeId),
                Freshness.purgeOfDead(Cause.EXHAUSTED, at));
    }

    private Link endOf(Link link, String changeId) {
        return endOf(link, changeId, Instant.ofEpochMilli(clock.millis()));
    }

    private Optional<Lease> forceLease(ShortCode code) {
        return cache.forceLease(code) instanceof LeaseAttempt.Taken(Lease lease)
                ? Optional.of(lease)
                : Optional.empty();
    }

    private void release(Optional<Lease> lease) {
        lease.ifPresent(held -> cache.settle(held, new Settlement.Release()));
    }

    /**
     * Writes the tombstone. Should that fail, the record that is left leads nobody on: every click
     * on it has to claim a visit first. The stream brings the cache in line then.
     */
    private void bury(Optional<Lease> lease, Link ended, Instant consulted) {
        Repair repair =
                lease.map(held -> settler.settle(held, ended, OfLive.DROP_OLDER, consulted))
                        .orElseGet(
                                () ->
                                        settler.repair(
                                                ended.code(),
                                                OfLive.DROP_OLDER,
                                                Optional.of(ended.stamp())));
        boolean confirmed = repair instanceof Repair.Settled;
        meters.exhausted(confirmed);
        if (!confirmed) {
            LOG.atWarn()
                    .addKeyValue("code", ended.code())
                    .addKeyValue("stamp", ended.stamp())
                    .log("the tombstone of an exhausted link is not confirmed");
        }
    }
}
