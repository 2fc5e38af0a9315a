package dev.headstone.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headstone.link.ShortCode;
import dev.headstone.link.Stamp;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

final class TrustedLinkCacheTest {
    private static final ShortCode CODE = new ShortCode("abc");
    private static final CacheLookup NO_TRUST = new CacheLookup.Unavailable("no trust");
    private static final Instant START = Instant.ofEpochMilli(1_790_000_000_000L);

    private long millis;
    private final InstantSource clock = () -> START.plusMillis(millis);
    private final InMemoryLinkCache memory = new InMemoryLinkCache(clock);
    private final InMemoryCacheNode node = new InMemoryCacheNode().holdsSomething();
    private Runnable whilePausing = () -> {};
    private final TrustedLinkCache cache = over(memory, TrustRule.VERIFIED);

    private TrustedLinkCache over(LinkCache inner, TrustRule rule) {
        return new TrustedLinkCache(
                inner,
                node,
                rule,
                () -> Duration.ofMillis(millis).toNanos(),
                clock,
                pause -> {
                    millis += Math.min(100, Math.max(1, pause.toMillis()));
                    whilePausing.run();
                });
    }

    @Test
    void asksNothingOfACacheThatIsNotTrusted() {
        assertThat(look()).isEqualTo(NO_TRUST);
        assertThat(memory.calls()).isEmpty();
        assertThat(cache.distrust()).isPresent();
    }

    @Test
    void usesHitsOfASweptRunForASecond() {
        memory.put(CODE, record(1, true));
        trusted();

        assertThat(look()).isInstanceOf(CacheLookup.Found.class);
        millis += 999;
        assertThat(look()).isInstanceOf(CacheLookup.Found.class);
        millis += 1;
        assertThat(look()).isEqualTo(NO_TRUST);
        cache.observe();
        assertThat(look()).isInstanceOf(CacheLookup.Found.class);
    }

    @Test
    void neverObservesForALookUp() {
        trusted();
        int before = node.observations();

        look();

        assertThat(node.observations()).isEqualTo(before);
    }

    @Test
    void usesNoHitOfARestartedNodeUntilThatIsSwept() {
        trusted();

        node.restart();
        assertThat(look()).isEqualTo(NO_TRUST);
        cache.observe();
        assertThat(look()).isEqualTo(NO_TRUST);
        assertThat(cache.distrust()).contains("the cache is not swept");
        node.markSwept(node.run());
        cache.observe();
        assertThat(look()).isEqualTo(new CacheLookup.Absent());
    }

    @Test
    void usesNoHitThatCameOverAnotherConnectionThanWasObserved() {
        LinkCache reconnecting =
                looking(
                        () -> {
                            node.reconnect();
                        });
        TrustedLinkCache over = over(reconnecting, TrustRule.VERIFIED);
        node.markSwept(node.run());
        over.observe();

        assertThat(over.look(CODE).toCompletableFuture().join()).isEqualTo(NO_TRUST);
    }

    @Test
    void usesNoHitThatCameAfterTheSecondWasOver() {
        TrustedLinkCache over = over(looking(() -> millis += 1_000), TrustRule.VERIFIED);
        node.markSwept(node.run());
        over.observe();

        assertThat(over.look(CODE).toCompletableFuture().join()).isEqualTo(NO_TRUST);
    }

    @Test
    void usesNoHitAfterTheNodeWasFoundToBeAReplica() {
        trusted();
        node.deny(Optional.of("the node is a replica"));
        cache.observe();

        assertThat(look()).isEqualTo(NO_TRUST);
        assertThat(cache.distrust()).contains("the node is a replica");
    }

    @Test
    void confirmsAtOnceOnARunThatHasLastedASecond() {
        cache.observe();
        millis += 1_001;
        cache.observe();
        long before = millis;

        assertThat(confirm()).isInstanceOf(SettleOutcome.Accepted.class);
        assertThat(millis).isEqualTo(before);
    }

    @Test
    void confirmsOnARunThatIsNotSwept() {
        assertThat(confirm()).isInstanceOf(SettleOutcome.Accepted.class);
        assertThat(cache.trust().swept()).isFalse();
    }

    @Test
    void waitsTheSecondAfterAChangeOfRunAndReportsThen() {
        cache.observe();
        millis += 5_000;
        node.promote();
        cache.observe();
        long before = millis;

        assertThat(confirm()).isInstanceOf(SettleOutcome.Accepted.class);
        assertThat(millis - before).isBetween(1_000L, 1_200L);
    }

