package dev.headstone.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headstone.freshness.Freshness;
import dev.headstone.link.Cause;
import dev.headstone.link.LastChange;
import dev.headstone.link.Link;
import dev.headstone.link.ShortCode;
import dev.headstone.stream.StreamEntry.Change;
import dev.headstone.stream.StreamEntry.Operation;
import dev.headstone.table.InMemoryLinkTable;
import dev.headstone.table.InMemoryVisitTable;
import dev.headstone.table.Links;
import dev.headstone.table.Visits;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.YearMonth;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class CountedVisitsTest {
    private static final ShortCode CODE = new ShortCode("abc");
    private static final Instant NOW = Links.NOW.plus(Duration.ofHours(1));
    private static final Link LIVE = Links.plain(CODE);

    private final InMemoryVisitTable table = new InMemoryVisitTable(new InMemoryLinkTable());
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final CountedVisits visits = new CountedVisits(table, meters);

    @BeforeEach
    void visit() {
        table.add(
                "some",
                List.of(
                        new Visits(
                                CODE, LIVE.epoch(), Visits.dayOf(NOW), 3, NOW, Optional.empty())));
    }

    @Test
    void areForgottenWithALinkThatIsTakenDown() {
        Link dead = takenDown();

        visits.follow(change(Operation.MODIFY, Optional.of(LIVE), Optional.of(dead)));

        assertThat(purgeAt()).isEqualTo(dead.purgeAt()).isPresent();
    }

    @Test
    void areKeptWithALinkThatIsRestored() {
        Link dead = takenDown();
        visits.follow(change(Operation.MODIFY, Optional.of(LIVE), Optional.of(dead)));

        Link restored = dead.revived(changeBy("bob"), Optional.empty());
        visits.follow(change(Operation.MODIFY, Optional.of(dead), Optional.of(restored)));

        assertThat(purgeAt()).isEmpty();
    }

    @Test
    void areForgottenAtTheLatestWhenTheLinkIs() {
        visits.follow(change(Operation.REMOVE, Optional.of(LIVE), Optional.empty()));

        assertThat(purgeAt()).contains(NOW);
    }

    @Test
    void areLeftAloneByWhatDoesNotChangeTheEnd() {
        Link tagged =
                LIVE.altered(changeBy("olga"), Optional.empty(), Optional.empty(), List.of("x"));
        table.failing(true);

        visits.follow(change(Operation.INSERT, Optional.empty(), Optional.of(LIVE)));
        visits.follow(change(Operation.MODIFY, Optional.of(LIVE), Optional.of(tagged)));

        assertThat(count("followed")).isZero();
        assertThat(count("failed")).isZero();
    }

    @Test
    void holdNothingUpWhenTheirTableDoesNotAnswer() {
        table.failing(true);

        visits.follow(change(Operation.MODIFY, Optional.of(LIVE), Optional.of(takenDown())));

        assertThat(count("failed")).isEqualTo(1);
    }

    private static Link takenDown() {
        return LIVE.ended(
                Cause.TAKEDOWN, changeBy("bob"), Freshness.purgeOfDead(Cause.TAKEDOWN, NOW));
    }

    private static LastChange changeBy(String actor) {
        return new LastChange(NOW, actor, Optional.of("why"), "id-" + actor);
    }

    private static Change change(Operation operation, Optional<Link> before, Optional<Link> after) {
        return new Change(
                Optional.of("1"), CODE, before, after, operation, false, NOW, () -> "record");
    }

    private Optional<Instant> purgeAt() {
        return table.purgeAt(CODE, LIVE.epoch(), YearMonth.from(Visits.dayOf(NOW)));
    }

    private double count(String result) {
        return meters.get("headstone.visit.purges").tag("result", result).counter().count();
    }
}
