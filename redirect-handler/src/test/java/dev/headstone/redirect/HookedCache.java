package dev.headstone.redirect;

import dev.headstone.cache.CacheLookup;
import dev.headstone.cache.InMemoryLinkCache;
import dev.headstone.cache.Lease;
import dev.headstone.cache.LeaseAttempt;
import dev.headstone.cache.LinkCache;
import dev.headstone.cache.SettleOutcome;
import dev.headstone.cache.Settlement;
import dev.headstone.link.ShortCode;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A cache in which things happen while a click asks it. */
final class HookedCache implements LinkCache {
    private final InMemoryLinkCache cache;
    private Runnable beforeLook = () -> {};
    private Runnable afterLook = () -> {};
    private Runnable beforeSettle = () -> {};
    private CompletionStage<Void> gate = CompletableFuture.completedStage(null);

    HookedCache(InMemoryLinkCache cache) {
        this.cache = cache;
    }

    /** Before each look. */
    void beforeLook(Runnable hook) {
        beforeLook = hook;
    }

    /** After each look, before its answer. */
    void afterLook(Runnable hook) {
        afterLook = hook;
    }

    /** Before each settlement. */
    void beforeSettle(Runnable hook) {
        beforeSettle = hook;
    }

    /** Looks are answered when {@code opens} is complete. */
    void gate(CompletionStage<Void> opens) {
        gate = opens;
    }

    @Override
    public CompletionStage<CacheLookup> look(ShortCode code) {
        beforeLook.run();
        return gate.thenCompose(
                _ -> {
                    CompletionStage<CacheLookup> look = cache.look(code);
                    afterLook.run();
                    return look;
                });
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
        beforeSettle.run();
        return cache.settle(lease, settlement);
    }

    @Override
    public SettleOutcome settleConfirmed(Lease lease, Settlement settlement) {
        beforeSettle.run();
        return cache.settleConfirmed(lease, settlement);
    }
}
