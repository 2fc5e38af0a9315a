package dev.headstone.cache;

import dev.headstone.freshness.Freshness;
import java.time.Duration;
import java.util.Optional;

/**
 * What a process knows of the node behind its connections, and what follows: until when hits may be
 * used, from when on a confirmation may be reported. Observations go in, a new state comes out.
 * Immutable, and without a clock of its own.
 *
 * <p>A cache may come back older than a reported takedown: a node restarted from an old snapshot, a
 * failover that lost writes, an isolated old primary that still answers. So a hit counts only while
 * an observation that was <em>started</em> at most a second ago showed a primary whose run has been
 * swept, and only if the very connections answered that were observed. Others may use an old
 * primary for that second; until it is over, nothing is reported of a run that is new.
 */
public final class Trust {
    private final TrustRule rule;
    private final Optional<Seen> seen;
    private final String why;

    /**
     * The primary as last seen.
     *
     * @param verified when the latest observation that showed it was started
     * @param confirmsFrom on the monotonic clock, when whoever read from another run has stopped
     */
    private record Seen(NodeView.Primary node, Moment verified, long confirmsFrom) {}

    private Trust(TrustRule rule, Optional<Seen> seen, String why) {
        this.rule = rule;
        this.seen = seen;
        this.why = why;
    }

    /** Before the first observation. */
    public static Trust before(TrustRule rule) {
        return new Trust(rule, Optional.empty(), "the cache has not been observed yet");
    }

    /**
     * What is known after an observation.
     *
     * @param started when it was begun: what it says may have ceased to hold right after that
     * @param endedNanos on the monotonic clock, when its answer was in hand
     */
    public Trust observed(NodeView view, Moment started, long endedNanos) {
        return switch (view) {
            case NodeView.Primary primary -> primary(primary, started, endedNanos);
            case NodeView.NotPrimary(String reason) -> new Trust(rule, Optional.empty(), reason);
            case NodeView.Unknown(String reason) -> new Trust(rule, seen, reason);
        };
    }

    private Trust primary(NodeView.Primary primary, Moment started, long endedNanos) {
        Optional<Seen> same = seen.filter(last -> last.node().run().equals(primary.run()));
        boolean swept = primary.swept() || same.map(last -> last.node().swept()).orElse(false);
        long confirmsFrom =
                same.map(Seen::confirmsFrom).orElse(endedNanos + rule.afterChange().toNanos());
        return new Trust(
                rule,
                Optional.of(
                        new Seen(
                                new NodeView.Primary(primary.run(), primary.incarnation(), swept),
                                started,
                                confirmsFrom)),
                swept ? "the cache was last verified over a second ago" : "the cache is not swept");
    }

    /** Whether a hit may be used now that came over this incarnation of the connections. */
    public boolean answers(long incarnation, Moment now) {
        return rule == TrustRule.DURABLE || (verifies(incarnation, now) && swept());
    }

    /** Whether an observation of these connections that is young enough showed a primary. */
    public boolean verifies(long incarnation, Moment now) {
        return rule == TrustRule.DURABLE
                || (seen.isPresent()
                        && seen.get().node().incarnation() == incarnation
                        && seen.get().verified().isWithin(Freshness.TRUST, now));
    }

    /**
     * How long until a confirmed write over this incarnation may be reported: zero if now, empty if
     * that takes an observation first.
     */
    public Optional<Duration> untilConfirmed(long incarnation, Moment now) {
        if (rule == TrustRule.DURABLE) {
            return Optional.of(Duration.ZERO);
        }
        return verifies(incarnation, now)
                ? seen.map(last -> Duration.ofNanos(Math.max(0, last.confirmsFrom() - now.nanos())))
                : Optional.empty();
    }

    /** The run that was last seen as the primary's; empty if none, or if it was denied since. */
    public Optional<CacheRun> run() {
        return seen.map(last -> last.node().run());
    }

    /** Whether that run is known to have been swept. */
    public boolean swept() {
        return seen.isPresent() && seen.get().node().swept();
    }

    /** Why hits are not used now, a constant phrase; empty if they are. */
    public Optional<String> distrust(long incarnation, Moment now) {
        return answers(incarnation, now) ? Optional.empty() : Optional.of(why);
    }
}
