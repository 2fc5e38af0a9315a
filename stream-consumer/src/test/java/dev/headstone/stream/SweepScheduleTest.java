package dev.headstone.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headstone.cache.InMemoryCacheNode;
import dev.headstone.cache.InMemoryLinkCache;
import dev.headstone.cache.Settler;
import dev.headstone.table.InMemoryDeathIndex;
import dev.headstone.table.InMemoryLinkTable;
import dev.headstone.table.Links;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Objects;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

final class SweepScheduleTest {
    private static final InstantSource CLOCK = InstantSource.fixed(Links.NOW);

    private final InMemoryCacheNode node = new InMemoryCacheNode().holdsSomething();
    private final InMemoryLinkTable table = new InMemoryLinkTable();
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final Sweep sweep =
            new Sweep(
                    new InMemoryDeathIndex(table),
                    new Settler(new InMemoryLinkCache(CLOCK), table, CLOCK, Duration.ofSeconds(2)),
                    node,
                    CLOCK,
                    System::nanoTime,
                    SweepSettings.DEFAULT,
                    meters);

    @Test
    void sweepsWhenItIsStarted() {
        try (SweepSchedule _ = new SweepSchedule(sweep, Duration.ofHours(1)).start()) {
            awaitFinished(1);
        }
    }

    @Test
    void sweepsAgainAfterAWhile() {
        try (SweepSchedule _ = new SweepSchedule(sweep, Duration.ofMillis(20)).start()) {
            awaitFinished(3);
        }
    }

    @Test
    void sweepsAtOnceWhenToldTo() {
        try (SweepSchedule schedule = new SweepSchedule(sweep, Duration.ofHours(1)).start()) {
            awaitFinished(1);
            node.restart();
            schedule.wake();
            awaitFinished(2);
        }
    }

    @Test
    void triesAgainUntilASweepIsFinished() {
        node.cutOff(Optional.of("no answer"));
        try (SweepSchedule _ = new SweepSchedule(sweep, Duration.ofHours(1)).start()) {
            Awaitility.await().until(() -> counted("unfinished") >= 2);
            node.cutOff(Optional.empty());
            awaitFinished(1);
        }
    }

    @Test
    void sweepsByHandToo() {
        try (SweepSchedule schedule = new SweepSchedule(sweep, Duration.ofHours(1))) {
            assertThat(schedule.sweepNow()).isInstanceOf(SweepOutcome.Swept.class);
        }
    }

    private void awaitFinished(int times) {
        Awaitility.await().until(() -> counted("finished") >= times);
    }

    private double counted(String result) {
        return Objects.requireNonNull(
                        meters.find("headstone.sweeps").tag("result", result).counter())
                .count();
    }
}
