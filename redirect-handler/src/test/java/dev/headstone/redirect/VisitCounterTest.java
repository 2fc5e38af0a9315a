package dev.headstone.redirect;

import static dev.headstone.redirect.TestBench.CODE;
import static dev.headstone.redirect.TestBench.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headstone.link.ShortCode;
import dev.headstone.redirect.VisitCounter.Flushed;
import dev.headstone.table.InMemoryLinkTable;
import dev.headstone.table.InMemoryVisitTable;
import dev.headstone.table.VisitTable;
import dev.headstone.table.Visits;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class VisitCounterTest {
    private static final ShortCode OTHER = new ShortCode("def");

    private final SettableClock clock = new SettableClock(NOW);
    private final InMemoryVisitTable table = new InMemoryVisitTable(new InMemoryLinkTable());
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final AtomicInteger ids = new AtomicInteger();
    private final VisitCounter counter = counter(1_000);

    private VisitCounter counter(int most) {
        return new VisitCounter(
                table,
                clock,
                () -> "batch-" + ids.getAndIncrement(),
                new VisitTallies(1, most),
                registry);
    }

    @Test
    void writesNothingOnAClickAndEverythingWithAFlush() {
        visit(CODE, 3);
        visit(OTHER, 1);
        assertThat(table.batches()).isEmpty();

        assertThat(counter.flush()).isEqualTo(Flushed.ALL);

        assertThat(table.batches()).hasSize(1);
        assertThat(table.total(CODE)).isEqualTo(3);
        assertThat(table.total(OTHER)).isEqualTo(1);
        assertThat(visits("written")).isEqualTo(4);
    }

    @Test
    void asksTheTableNothingWhenThereIsNothingToWrite() {
        assertThat(counter.flush()).isEqualTo(Flushed.ALL);
        assertThat(table.batches()).isEmpty();
    }

    @Test
    void writesBatchesThatATransactionTakes() {
        for (int i = 0; i < 250; i++) {
            visit(new ShortCode("code-" + i), 1);
        }

        assertThat(counter.flush()).isEqualTo(Flushed.ALL);

        assertThat(table.batches()).extracting(List::size).containsExactly(100, 100, 50);
    }

    @Test
    void writesNoItemTwiceInOneBatch() {
        visit(CODE, 1);
        clock.advance(Duration.ofDays(1));
        visit(CODE, 1);

        assertThat(counter.flush()).isEqualTo(Flushed.ALL);

        assertThat(table.batches()).hasSize(2);
        for (List<Visits> batch : table.batches()) {
            Set<ShortCode> codes = new HashSet<>();
            assertThat(batch).allMatch(visits -> codes.add(visits.code()));
        }
        assertThat(table.total(CODE)).isEqualTo(2);
    }

    @Test
    void doublesNothingWhoseOutcomeItDoesNotKnow() {
        visit(CODE, 3);
        table.loseNextReply();
        assertThat(counter.flush()).isEqualTo(Flushed.PARTLY);
        visit(CODE, 2);

        assertThat(counter.flush()).isEqualTo(Flushed.ALL);

        assertThat(table.total(CODE)).isEqualTo(5);
        assertThat(table.batches()).hasSize(3);
        assertThat(table.batches().get(1)).isEqualTo(table.batches().get(0));
        assertThat(visits("written")).isEqualTo(5);
        assertThat(visits("lost")).isZero();
    }

    @Test
    void asksOnceAFlushWhileTheTableDoesNotAnswerAndGoesOnCounting() {
        for (int i = 0; i < 250; i++) {
            visit(new ShortCode("code-" + i), 1);
        }
        table.failing(true);

        assertThat(counter.flush()).isEqualTo(Flushed.PARTLY);
        assertThat(counter.flush()).isEqualTo(Flushed.PARTLY);
        assertThat(table.batches()).hasSize(2);

        visit(CODE, 1);
        table.failing(false);
        assertThat(counter.flush()).isEqualTo(Flushed.ALL);
        assertThat(visits("written")).isEqualTo(251);
        assertThat(batches("unknown")).isEqualTo(2);
    }

    @Test
    void givesABatchUpRatherThanCountItTwiceWhenItsIdMayBeForgotten() {
        visit(CODE, 3);
        table.loseNextReply();
        counter.flush();
        clock.advance(VisitTable.REMEMBERED);
        visit(CODE, 1);

        assertThat(counter.flush()).isEqualTo(Flushed.ALL);

        assertThat(visits("lost")).isEqualTo(3);
        assertThat(table.total(CODE)).isEqualTo(4);
        assertThat(table.batches()).hasSize(2);
    }

    @Test
    void keepsWhatIsKnownNotToBeWritten() {
        visit(CODE, 3);
        table.refusing(true);
        assertThat(counter.flush()).isEqualTo(Flushed.PARTLY);
        clock.advance(VisitTable.REMEMBERED);
        visit(CODE, 1);
        table.refusing(false);

        assertThat(counter.flush()).isEqualTo(Flushed.ALL);

        assertThat(table.total(CODE)).isEqualTo(4);
        assertThat(visits("lost")).isZero();
        assertThat(batches("turned_down")).isEqualTo(1);
    }

    @Test
    void stopsAskingATableThatRefusesEverything() {
        for (int i = 0; i < 900; i++) {
            visit(new ShortCode("code-" + i), 1);
        }
        table.refusing(true);

        assertThat(counter.flush()).isEqualTo(Flushed.PARTLY);

        assertThat(table.batches()).hasSize(3);
    }

    @Test
    void writesTheOthersWhileSomebodyElseWritesOne() {
        visit(CODE, 3);
        visit(OTHER, 1);
        table.busy(CODE, true);

        assertThat(counter.flush()).isEqualTo(Flushed.PARTLY);
        assertThat(table.total(OTHER)).isEqualTo(1);

        table.busy(CODE, false);
        assertThat(counter.flush()).isEqualTo(Flushed.ALL);
        assertThat(table.total(CODE)).isEqualTo(3);
        assertThat(table.total(OTHER)).isEqualTo(1);
    }

    @Test
    void letsWhatCannotBeCountedHoldNothingUp() {
        visit(CODE, 3);
        visit(OTHER, 1);
        table.hopeless(CODE);

        assertThat(counter.flush()).isEqualTo(Flushed.ALL);

        assertThat(table.total(OTHER)).isEqualTo(1);
        assertThat(visits("lost")).isEqualTo(3);
        assertThat(counter.flush()).isEqualTo(Flushed.ALL);
    }

    @Test
    void shedsAndCountsWhatItHasNoRoomFor() {
        VisitCounter small = counter(2);
        small.note(CODE, 1, Optional.empty(), NOW);
        small.note(CODE, 2, Optional.empty(), NOW);
        small.note(CODE, 3, Optional.empty(), NOW);
        small.note(CODE, 2, Optional.empty(), NOW);

        small.flush();

        assertThat(visits("shed")).isEqualTo(1);
        assertThat(table.total(CODE)).isEqualTo(3);
    }

    @Test
    void hasAllItsMetersFromTheStart() {
        assertThat(List.of(visits("written"), visits("lost"), visits("shed"))).containsOnly(0.0);
        assertThat(List.of(batches("written"), batches("turned_down"), batches("unknown")))
                .containsOnly(0.0);
    }

    private void visit(ShortCode code, int times) {
        for (int visit = 0; visit < times; visit++) {
            counter.note(code, 1, Optional.empty(), clock.instant());
        }
    }

    private double visits(String result) {
        return registry.get("headstone.visits").tag("result", result).counter().count();
    }

    private double batches(String result) {
        return registry.get("headstone.visit.batches").tag("result", result).counter().count();
    }
}
