package dev.headstone.redirect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.headstone.link.ShortCode;
import dev.headstone.table.Visits;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class VisitTalliesTest {
    private static final ShortCode CODE = new ShortCode("abc");
    private static final Instant NOW = Instant.parse("2026-12-01T23:59:59.990Z");
    private static final Optional<Instant> NEVER = Optional.empty();

    private final VisitTallies tallies = new VisitTallies(4, 400);

    @Test
    void addsUpByLinkAndDay() {
        note(CODE, 1, NOW);
        note(CODE, 1, NOW.plusMillis(5));
        note(CODE, 1, NOW.plusMillis(10));
        note(CODE, 2, NOW);

        assertThat(tallies.collect())
                .containsExactlyInAnyOrder(
                        visits(1, "2026-12-01", 2, NOW.plusMillis(5)),
                        visits(1, "2026-12-02", 1, NOW.plusMillis(10)),
                        visits(2, "2026-12-01", 1, NOW));
        assertThat(tallies.collect()).isEmpty();
    }

    @Test
    void putsTogetherWhatSeveralThreadsNoted() throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
            for (int thread = 0; thread < 8; thread++) {
                threads.execute(() -> note(CODE, 1, NOW));
            }
        }

        assertThat(tallies.collect()).containsExactly(visits(1, "2026-12-01", 8, NOW));
    }

    @Test
    void losesNothingAndDoublesNothingWhileItIsCollected() throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        AtomicLong noted = new AtomicLong();
        AtomicLong collected = new AtomicLong();
        CountDownLatch begun = new CountDownLatch(4);
        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            for (int thread = 0; thread < 4; thread++) {
                threads.execute(
                        () -> {
                            begun.countDown();
                            while (!over.get()) {
                                note(CODE, 1, NOW);
                                noted.incrementAndGet();
                            }
                        });
            }
            assertThat(begun.await(10, TimeUnit.SECONDS)).isTrue();
            for (int round = 0; round < 20_000; round++) {
                tallies.collect().forEach(visits -> collected.addAndGet(visits.count()));
            }
            over.set(true);
        }
        tallies.collect().forEach(visits -> collected.addAndGet(visits.count()));

        assertThat(collected.get()).isEqualTo(noted.get()).isPositive();
    }

    @Test
    void hasRoomForSoManyAndForAllThatAreNotedAlready() {
        VisitTallies small = new VisitTallies(1, 2);

        assertThat(small.note(CODE, 1, NEVER, NOW)).isTrue();
        assertThat(small.note(CODE, 2, NEVER, NOW)).isTrue();
        assertThat(small.note(CODE, 3, NEVER, NOW)).isFalse();
        assertThat(small.note(CODE, 1, NEVER, NOW)).isTrue();
        assertThat(small.takeBack(visits(3, "2026-12-01", 1, NOW))).isFalse();
        assertThat(small.collect()).hasSize(2);
        assertThat(small.note(CODE, 3, NEVER, NOW)).isTrue();
    }

    @Test
    void takesBackWhatCouldNotBeWritten() {
        note(CODE, 1, NOW);
        List<Visits> collected = tallies.collect();
        note(CODE, 1, NOW.minus(Duration.ofSeconds(1)));

        assertThat(tallies.takeBack(collected.getFirst())).isTrue();

        assertThat(tallies.collect()).containsExactly(visits(1, "2026-12-01", 2, NOW));
    }

    @Test
    void refusesStripesThatHaveNoRoom() {
        assertThatThrownBy(() -> new VisitTallies(3, 100))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new VisitTallies(4, 3))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private void note(ShortCode code, long epoch, Instant now) {
        assertThat(tallies.note(code, epoch, NEVER, now)).isTrue();
    }

    private static Visits visits(long epoch, String day, long count, Instant last) {
        return new Visits(CODE, epoch, LocalDate.parse(day), count, last, NEVER);
    }
}
