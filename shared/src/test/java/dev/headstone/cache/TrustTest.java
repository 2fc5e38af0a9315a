package dev.headstone.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class TrustTest {
    private static final CacheRun RUN = CacheRun.of("a1", "b1");
    private static final CacheRun OTHER = CacheRun.of("a2", "b2");
    private static final long START =
            Long.MAX_VALUE - 500_000_000L; // the clock runs over on its way
    private static final Trust BEFORE = Trust.before(TrustRule.VERIFIED);

    @Test
    void answersNothingBeforeTheFirstObservation() {
        assertThat(BEFORE.answers(0, at(0))).isFalse();
        assertThat(BEFORE.untilConfirmed(0, at(0))).isEmpty();
        assertThat(BEFORE.distrust(0, at(0))).isPresent();
    }

    @Test
    void answersForASecondFromTheStartOfTheObservation() {
        Trust trust = BEFORE.observed(swept(RUN), at(0), nanosAt(400));

        assertThat(trust.answers(7, at(999))).isTrue();
        assertThat(trust.distrust(7, at(999))).isEmpty();
        assertThat(trust.answers(7, at(1_000))).isFalse();
        assertThat(trust.distrust(7, at(1_000))).isPresent();
    }

    @Test
    void answersNothingOverConnectionsThatWereNotObserved() {
        Trust trust = BEFORE.observed(swept(RUN), at(0), nanosAt(1));

        assertThat(trust.answers(8, at(2))).isFalse();
        assertThat(trust.untilConfirmed(8, at(2_000))).isEmpty();
    }

    @Test
    void answersNothingFromARunThatIsNotSwept() {
        Trust trust = BEFORE.observed(unswept(RUN), at(0), nanosAt(1));

        assertThat(trust.answers(7, at(2))).isFalse();
        assertThat(trust.distrust(7, at(2))).contains("the cache is not swept");
    }

    @Test
    void remembersThatARunWasSweptWhenItsMarkerWasEvicted() {
        Trust trust =
                BEFORE.observed(swept(RUN), at(0), nanosAt(1))
                        .observed(unswept(RUN), at(250), nanosAt(251));

        assertThat(trust.answers(7, at(252))).isTrue();
    }

    @Test
    void doesNotRememberItOfAnotherRun() {
        Trust trust =
                BEFORE.observed(swept(RUN), at(0), nanosAt(1))
                        .observed(unswept(OTHER), at(250), nanosAt(251));

        assertThat(trust.answers(7, at(252))).isFalse();
        assertThat(trust.observed(unswept(RUN), at(500), nanosAt(501)).answers(7, at(502)))
                .isFalse();
    }

    @Test
    void goesOnForItsSecondWhenAnObservationFails() {
        Trust trust =
                BEFORE.observed(swept(RUN), at(0), nanosAt(1))
                        .observed(new NodeView.Unknown("no answer"), at(250), nanosAt(400));

        assertThat(trust.answers(7, at(999))).isTrue();
        assertThat(trust.answers(7, at(1_000))).isFalse();
        assertThat(trust.distrust(7, at(1_000))).contains("no answer");
    }

    @Test
    void endsAtOnceWhenTheNodeIsNoPrimary() {
        Trust trust =
                BEFORE.observed(swept(RUN), at(0), nanosAt(1))
                        .observed(new NodeView.NotPrimary("a replica"), at(250), nanosAt(251));

        assertThat(trust.answers(7, at(252))).isFalse();
        assertThat(trust.distrust(7, at(252))).contains("a replica");
        assertThat(trust.run()).isEmpty();
    }

    @Test
    void endsWhenTheWallClockSaysSoThoughTheOtherOneStoodStill() {
        Trust trust = BEFORE.observed(swept(RUN), at(0), nanosAt(1));

        assertThat(trust.answers(7, new Moment(nanosAt(2), at(0).millis() + 1_000))).isFalse();
        assertThat(trust.answers(7, new Moment(nanosAt(1_000), at(0).millis() - 5))).isFalse();
        assertThat(trust.answers(7, new Moment(nanosAt(999), at(0).millis() - 60_000))).isTrue();
    }

    @Test
    void letsConfirmationsWaitASecondFromTheEndOfTheFirstObservationOfARun() {
        Trust trust = BEFORE.observed(unswept(RUN), at(0), nanosAt(100));

        assertThat(trust.untilConfirmed(7, at(100))).contains(Duration.ofSeconds(1));
        Trust later = trust.observed(unswept(RUN), at(900), nanosAt(901));
        assertThat(later.untilConfirmed(7, at(1_099))).contains(Duration.ofMillis(1));
        assertThat(later.untilConfirmed(7, at(1_100))).contains(Duration.ZERO);
    }

    @Test
    void letsConfirmationsWaitAgainAfterAChangeOfRun() {
        Trust trust =
                BEFORE.observed(swept(RUN), at(0), nanosAt(1))
                        .observed(swept(OTHER), at(5_000), nanosAt(5_001));

        assertThat(trust.untilConfirmed(7, at(5_001))).contains(Duration.ofSeconds(1));
    }

    @Test
    void letsConfirmationsWaitAgainWhenTheNodeWasNotThePrimaryMeanwhile() {
        Trust trust =
                BEFORE.observed(swept(RUN), at(0), nanosAt(1))
                        .observed(new NodeView.NotPrimary("not named"), at(5_000), nanosAt(5_001))
                        .observed(swept(RUN), at(5_250), nanosAt(5_251));

        assertThat(trust.untilConfirmed(7, at(5_251))).contains(Duration.ofSeconds(1));
    }

    @Test
    void doesNotLetConfirmationsWaitAfterAReconnectToTheSameRun() {
        Trust trust =
                BEFORE.observed(new NodeView.Primary(RUN, 7, true), at(0), nanosAt(1))
                        .observed(new NodeView.Primary(RUN, 8, true), at(5_000), nanosAt(5_001));

        assertThat(trust.untilConfirmed(7, at(5_002))).isEmpty();
        assertThat(trust.untilConfirmed(8, at(5_002))).contains(Duration.ZERO);
    }

    @Test
    void confirmsNothingWithoutAYoungObservation() {
        Trust trust = BEFORE.observed(swept(RUN), at(0), nanosAt(1));

        assertThat(trust.untilConfirmed(7, at(1_001))).isEmpty();
    }

    @Test
    void awaitsNobodyWhereNobodyElseReads() {
        Trust trust =
                Trust.before(TrustRule.VERIFIED_ALONE).observed(unswept(RUN), at(0), nanosAt(1));

        assertThat(trust.untilConfirmed(7, at(1))).contains(Duration.ZERO);
        assertThat(trust.answers(7, at(1))).isFalse();
    }

    @Test
    void believesADurableStoreAsItIs() {
        Trust trust = Trust.before(TrustRule.DURABLE);

        assertThat(trust.answers(1, at(0))).isTrue();
        assertThat(trust.untilConfirmed(1, at(0))).isEqualTo(Optional.of(Duration.ZERO));
        assertThat(
                        trust.observed(new NodeView.NotPrimary("a replica"), at(0), nanosAt(1))
                                .answers(2, at(5_000)))
                .isTrue();
    }

    private static NodeView swept(CacheRun run) {
        return new NodeView.Primary(run, 7, true);
    }

    private static NodeView unswept(CacheRun run) {
        return new NodeView.Primary(run, 7, false);
    }

    private static Moment at(long millis) {
        return new Moment(nanosAt(millis), 1_790_000_000_000L + millis);
    }

    private static long nanosAt(long millis) {
        return START + Duration.ofMillis(millis).toNanos();
    }
}
