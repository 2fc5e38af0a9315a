package dev.headstone.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headstone.link.Link;
import dev.headstone.link.ShortCode;
import dev.headstone.table.NotableLinks.Listing;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/**
 * What every {@link VisitTable} does, and the {@link NotableLinks} over the same table: the fakes
 * that tests use, and the adapter that ships. Each test begins with empty tables.
 */
public abstract class VisitTableContract {
    private static final Instant NOW = Instant.parse("2026-12-01T09:30:00.123Z");
    private static final ShortCode CODE = new ShortCode("abc");
    private static final long EPOCH = Links.NOW.toEpochMilli();

    /** The table that links are created through. */
    protected abstract LinkTable links();

    /** The table under test. */
    protected abstract VisitTable visits();

    /** The lists over it. */
    protected abstract NotableLinks lists();

    /** When the table may forget what it counted in the month of {@code day}. */
    protected abstract Optional<Instant> purgeAt(ShortCode code, long epoch, LocalDate day);

    @Test
    void hasNothingOfALinkThatNobodyVisited() {
        assertThat(history(CODE, EPOCH)).isEqualTo(VisitHistory.none());
        assertThat(history(CODE, EPOCH).total()).isZero();
    }

    @Test
    void addsUpByDay() {
        add(visited(CODE, 2, NOW));
        add(visited(CODE, 3, NOW.plusSeconds(60)));
        add(visited(CODE, 1, NOW.minus(Duration.ofDays(1))));

        VisitHistory history = history(CODE, EPOCH);
        assertThat(history.byDay())
                .isEqualTo(
                        new TreeMap<>(
                                Map.of(
                                        LocalDate.parse("2026-12-01"), 5L,
                                        LocalDate.parse("2026-11-30"), 1L)));
        assertThat(history.total()).isEqualTo(6);
        assertThat(history.last()).contains(NOW.plusSeconds(60));
    }

    @Test
    void addsABatchOnceHoweverOftenItIsOffered() {
        List<Visits> batch = List.of(visited(CODE, 2, NOW), visited(code("def"), 1, NOW));
        String id = UUID.randomUUID().toString();

        assertThat(visits().add(id, batch)).isEqualTo(new VisitsAdded.Added());
        assertThat(visits().add(id, batch)).isEqualTo(new VisitsAdded.Added());

        assertThat(history(CODE, EPOCH).total()).isEqualTo(2);
        assertThat(history(code("def"), EPOCH).total()).isEqualTo(1);
    }

    @Test
    void takesAFullBatch() {
        List<Visits> batch = new ArrayList<>();
        for (int i = 0; i < VisitTable.MOST_PER_BATCH; i++) {
            batch.add(visited(code("c" + i), i + 1, NOW));
        }

        assertThat(visits().add("full", batch)).isEqualTo(new VisitsAdded.Added());
        assertThat(history(code("c99"), EPOCH).total()).isEqualTo(100);
    }

    @Test
    void letsACodeThatIsCreatedAgainInheritNothing() {
        add(visited(CODE, 7, NOW));

        assertThat(history(CODE, EPOCH + 1)).isEqualTo(VisitHistory.none());
    }

    @Test
    void keepsWhatItCountedAsLongAsTheLink() {
        add(visited(CODE, 1, NOW));
        assertThat(purgeAt(CODE, EPOCH, Visits.dayOf(NOW))).isEmpty();

        Instant end = Instant.parse("2026-12-24T18:00:00Z");
        add(new Visits(CODE, EPOCH, Visits.dayOf(NOW), 1, NOW, Optional.of(end)));
        assertThat(purgeAt(CODE, EPOCH, Visits.dayOf(NOW))).contains(end);

        assertThat(visits().keepUntil(CODE, EPOCH, Optional.of(end.plusSeconds(9)))).isTrue();
        add(new Visits(CODE, EPOCH, Visits.dayOf(NOW), 1, NOW, Optional.of(end)));
        assertThat(purgeAt(CODE, EPOCH, Visits.dayOf(NOW))).contains(end.plusSeconds(9));

        assertThat(visits().keepUntil(CODE, EPOCH, Optional.empty())).isTrue();
        assertThat(purgeAt(CODE, EPOCH, Visits.dayOf(NOW))).isEmpty();
        assertThat(history(CODE, EPOCH).total()).isEqualTo(3);
    }

    @Test
    void changesTheEndOfEveryMonth() {
        add(visited(CODE, 1, NOW));
        add(visited(CODE, 1, NOW.minus(Duration.ofDays(40))));

        assertThat(visits().keepUntil(CODE, EPOCH, Optional.of(NOW.plusMillis(877)))).isTrue();

        assertThat(purgeAt(CODE, EPOCH, Visits.dayOf(NOW))).contains(NOW.plusMillis(877));
        assertThat(purgeAt(CODE, EPOCH, Visits.dayOf(NOW.minus(Duration.ofDays(40)))))
                .contains(NOW.plusMillis(877));
    }

    @Test
    void namesTheMostVisitedFirst() {
        for (int i = 1; i <= 30; i++) {
            add(visited(code("c" + i), i, NOW.minusSeconds(i)));
        }

        assertThat(codes(lists().mostVisited(3, NOW))).containsExactly("c30", "c29", "c28");
    }

    @Test
    void putsTheVisitsOfTwoMonthsTogether() {
        Instant before = NOW.minus(Duration.ofDays(20));
        add(visited(code("both"), 5, NOW));
        add(visited(code("both"), 4, before));
        add(visited(code("now"), 8, NOW));
        add(visited(code("before"), 7, before));
        add(visited(code("old"), 99, NOW.minus(Duration.ofDays(80))));

        assertThat(codes(lists().mostVisited(20, NOW))).containsExactly("both", "now", "before");
    }

    @Test
    void namesThoseVisitedLast() {
        add(visited(code("often"), 100, NOW.minusSeconds(9)));
        add(visited(code("lately"), 1, NOW.minusSeconds(1)));
        add(visited(code("last-month"), 50, NOW.minus(Duration.ofDays(3))));

        assertThat(codes(lists().visitedLast(20, NOW)))
                .containsExactly("lately", "often", "last-month");
        assertThat(codes(lists().visitedLast(1, NOW))).containsExactly("lately");
    }

    @Test
    void namesTheNewest() {
        for (int i = 1; i <= 25; i++) {
            Link link = Links.createdAt(code("c" + i), NOW.plusMillis(i));
            assertThat(links().create(link, Optional.empty()))
                    .isEqualTo(new CreateOutcome.Created());
        }

        assertThat(codes(lists().newest(3))).containsExactly("c25", "c24", "c23");
        assertThat(codes(lists().newest(100))).hasSize(25);
    }

    private static ShortCode code(String value) {
        return new ShortCode(value.length() < 3 ? value + "-" : value);
    }

    private static List<String> codes(Listing listing) {
        return ((Listing.Listed) listing)
                .codes().stream().map(code -> code.value().replaceFirst("-$", "")).toList();
    }

    private static Visits visited(ShortCode code, long count, Instant last) {
        return new Visits(code, EPOCH, Visits.dayOf(last), count, last, Optional.empty());
    }

    private void add(Visits visits) {
        assertThat(visits().add(UUID.randomUUID().toString(), List.of(visits)))
                .isEqualTo(new VisitsAdded.Added());
    }

    private VisitHistory history(ShortCode code, long epoch) {
        return ((VisitsRead.Counted) visits().read(code, epoch)).history();
    }
}
