package dev.headstone.cache;

import dev.headstone.freshness.Freshness;
import dev.headstone.link.ShortCode;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * A cache whose hits count only while {@link Trust} says so, and whose confirmations wait until no
 * other process can still read from another run. A look-up asks nobody but a variable and the
 * clocks; somebody has to {@link #observe} several times a second, as {@link TrustWatch} does. Safe
 * for use by several threads.
 */
public final class TrustedLinkCache implements LinkCache {
    /** After a change of run a second has to pass, and an observation may fail meanwhile. */
    static final Duration LONGEST_WAIT = Freshness.TRUST.plusMillis(500);

    private static final Duration NEXT_TRY = Duration.ofMillis(25);
    private static final String NO_TRUST = "no trust";
    private static final String CHANGED = "the cache changed under a confirmed write";
    private static final String NOT_VERIFIED =
            "nobody could verify that the node of a confirmed write is the primary";

    private final LinkCache cache;
    private final CacheNode node;
    private final TrustRule rule;
    private final LongSupplier nanos;
    private final InstantSource clock;
    private final Consumer<Duration> pause;
    private final ReentrantLock observing = new ReentrantLock();
    private volatile Trust trust;

    /**
     * @param node behind the connections of {@code cache}
     * @param nanos a monotonic clock, such as {@link System#nanoTime}
     */
    public TrustedLinkCache(
            LinkCache cache,
            CacheNode node,
            TrustRule rule,
            LongSupplier nanos,
            InstantSource clock) {
        this(cache, node, rule, nanos, clock, wait -> LockSupport.parkNanos(wait.toNanos()));
    }

    /**
     * @param pause lets the given time pass, or less, before a confirmation is tried again
     */
    public TrustedLinkCache(
            LinkCache cache,
            CacheNode node,
            TrustRule rule,
            LongSupplier nanos,
            InstantSource clock,
            Consumer<Duration> pause) {
        this.cache = cache;
        this.node = node;
        this.rule = rule;
        this.nanos = nanos;
        this.clock = clock;
        this.pause = pause;
        this.trust = Trust.before(rule);
    }

    /** Observes the node once, and says what is known since. Blocks as the node does. */
    public Trust observe() {
        observing.lock(); // an older observation must not replace a younger one
        try {
            Moment started = now();
            NodeView view = node.observe();
            trust = trust.observed(view, started, nanos.getAsLong());
            return trust;
        } finally {
            observing.unlock();
        }
    }

    /** What is known now. */
    public Trust trust() {
        return trust;
    }

    /** Why hits are not used now, a constant phrase; empty if they are. */
    public Optional<String> distrust() {
        return trust.distrust(node.incarnation(), now());
    }

    private Moment now() {
        return Moment.now(nanos, clock);
    }

    @Override
    public CompletionStage<CacheLookup> look(ShortCode code) {
        long asked = node.incarnation();
        if (!trust.answers(asked, now())) {
            return CompletableFuture.completedFuture(new CacheLookup.Unavailable(NO_TRUST));
        }
        return cache.look(code).thenApply(found -> usable(asked, found));
    }

    /** What came over another incarnation than was asked, or too late, is no hit. */
    private CacheLookup usable(long asked, CacheLookup found) {
        return node.incarnation() == asked && trust.answers(asked, now())
                ? found
                : new CacheLookup.Unavailable(NO_TRUST);
    }

    @Override
    public LeaseAttempt askLease(ShortCode code) {
        return cache.askLease(code);
    }

    @Override
    public LeaseAttempt forceLease(ShortCode code) {
        return cache.forceLease(code);
    }

    @Override
    public SettleOutcome settle(Lease lease, Settlement settlement) {
        return cache.settle(lease, settlement);
    }

    /**
     * As the cache does it, and an acceptance is given out only once it may be reported; that takes
     * up to a second after a change of run.
     */
    @Override
    public SettleOutcome settleConfirmed(Lease lease, Settlement settlement) {
        long asked = node.incarnation();
        SettleOutcome outcome = cache.settleConfirmed(lease, settlement);
        return switch (outcome) {
            case SettleOutcome.Accepted accepted ->
                    rule == TrustRule.DURABLE ? accepted : confirmed(asked, accepted);
            case SettleOutcome.Refused _, SettleOutcome.Unknown _ -> outcome;
        };
    }

    private SettleOutcome confirmed(long asked, SettleOutcome.Accepted accepted) {
        Moment written = now();
        while (node.incarnation() == asked) {
            Optional<Duration> left = trust.untilConfirmed(asked, now());
            if (left.isPresent() && left.get().isZero()) {
                return accepted;
            }
            if (!written.isWithin(LONGEST_WAIT, now())) {
                return new SettleOutcome.Unknown(NOT_VERIFIED);
            }
            if (left.isPresent()) {
                pause.accept(left.get());
            } else if (!observe().verifies(asked, now())) {
                pause.accept(NEXT_TRY);
            }
        }
        return new SettleOutcome.Unknown(CHANGED);
    }
}
