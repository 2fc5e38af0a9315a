package dev.headstone.standalone.listener;

import dev.headstone.cache.CacheLookup;
import dev.headstone.cache.Lease;
import dev.headstone.cache.LeaseAttempt;
import dev.headstone.cache.LinkCache;
import dev.headstone.cache.SettleOutcome;
import dev.headstone.cache.Settlement;
import dev.headstone.link.ShortCode;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** Notes which threads look into a cache. */
record ThreadNamingCache(LinkCache cache, Set<String> threads) implements LinkCache {
    @Override
    public CompletionStage<CacheLookup> look(ShortCode code) {
        threads.add(Thread.currentThread().getName());
        return cache.look(code);
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

    @Override
    public SettleOutcome settleConfirmed(Lease lease, Settlement settlement) {
        return cache.settleConfirmed(lease, settlement);
    }
}
