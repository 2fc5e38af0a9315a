package dev.headstone.proof.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headstone.cache.CacheLookup;
import dev.headstone.cache.CacheRecord;
import dev.headstone.cache.Lease;
import dev.headstone.cache.LeaseAttempt;
import dev.headstone.cache.LinkCache;
import dev.headstone.cache.RealRedis;
import dev.headstone.cache.SettleOutcome;
import dev.headstone.cache.Settlement;
import dev.headstone.link.ShortCode;
import dev.headstone.link.Stamp;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A small campaign holds, and campaigns over what breaks a promise find it. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("slow")
final class CampaignTest {
    private static final Duration BUDGET = Duration.ofSeconds(8);

    @TempDir private Path folder;

    @Test
    void nothingIsFoundInWhatShips() throws Exception {
        CampaignReport report = campaign(2_000, 24, UnaryOperator.identity());

        assertThat(report.findings()).as(() -> stories(report)).isEmpty();
        assertThat(report.holds()).isTrue();
        assertThat(report.trials()).isPositive();
        assertThat(report.receipts()).isGreaterThan(report.trials());
        assertThat(report.injected()).isPositive();
    }

    @Test
    void aTakedownThatWritesNoTombstoneServesDeadLinks() throws Exception {
        CampaignReport report = campaign(300, 0, cache -> new Unwritten(cache, Stamp::deleted));

        assertThat(report.count(Damage.DEAD_SERVED)).isPositive();
        assertThat(report.holds()).isFalse();
        assertThat(report.findings().getFirst().story()).isNotEmpty();
        assertThat(report.findings().getFirst().text()).contains("in trial ");
    }

    @Test
    void aTimeoutThatCountsAsWrittenServesDeadLinks() throws Exception {
        CampaignReport report = campaign(300, 0, Hopeful::new);

        assertThat(report.count(Damage.DEAD_SERVED)).isPositive();
    }

    @Test
    void aRestoreThatLeavesTheTombstoneHidesLiveLinks() throws Exception {
        CampaignReport report =
                campaign(300, 0, cache -> new Unwritten(cache, it -> !it.deleted()));

        assertThat(report.count(Damage.LIVE_HIDDEN)).isPositive();
    }

    private CampaignReport campaign(
            long trials, int roughLanes, UnaryOperator<LinkCache> alteration)
            throws IOException, InterruptedException {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        CampaignSettings settings =
                new CampaignSettings(
                        seed,
                        BUDGET,
                        trials,
                        32,
                        roughLanes,
                        List.of(RealRedis.executable()),
                        folder);
        return new Campaign(settings, Clock.tickMillis(ZoneOffset.UTC), alteration).run(_ -> {});
    }

    private static String stories(CampaignReport report) {
        return report.findings().stream().map(Finding::text).collect(Collectors.joining("\n"));
    }

    /** As the one behind it. */
    private static class Front implements LinkCache {
        private final LinkCache behind;

        Front(LinkCache behind) {
            this.behind = behind;
        }

        @Override
        public CompletionStage<CacheLookup> look(ShortCode code) {
            return behind.look(code);
        }

        @Override
        public LeaseAttempt askLease(ShortCode code) {
            return behind.askLease(code);
        }

        @Override
        public LeaseAttempt forceLease(ShortCode code) {
            return behind.forceLease(code);
        }

        @Override
        public SettleOutcome settle(Lease lease, Settlement settlement) {
            return behind.settle(lease, settlement);
        }

        @Override
        public SettleOutcome settleConfirmed(Lease lease, Settlement settlement) {
            return behind.settleConfirmed(lease, settlement);
        }
    }

    /** Says that it wrote what it did not write. */
    private static final class Unwritten extends Front {
        private final Predicate<Stamp> which;

        Unwritten(LinkCache behind, Predicate<Stamp> which) {
            super(behind);
            this.which = which;
        }

        @Override
        public SettleOutcome settleConfirmed(Lease lease, Settlement settlement) {
            if (settlement instanceof Settlement.Write(CacheRecord record, var _)
                    && which.test(record.stamp())) {
                return new SettleOutcome.Accepted(Optional.of(record.stamp()));
            }
            if (settlement instanceof Settlement.DropOlder(Stamp live) && which.test(live)) {
                return new SettleOutcome.Accepted(Optional.empty());
            }
            return super.settleConfirmed(lease, settlement);
        }
    }

    /** Loses one confirmed write in four, and takes each for written. */
    private static final class Hopeful extends Front {
        private int writes;

        Hopeful(LinkCache behind) {
            super(behind);
        }

        @Override
        public synchronized SettleOutcome settleConfirmed(Lease lease, Settlement settlement) {
            if (++writes % 4 == 0
                    && settlement instanceof Settlement.Write(CacheRecord record, var _)) {
                return new SettleOutcome.Accepted(Optional.of(record.stamp()));
            }
            return super.settleConfirmed(lease, settlement);
        }
    }
}
