package dev.headstone.redirect;

import static dev.headstone.redirect.TestBench.CODE;
import static dev.headstone.redirect.TestBench.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headstone.freshness.Freshness;
import dev.headstone.link.Cause;
import dev.headstone.link.Link;
import dev.headstone.table.Links;
import dev.headstone.table.VisitHistory;
import dev.headstone.table.Visits;
import dev.headstone.table.VisitsRead;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Which clicks are counted, and for whom. */
final class VisitsOfClicksTest {
    private final TestBench bench = new TestBench();

    static List<Visitor> onlookers() {
        return VisitLimitTest.onlookers();
    }

    @Test
    void countsMissesHitsAndStaleRecordsThatStandIn() {
        bench.items.put(Links.plain(CODE));
        bench.get();
        bench.get();
        bench.clock.set(NOW.plus(Freshness.FRESH));
        bench.items.failing(true);
        assertThat(bench.get().status()).isEqualTo(302);

        assertThat(counted(Links.plain(CODE)).total()).isEqualTo(3);
        assertThat(counted(Links.plain(CODE)).last()).contains(NOW.plus(Freshness.FRESH));
        assertThat(counted(Links.plain(CODE)).byDay()).hasSize(2);
        assertThat(bench.count("headstone.clicks")).isEqualTo(3);
    }

    @Test
    void writesNothingOnTheWay() {
        bench.items.put(Links.plain(CODE));
        bench.visits.failing(true);

        assertThat(bench.get().status()).isEqualTo(302);
        assertThat(bench.get().status()).isEqualTo(302);

        assertThat(bench.visits.batches()).isEmpty();
        assertThat(bench.items.calls()).containsExactly("read abc");
    }

    @ParameterizedTest
    @MethodSource("onlookers")
    void countsNobodyWhoOnlyLooks(Visitor onlooker) {
        bench.items.put(Links.plain(CODE));

        assertThat(bench.get(onlooker).status()).isEqualTo(302);
        assertThat(bench.get(onlooker).status()).isEqualTo(302);

        assertThat(counted(Links.plain(CODE))).isEqualTo(VisitHistory.none());
    }

    @Test
    void countsNoHead() {
        bench.items.put(Links.plain(CODE));

        bench.head();
        bench.head();

        assertThat(counted(Links.plain(CODE))).isEqualTo(VisitHistory.none());
    }

    @Test
    void countsNothingThatWasNoRedirect() {
        Link expired = Links.expiring(CODE, NOW);
        bench.items.put(expired);
        bench.get();
        bench.get("nobody");
        bench.items.put(TestBench.dead(Links.plain(CODE), Cause.TAKEDOWN));
        bench.get();

        assertThat(counted(expired)).isEqualTo(VisitHistory.none());
    }

    @Test
    void countsTheRedirectsOfALimitedLinkToo() {
        Link limited = Links.limited(CODE, 2);
        bench.items.put(limited);

        bench.get();
        bench.get();
        bench.get();

        assertThat(counted(limited).total()).isEqualTo(2);
        assertThat(counted(limited).last()).contains(NOW);
    }

    @Test
    void countsForTheIncarnationThatWasVisited() {
        Link before = Links.createdAt(CODE, NOW.minus(Duration.ofDays(40)));
        Link after = Links.createdAt(CODE, NOW.minus(Duration.ofDays(1)));
        bench.items.put(before);
        bench.get();
        bench.memory.evict(CODE);
        bench.items.put(after);
        bench.get();
        bench.get();

        assertThat(counted(before).total()).isEqualTo(1);
        assertThat(counted(after).total()).isEqualTo(2);
    }

    @Test
    void letsTheTableForgetWhatItCountedWithALinkThatExpires() {
        Instant end = NOW.plusSeconds(60);
        bench.items.put(Links.expiring(CODE, end));
        bench.get();
        bench.get();
        bench.counter.flush();

        assertThat(bench.visits.batches().getFirst())
                .extracting(Visits::purgeAt)
                .containsOnly(Freshness.purgeOfLive(Optional.of(end)));
    }

    private VisitHistory counted(Link link) {
        bench.counter.flush();
        return ((VisitsRead.Counted) bench.visits.read(link.code(), link.epoch())).history();
    }
}