    @Test
    void observesByItselfBeforeItConfirms() {
        assertThat(confirm()).isInstanceOf(SettleOutcome.Accepted.class);
        assertThat(node.observations()).isPositive();
    }

    @Test
    void doesNotConfirmWhenTheConnectionChangesWhileItWaits() {
        whilePausing = node::restart;

        assertThat(confirm()).isInstanceOf(SettleOutcome.Unknown.class);
    }

    @Test
    void doesNotConfirmWhatWasWrittenOverAConnectionThatChangedMeanwhile() {
        cache.observe();
        millis += 2_000;
        TrustedLinkCache over =
                over(
                        new Forwarding(memory) {
                            @Override
                            public SettleOutcome settleConfirmed(
                                    Lease lease, Settlement settlement) {
                                SettleOutcome outcome = super.settleConfirmed(lease, settlement);
                                node.reconnect();
                                return outcome;
                            }
                        },
                        TrustRule.VERIFIED);

        assertThat(over.settleConfirmed(lease(), new Settlement.Release()))
                .isInstanceOf(SettleOutcome.Unknown.class);
    }

    @Test
    void doesNotConfirmOnANodeThatNobodyCanVerify() {
        cache.observe();
        millis += 2_000;
        node.cutOff(Optional.of("no answer"));
        long before = millis;

        assertThat(confirm()).isInstanceOf(SettleOutcome.Unknown.class);
        assertThat(millis - before).isBetween(1_500L, 1_700L);
    }

    @Test
    void doesNotConfirmOnANodeThatIsNoPrimary() {
        cache.observe();
        millis += 2_000;
        node.deny(Optional.of("not named"));

        assertThat(confirm()).isInstanceOf(SettleOutcome.Unknown.class);
    }

    @Test
    void passesRefusalsOn() {
        Lease old = lease();
        lease();

        assertThat(cache.settleConfirmed(old, new Settlement.Release()))
                .isEqualTo(new SettleOutcome.Refused());
    }

    @Test
    void takesADurableStoreAsItIs() {
        memory.put(CODE, record(1, true));
        node.cutOff(Optional.of("no answer"));
        TrustedLinkCache durable = over(memory, TrustRule.DURABLE);

        assertThat(durable.look(CODE).toCompletableFuture().join())
                .isInstanceOf(CacheLookup.Found.class);
        assertThat(durable.settleConfirmed(lease(), new Settlement.Release()))
                .isInstanceOf(SettleOutcome.Accepted.class);
        assertThat(node.observations()).isZero();
    }

    private void trusted() {
        node.markSwept(node.run());
        cache.observe();
    }

    private CacheLookup look() {
        return cache.look(CODE).toCompletableFuture().join();
    }

    private Lease lease() {
        return ((LeaseAttempt.Taken) cache.forceLease(CODE)).lease();
    }

    private SettleOutcome confirm() {
        return cache.settleConfirmed(
                lease(), new Settlement.Write(record(2, true), Duration.ofHours(1)));
    }

    private static CacheRecord record(long version, boolean deleted) {
        return new CacheRecord.Tombstone(
                new Stamp(START.toEpochMilli(), version, deleted), START.plusSeconds(3_600));
    }

    private LinkCache looking(Runnable meanwhile) {
        return new Forwarding(memory) {
            @Override
            public CompletionStage<CacheLookup> look(ShortCode code) {
                meanwhile.run();
                return CompletableFuture.completedFuture(new CacheLookup.Absent());
            }
        };
    }

    /** Passes everything on. */
    private static class Forwarding implements LinkCache {
        private final LinkCache inner;

        Forwarding(LinkCache inner) {
            this.inner = inner;
        }

        @Override
        public CompletionStage<CacheLookup> look(ShortCode code) {
            return inner.look(code);
        }

        @Override
        public LeaseAttempt askLease(ShortCode code) {
            return inner.askLease(code);
        }

        @Override
        public LeaseAttempt forceLease(ShortCode code) {
            return inner.forceLease(code);
        }

        @Override
        public SettleOutcome settle(Lease lease, Settlement settlement) {
            return inner.settle(lease, settlement);
        }

        @Override
        public SettleOutcome settleConfirmed(Lease lease, Settlement settlement) {
            return inner.settleConfirmed(lease, settlement);
        }
    }
}
