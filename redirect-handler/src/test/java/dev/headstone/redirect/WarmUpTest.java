package dev.headstone.redirect;

import static dev.headstone.redirect.TestBench.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headstone.cache.CacheRecord.Active;
import dev.headstone.link.Cause;
import dev.headstone.link.Link;
import dev.headstone.link.ShortCode;
import dev.headstone.table.Links;
import dev.headstone.table.Visits;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

final class WarmUpTest {
    private final TestBench bench = new TestBench();

    @Test
    void cachesTheMostVisitedTheLastVisitedAndTheNewest() {
        for (int i = 0; i < 100; i++) {
            bench.items.put(Links.createdAt(code(i), NOW.minus(Duration.ofDays(1)).plusMillis(i)));
        }
        for (int i = 0; i < 50; i++) {
            visited(i, 1_000 - i, NOW.minusSeconds(1_000 - i)); // the first most, the last lately
        }

        warmUp();

        for (int i = 0; i < 100; i++) {
            boolean wanted = i < 20 || (i >= 30 && i < 50) || i >= 80;
            assertThat(bench.memory.record(code(i)).isPresent()).as("%s", i).isEqualTo(wanted);
        }
        assertThat(bench.memory.record(code(99))).get().isInstanceOf(Active.class);
        assertThat(count("cached")).isEqualTo(60);
        assertThat(bench.get(code(0).value()).cacheStatus()).isEqualTo("headstone; hit");
    }

    @Test
    void readsALinkOnceThatIsOnSeveralLists() {
        bench.items.put(Links.plain(code(1)));
        visited(1, 1, NOW);

        warmUp();

        assertThat(bench.items.calls()).containsExactly("read code-1");
        assertThat(bench.memory.calls()).containsExactly("ask code-1", "settle code-1 write");
    }

    @Test
    void cachesWhatTheTableSaysAndNotWhatTheListsSay() {
        Link dead = TestBench.dead(Links.plain(code(1)), Cause.TAKEDOWN);
        bench.items.put(dead);
        visited(1, 1, NOW);
        visited(2, 1, NOW); // purged since

        warmUp();

        assertThat(bench.memory.record(code(1)))
                .get()
                .satisfies(record -> assertThat(record.stamp().deleted()).isTrue());
        assertThat(bench.memory.record(code(2))).isEmpty();
    }

    @Test
    void writesNothingWhileAnotherHasTheLease() {
        bench.items.put(Links.plain(code(1)));
        bench.memory.forceLease(code(1));

        warmUp();

        assertThat(bench.memory.record(code(1))).isEmpty();
        assertThat(count("not_cached")).isEqualTo(1);
    }

    @Test
    void leavesTheRestToTheClicksWhenItTakesTooLong() {
        for (int i = 0; i < 20; i++) {
            bench.items.put(Links.createdAt(code(i), NOW.minusMillis(i)));
        }
        bench.table.beforeRead(() -> bench.clock.advance(Duration.ofMillis(2_500)));

        warmUp();

        assertThat(count("cached")).isEqualTo(4);
        assertThat(count("left_out")).isEqualTo(16);
    }

    @Test
    void goesOnInTheBackgroundAndEndsWhenItIsClosed() {
        bench.items.put(Links.plain(code(1)));
        try (WarmUp _ =
                new WarmUp(bench.visits, bench.service, bench.clock, bench.registry).start()) {
            Awaitility.await()
                    .atMost(Duration.ofSeconds(10))
                    .untilAsserted(() -> assertThat(bench.memory.record(code(1))).isPresent());
        }
    }

    @Test
    void countsTheListsThatTheTableDoesNotGive() {
        bench.visits.failing(true);

        warmUp();

        assertThat(bench.count("headstone.warm.up.lists.failed")).isEqualTo(3);
    }

    private void warmUp() {
        new WarmUp(bench.visits, bench.service, bench.clock, Duration.ZERO, bench.registry).warm();
    }

    private void visited(int number, int times, Instant last) {
        bench.visits.add(
                UUID.randomUUID().toString(),
                List.of(
                        new Visits(
                                code(number),
                                Links.NOW.toEpochMilli(),
                                Visits.dayOf(last),
                                times,
                                last,
                                Optional.empty())));
    }

    private double count(String result) {
        return bench.count("headstone.warm.up.links", "result", result);
    }

    private static ShortCode code(int number) {
        return new ShortCode("code-" + number);
    }
}
