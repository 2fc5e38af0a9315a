package dev.headstone.redirect;

import static dev.headstone.redirect.TestBench.CODE;
import static dev.headstone.redirect.TestBench.NOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.headstone.table.InMemoryLinkTable;
import dev.headstone.table.InMemoryVisitTable;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class VisitScheduleTest {
    private static final VisitPace PACE =
            new VisitPace(Duration.ofSeconds(2), Duration.ofSeconds(60));

    private final InMemoryVisitTable table = new InMemoryVisitTable(new InMemoryLinkTable());
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final VisitCounter counter =
            new VisitCounter(
                    table, new SettableClock(NOW), () -> UUID.randomUUID().toString(), registry);
    private final AtomicLong nanos = new AtomicLong();

    @ParameterizedTest(name = "after a flush of {0} the next one is {1} later")
    @CsvSource({"PT0S, PT2S", "PT0.03S, PT2S", "PT0.1S, PT6S", "PT1S, PT1M", "PT9S, PT1M"})
    void leavesTheClicksAlmostAllOfTheTime(Duration flush, Duration pause) {
        assertThat(PACE.after(flush)).isEqualTo(pause);
    }

    @Test
    void refusesAPaceThatIsNone() {
        assertThatThrownBy(() -> new VisitPace(Duration.ZERO, Duration.ofSeconds(1)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new VisitPace(Duration.ofSeconds(2), Duration.ofSeconds(1)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void flushesAtTheEndOfARequestOnlyWhenTheTimeIsOver() {
        try (VisitSchedule schedule = schedule(PACE)) {
            visit();
            nanos.set(Duration.ofMillis(1_999).toNanos());
            assertThat(schedule.flushIfDue()).isEqualTo(Duration.ofMillis(1));
            assertThat(table.total(CODE)).isZero();

            nanos.set(Duration.ofSeconds(2).toNanos());
            assertThat(schedule.flushIfDue()).isEqualTo(Duration.ofSeconds(2));
            assertThat(table.total(CODE)).isEqualTo(1);
        }
    }

    @Test
    void flushesByItselfOnceStarted() {
        VisitPace quick = new VisitPace(Duration.ofMillis(1), Duration.ofSeconds(1));
        try (VisitSchedule _ =
                new VisitSchedule(counter, quick, System::nanoTime, registry).start()) {
            visit();
            Awaitility.await()
                    .atMost(Duration.ofSeconds(10))
                    .untilAsserted(() -> assertThat(table.total(CODE)).isEqualTo(1));
        }
        assertThat(registry.get("headstone.visit.flush").timer().count()).isPositive();
    }

    @Test
    void losesNothingWhenItIsClosed() {
        try (VisitSchedule _ = schedule(PACE).start()) {
            visit();
        }

        assertThat(table.total(CODE)).isEqualTo(1);
    }

    private VisitSchedule schedule(VisitPace pace) {
        return new VisitSchedule(counter, pace, nanos::get, registry);
    }

    private void visit() {
        counter.note(CODE, 1, Optional.empty(), NOW);
    }
}
