package dev.headstone.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headstone.cache.CacheNode;
import dev.headstone.cache.CacheRecord;
import dev.headstone.cache.CacheRun;
import dev.headstone.cache.InMemoryCacheNode;
import dev.headstone.cache.InMemoryLinkCache;
import dev.headstone.cache.MarkOutcome;
import dev.headstone.cache.NodeView;
import dev.headstone.cache.Settler;
import dev.headstone.cache.TrustRule;
import dev.headstone.cache.TrustedLinkCache;
import dev.headstone.freshness.Freshness;
import dev.headstone.link.Cause;
import dev.headstone.link.LastChange;
import dev.headstone.link.Link;
import dev.headstone.link.ShortCode;
import dev.headstone.table.ChangeOutcome;
import dev.headstone.table.InMemoryDeathIndex;
import dev.headstone.table.InMemoryLinkTable;
import dev.headstone.table.Links;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class SweepTest {
    private static final Instant NOW = Links.NOW.plus(Duration.ofHours(40));
    private static final Duration HOUR = Duration.ofHours(1);

    private final InstantSource clock = InstantSource.fixed(NOW);
    private final InMemoryLinkCache memory = new InMemoryLinkCache(clock);
    private final InMemoryCacheNode node = new InMemoryCacheNode().holdsSomething();
    private final InMemoryLinkTable table = new InMemoryLinkTable();
    private final InMemoryDeathIndex index = new InMemoryDeathIndex(table, 3);
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final TrustedLinkCache cache =
            new TrustedLinkCache(memory, node, TrustRule.VERIFIED_ALONE, this::nanos, clock);
    private final Settler settler =
            new Settler(cache, table, clock, Duration.ofSeconds(2), () -> {});
    private long nanos;
    private final AtomicLong paused = new AtomicLong();
    private final Sweep sweep = sweep(node, settings(4, Duration.ofMinutes(4)));

    private Sweep sweep(CacheNode observed, SweepSettings settings) {
        return new Sweep(
                index,
                settler,
                observed,
                clock,
                this::nanos,
                settings,
                meters,
                wait -> paused.addAndGet(wait.toNanos()));
    }

    private static SweepSettings settings(int concurrency, Duration budget) {
        return new SweepSettings(
                Freshness.SWEPT_BACK, Duration.ofMinutes(1), concurrency, 1_000, budget);
    }

    private long nanos() {
        return nanos;
    }

    @BeforeEach
    void observe() {
        cache.observe();
    }

    @Test
    void entombsWhatDiedLatelyAndComesBackAlive() {
        List<Link> dead = IntStream.range(0, 40).mapToObj(i -> comesBack("c-" + i, HOUR)).toList();

        assertThat(sweep.run()).isEqualTo(new SweepOutcome.Swept(node.run(), 40, Duration.ZERO));
        for (Link link : dead) {
            assertThat(memory.record(link.code()).orElseThrow().stamp()).isEqualTo(link.stamp());
        }
        assertThat(counted("headstone.tombstones", "confirmed")).isEqualTo(40);
        assertThat(counted("headstone.sweeps", "finished")).isEqualTo(1);
    }

    @Test
    void makesTheRunBelievable() {
        assertThat(cache.distrust()).contains("the cache is not swept");

        sweep.run();

        cache.observe();
        assertThat(cache.distrust()).isEmpty();
    }

    @Test
    void looksBackTwentyFiveHours() {
        Link last = comesBack("last", Duration.ofHours(25));
        Link older = comesBack("older", Duration.ofHours(27));

        sweep.run();

        assertThat(memory.record(last.code()).orElseThrow().stamp()).isEqualTo(last.stamp());
        assertThat(memory.record(older.code()).orElseThrow().stamp().deleted()).isFalse();
    }

    @Test
    void dropsTheTombstoneOfALinkThatLivesAgain() {
        Link dead = comesBack("restored", HOUR);
        memory.put(dead.code(), CacheRecord.of(dead, NOW, NOW));
        table.put(dead.revived(change(NOW), Optional.empty()));

        assertThat(sweep.run()).isInstanceOf(SweepOutcome.Swept.class);
        assertThat(memory.raw(dead.code())).isEmpty();
    }

    @Test
    void dropsTheRecordOfAPurgedLink() {
        Link dead = comesBack("purged", HOUR);
        table.remove(dead.code());

        assertThat(sweep.run()).isInstanceOf(SweepOutcome.Swept.class);
        assertThat(memory.raw(dead.code())).isEmpty();
    }

    @Test
    void dropsTheRecordOfALinkThatCannotBeRead() {
        Link dead = comesBack("unreadable", HOUR);
        table.putUnreadable(dead.code(), "no version");

        assertThat(sweep.run()).isInstanceOf(SweepOutcome.Swept.class);
        assertThat(memory.raw(dead.code())).isEmpty();
    }

    @Test
    void doesNotMarkARunWhileOneSettlementFails() {
        comesBack("good", HOUR);
        Link bad = comesBack("bad", Duration.ofHours(2));
        memory.unreachableFor(bad.code());

        assertThat(sweep.run()).isInstanceOf(SweepOutcome.Unfinished.class);
        assertThat(swept()).isFalse();
        assertThat(counted("headstone.tombstones", "failed")).isEqualTo(1);
        assertThat(counted("headstone.sweeps", "unfinished")).isEqualTo(1);
    }

    @Test
    void doesNotMarkARunWhoseTombstonesAreNotConfirmed() {
        comesBack("good", HOUR);
        memory.unconfirmed(true);

        assertThat(sweep.run()).isInstanceOf(SweepOutcome.Unfinished.class);
        assertThat(swept()).isFalse();

        memory.unconfirmed(false);
        assertThat(sweep.run()).isInstanceOf(SweepOutcome.Swept.class);
        assertThat(swept()).isTrue();
    }

    @Test
    void doesNotMarkARunWhileTheTableDoesNotAnswer() {
        comesBack("good", HOUR);
        table.failing(true);

        assertThat(sweep.run()).isEqualTo(new SweepOutcome.Unfinished("the table: IOException"));
        assertThat(swept()).isFalse();
    }

    @Test
    void goesOnWhereItHadToStop() {
        IntStream.range(0, 40).forEach(i -> comesBack("c-" + i, HOUR));
        int partitions = 26 * 8;
        index.failAfter(partitions / 2);
        assertThat(sweep.run()).isInstanceOf(SweepOutcome.Unfinished.class);
        index.recover();

        assertThat(sweep.run()).isEqualTo(new SweepOutcome.Swept(node.run(), 40, Duration.ZERO));
        assertThat(index.reads()).isLessThan(partitions + 40);
    }

    @Test
    void startsOverWhenTheRunChangedBetweenTwoCalls() {
        Link first = comesBack("first", Duration.ofHours(24));
        Link second = comesBack("second", HOUR);
        memory.unreachableFor(second.code());
        assertThat(sweep.run()).isInstanceOf(SweepOutcome.Unfinished.class);
        node.restart();
        revive(first);

        assertThat(sweep.run()).isInstanceOf(SweepOutcome.Unfinished.class);
        assertThat(memory.record(first.code()).orElseThrow().stamp()).isEqualTo(first.stamp());
    }

    @Test
    void doesNotMarkARunThatBeganUnderTheSweep() {
        comesBack("good", HOUR);
        CacheNode restarting =
                new Observed(node) {
                    @Override
                    public NodeView observe() {
                        NodeView view = super.observe();
                        if (observations() == 1) {
                            InMemoryCacheNode restarted = SweepTest.this.node;
                            restarted.promote(); // the connections stay
                        }
                        return view;
                    }
                };

        assertThat(sweep(restarting, settings(1, Duration.ofMinutes(4))).run())
                .isEqualTo(new SweepOutcome.RunChanged());
        assertThat(swept()).isFalse();
        assertThat(counted("headstone.sweeps", "run_changed")).isEqualTo(1);
    }

    @Test
    void startsOverWhenTheConnectionsChangedUnderTheSweep() {
        IntStream.range(0, 10).forEach(i -> comesBack("c-" + i, HOUR));
        CacheNode reconnecting =
                new Observed(node) {
                    @Override
                    public NodeView observe() {
                        NodeView view = super.observe();
                        if (observations() == 1) {
                            SweepTest.this.node.reconnect();
                        }
                        return view;
                    }
                };

        Sweep over = sweep(reconnecting, settings(4, Duration.ofMinutes(4)));
        assertThat(over.run()).isEqualTo(new SweepOutcome.RunChanged());
        assertThat(over.run()).isInstanceOf(SweepOutcome.Swept.class);
    }

    @Test
    void sweepsNothingThatIsNoPrimary() {
        node.deny(Optional.of("the node is a replica"));
        assertThat(sweep.run()).isEqualTo(new SweepOutcome.Unfinished("the node is a replica"));

        node.deny(Optional.empty());
        node.cutOff(Optional.of("no answer"));
        assertThat(sweep.run()).isEqualTo(new SweepOutcome.Unfinished("no answer"));
        assertThat(index.reads()).isZero();
    }

    @Test
    void stopsAfterItsTimeAndGoesOnWithTheNextCall() {
        IntStream.range(0, 40).forEach(i -> comesBack("c-" + i, HOUR));
        CacheNode slow =
                new Observed(node) {
                    @Override
                    public long incarnation() {
                        nanos += Duration.ofSeconds(1).toNanos();
                        return super.incarnation();
                    }
                };
        Sweep halting = sweep(slow, settings(1, Duration.ofMinutes(2)));

        assertThat(halting.run()).isInstanceOf(SweepOutcome.Unfinished.class);
        assertThat(halting.run()).isInstanceOf(SweepOutcome.Swept.class);
    }

    @Test
    void settlesNoMoreInASecondThanItMay() {
        IntStream.range(0, 40).forEach(i -> comesBack("c-" + i, HOUR));

        sweep(node, settings(1, Duration.ofMinutes(4))).run();

        assertThat(Duration.ofNanos(paused.get())).isEqualTo(Duration.ofMillis(40));
    }

    private boolean swept() {
        return ((NodeView.Primary) node.observe()).swept();
    }

    /** A link that died {@code ago}, and whose record the cache holds as if it had not. */
    private Link comesBack(String code, Duration ago) {
        Link link = Links.createdAt(new ShortCode(code), Links.NOW);
        table.put(link);
        Link dead =
                link.ended(
                        Cause.TAKEDOWN,
                        change(NOW.minus(ago)),
                        Freshness.purgeOfDead(Cause.TAKEDOWN, NOW.minus(ago)));
        assertThat(table.change(link, dead)).isEqualTo(new ChangeOutcome.Changed());
        revive(dead);
        return dead;
    }

    private void revive(Link dead) {
        Link link = Links.createdAt(dead.code(), Links.NOW);
        memory.put(dead.code(), CacheRecord.of(link, NOW, NOW));
    }

    private static LastChange change(Instant at) {
        return new LastChange(at, "bob", Optional.of("phishing"), UUID.randomUUID().toString());
    }

    private double counted(String name, String result) {
        return Objects.requireNonNull(meters.find(name).tag("result", result).counter()).count();
    }

    /** Passes everything on, and counts. */
    private static class Observed implements CacheNode {
        private final CacheNode inner;
        private int observations;

        Observed(CacheNode inner) {
            this.inner = inner;
        }

        int observations() {
            return observations;
        }

        @Override
        public NodeView observe() {
            observations++;
            return inner.observe();
        }

        @Override
        public long incarnation() {
            return inner.incarnation();
        }

        @Override
        public MarkOutcome markSwept(CacheRun run) {
            return inner.markSwept(run);
        }
    }
}
