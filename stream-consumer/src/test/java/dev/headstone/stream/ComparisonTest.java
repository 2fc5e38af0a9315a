package dev.headstone.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headstone.freshness.Freshness;
import dev.headstone.link.ShortCode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ComparisonTest {
    private static final Instant CHANGED = Instant.parse("2026-12-01T10:00:00Z");
    private static final Comparison FIRST = Comparison.first(new ShortCode("spring"), CHANGED);

    @Test
    void oneFollowsTheOtherUntilTheLastHorizon() {
        List<Duration> horizons =
                Stream.iterate(
                                Optional.of(FIRST),
                                Optional::isPresent,
                                comparison -> comparison.flatMap(Comparison::next))
                        .flatMap(Optional::stream)
                        .map(Comparison::after)
                        .toList();

        assertThat(horizons).isEqualTo(Freshness.COMPARED_AFTER);
    }

    @Test
    void waitsFromTheChangeOnAndNeverTooShort() {
        assertThat(FIRST.delaySeconds(CHANGED)).isEqualTo(2);
        assertThat(FIRST.delaySeconds(CHANGED.plusMillis(500))).isEqualTo(2);
        assertThat(FIRST.delaySeconds(CHANGED.plusMillis(1_500))).isOne();
        assertThat(FIRST.delaySeconds(CHANGED.plusSeconds(2))).isZero();
        assertThat(FIRST.delaySeconds(CHANGED.plusSeconds(3_600))).isZero();
    }

    @Test
    void waitsNoLongerThanAQueueDelaysThoughAClockIsHoursOff() {
        assertThat(FIRST.delaySeconds(CHANGED.minusSeconds(7_200))).isEqualTo(900);
    }

    @Test
    void isReadAsItWasSent() {
        Comparison last = FIRST.next().flatMap(Comparison::next).orElseThrow();

        assertThat(Comparison.read(last.encode())).contains(last);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "[]",
                "null",
                "{\"short_code\":\"a/b\",\"changed_at\":1,\"after_seconds\":2}",
                "{\"short_code\":\"spring\",\"changed_at\":\"then\",\"after_seconds\":2}",
                "{\"short_code\":\"spring\",\"changed_at\":1,\"after_seconds\":3}",
                "{\"short_code\":\"spring\",\"after_seconds\":2}"
            })
    void whatNobodySentIsNoComparison(String body) {
        assertThat(Comparison.read(body)).isEmpty();
    }
}
