package dev.headstone.standalone.listener;

import dev.headstone.cache.CacheLookup;
import dev.headstone.cache.InMemoryLinkCache;
import dev.headstone.cache.Lease;
import dev.headstone.cache.LeaseAttempt;
import dev.headstone.cache.LinkCache;
import dev.headstone.cache.SettleOutcome;
import dev.headstone.cache.Settlement;
import dev.headstone.link.ShortCode;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** A cache whose looks at some codes wait until the test lets them through. */
final class GatedCache implements LinkCache {
    private final InMemoryLinkCache cache;
    private final Map<String, CompletableFuture<Void>> gates = new ConcurrentHashMap<>();
    private final AtomicInteger looks = new AtomicInteger();

    GatedCache(InMemoryLinkCache cache) {
        this.cache = cache;
    }

    /** From now on looks at {@code code} wait for the gate. */
    CompletableFuture<Void> gate(String code) {
        return gates.computeIfAbsent(code, _ -> new CompletableFuture<>());
    }

    int looks() {
        return looks.get();
    }

    @Override
    public CompletionStage<CacheLookup> look(ShortCode code) {
        looks.incrementAndGet();
        CompletableFuture<Void> gate = gates.get(code.value());
        return gate == null ? cache.look(code) : gate.thenCompose(_ -> cache.look(code));
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
