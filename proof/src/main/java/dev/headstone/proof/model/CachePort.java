package dev.headstone.proof.model;

import dev.headstone.cache.CacheLookup;
import dev.headstone.cache.Lease;
import dev.headstone.cache.LeaseAttempt;
import dev.headstone.cache.LinkCache;
import dev.headstone.cache.SettleOutcome;
import dev.headstone.cache.Settlement;
import dev.headstone.link.ShortCode;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The cache as an actor sees it. What rules are made of may also choose the script. */
final class CachePort implements LinkCache {
    private final Scripted run;
    private final String script;

    CachePort(Scripted run, String script) {
        this.run = run;
        this.script = script;
    }

    @Override
    public CompletionStage<CacheLookup> look(ShortCode code) {
        return CompletableFuture.completedFuture((CacheLookup) run.answer(new Call.Look()));
    }

    @Override
    public LeaseAttempt askLease(ShortCode code) {
        return (LeaseAttempt) run.answer(new Call.Ask());
    }

    @Override
    public LeaseAttempt forceLease(ShortCode code) {
        return (LeaseAttempt) run.answer(new Call.Force());
    }

    @Override
    public SettleOutcome settle(Lease lease, Settlement settlement) {
        return settle(lease, settlement, script, false);
    }

    @Override
    public SettleOutcome settleConfirmed(Lease lease, Settlement settlement) {
        return settle(lease, settlement, script, true);
    }

    /** A settlement by another script. */
    SettleOutcome settle(Lease lease, Settlement settlement, String text, boolean confirmed) {
        return (SettleOutcome) run.answer(new Call.Settle(lease, settlement, text, confirmed));
    }
}
