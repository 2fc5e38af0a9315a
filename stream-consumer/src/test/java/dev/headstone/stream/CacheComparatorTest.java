package dev.headstone.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headstone.audit.AuditEvent;
import dev.headstone.audit.AuditOutcome;
import dev.headstone.audit.AuditType;
import dev.headstone.audit.RecordingAuditQueue;
import dev.headstone.cache.CacheRecord;
import dev.headstone.cache.InMemoryLinkCache;
import dev.headstone.cache.Settler;
import dev.headstone.link.Cause;
import dev.headstone.link.LastChange;
import dev.headstone.link.Link;
import dev.headstone.link.ShortCode;
import dev.headstone.table.InMemoryLinkTable;
import dev.headstone.table.Links;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class CacheComparatorTest {
    private static final ShortCode CODE = ShortCode.parse("promo").orElseThrow();

    private Instant now = Links.NOW;
    private final InstantSource clock = () -> now;
    private final InMemoryLinkCache cache = new InMemoryLinkCache(clock);
    private final InMemoryLinkTable table = new InMemoryLinkTable();
    private final RecordingAuditQueue audit = new RecordingAuditQueue();
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final CacheComparator comparator =
            new CacheComparator(
                    cache,
                    table,
                    new Settler(cache, table, clock, Duration.ofSeconds(2), () -> {}),
                    audit,
                    clock,
                    new Random(1),
                    3,
                    meters);

    private final Link live = Links.full(CODE);
    private final Link dead =
            live.ended(
                    Cause.TAKEDOWN,
                    new LastChange(Links.NOW, "ada", Optional.of("phishing"), "change-2"),
                    Optional.empty());

    @Test
    void everyChangeIsComparedAfterTwoSecondsOneMinuteAndFive() {
        holds(dead, dead);
        comparator.after(CODE, now);

        assertThat(comparedAfter(Duration.ofMillis(1_999))).isZero();
        assertThat(comparedAfter(Duration.ofSeconds(2))).isEqualTo(1);
        assertThat(comparedAfter(Duration.ofSeconds(59))).isZero();
        assertThat(comparedAfter(Duration.ofMinutes(1))).isEqualTo(1);
        assertThat(comparedAfter(Duration.ofMinutes(5))).isEqualTo(1);
        assertThat(comparedAfter(Duration.ofHours(1))).isZero();
        assertThat(ratio("2s")).isEqualTo(1);
        assertThat(ratio("300s")).isEqualTo(1);
    }

    @Test
    void aDeadLinkThatIsServedIsEntombedRecordedAndCounted() {
        holds(live, dead);

        compare();

        assertThat(cache.record(CODE).orElseThrow().stamp()).isEqualTo(dead.stamp());
        assertThat(ratio("2s")).isZero();
        assertThat(disagreements("dead_served")).isEqualTo(1);
        AuditEvent event = audit.events().getFirst();
        assertThat(event.type()).isEqualTo(AuditType.CACHE_REPAIRED);
        assertThat(event.outcome()).isEqualTo(AuditOutcome.REPAIRED);
        assertThat(event.version()).isEqualTo(dead.version());
        assertThat(event.detail().entries())
                .containsEntry("kind", "dead_served")
                .containsEntry("repair", "settled");
        assertThat(event.toString()).doesNotContain(live.longUrl().orElseThrow());
    }

    @Test
    void aLiveLinkThatIsHiddenIsVisibleAgain() {
        holds(dead, restored());

        compare();

        assertThat(cache.record(CODE)).isEmpty();
        assertThat(disagreements("live_hidden")).isEqualTo(1);
    }

    @Test
    void aTombstoneFromTheFutureOfARestoredTableIsDropped() {
        holds(dead, live);

        compare();

        assertThat(cache.record(CODE)).isEmpty();
        assertThat(disagreements("live_hidden")).isEqualTo(1);
    }

    @Test
    void aRecordWhoseItemIsGoneIsDropped() {
        put(live);

        compare();

        assertThat(cache.record(CODE)).isEmpty();
        assertThat(disagreements("dead_served")).isEqualTo(1);
    }

    @Test
    void aRecordOfAnOlderVersionIsDropped() {
        holds(live, restored());

        compare();

        assertThat(cache.record(CODE)).isEmpty();
        assertThat(disagreements("outdated")).isEqualTo(1);
    }

    @Test
    void whatAnswersNothingAgrees() {
        table.put(dead);
        compare();
        cache.put(CODE, "garbage".getBytes(StandardCharsets.UTF_8));
        compare();

        assertThat(ratio("2s")).isEqualTo(1);
        assertThat(audit.events()).isEmpty();
    }

    @Test
    void aRecordThatHasExpiredByItselfAgrees() {
        Link expiring = Links.expiring(CODE, Links.NOW.plusSeconds(1));
        put(expiring);

        compare();

        assertThat(ratio("2s")).isEqualTo(1);
    }

    @Test
    void aChangeThatIsStillUnderWayIsNoDisagreement() {
        holds(live, dead);
        comparator.after(CODE, now.minusSeconds(2));

        comparator.compareDue(10);

        assertThat(ratio("2s")).isNaN();
        assertThat(cache.record(CODE).orElseThrow().stamp()).isEqualTo(live.stamp());
        assertThat(audit.events()).isEmpty();
    }

    @Test
    void aCacheOrTableThatDoesNotAnswerDecidesNothing() {
        holds(live, dead);
        cache.unreachable(true);
        compare();
        cache.unreachable(false);
        table.failing(true);
        compare();

        assertThat(ratio("2s")).isNaN();
        assertThat(comparisons("undecided")).isEqualTo(2);
    }

    @Test
    void theRatioIsTheShareOfThoseThatAgree() {
        holds(dead, dead);
        for (int i = 0; i < 3; i++) {
            compare();
        }
        put(live);
        compare();

        assertThat(ratio("2s")).isEqualTo(0.75);
    }

    @Test
    void whatDoesNotFitIsShedAndCounted() {
        for (int i = 0; i < 5; i++) {
            comparator.after(CODE, now);
        }

        assertThat(comparisons("shed")).isEqualTo(2);
        assertThat(comparedAfter(Duration.ofSeconds(2))).isEqualTo(3);
    }

    @Test
    void aCallMakesNoMoreComparisonsThanItIsTold() {
        List.of(1, 2, 3).forEach(_ -> comparator.after(CODE, now));
        now = now.plus(Duration.ofSeconds(2));

        assertThat(comparator.compareDue(2)).isEqualTo(2);
        assertThat(comparator.compareDue(2)).isEqualTo(1);
    }

    private Link restored() {
        return dead.revived(
                new LastChange(Links.NOW, "ada", Optional.empty(), "change-3"), Optional.empty());
    }

    private void holds(Link cached, Link item) {
        put(cached);
        table.put(item);
    }

    private void put(Link link) {
        cache.put(link.code(), CacheRecord.of(link, now, now));
    }

    /** Lets one comparison become due and makes it. */
    private void compare() {
        comparator.after(CODE, now);
        now = now.plus(Duration.ofSeconds(2));
        comparator.compareDue(1);
    }

    private int comparedAfter(Duration time) {
        now = Links.NOW.plus(time);
        return comparator.compareDue(10);
    }

    private double ratio(String horizon) {
        return meters.get("headstone.cache.agreement.ratio")
                .tag("horizon", horizon)
                .gauge()
                .value();
    }

    private double disagreements(String kind) {
        return meters.get("headstone.cache.disagreements").tag("kind", kind).counter().count();
    }

    private double comparisons(String result) {
        return meters.get("headstone.comparisons")
                .tag("horizon", "2s")
                .tag("result", result)
                .counter()
                .count();
    }
}
