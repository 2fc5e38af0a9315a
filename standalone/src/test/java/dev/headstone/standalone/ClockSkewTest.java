package dev.headstone.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ClockSkewTest {
    private static final Instant NOW = Instant.ofEpochMilli(1_795_000_000_000L);

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

    @ParameterizedTest(name = "a clock that is off by {0} counts {1}")
    @CsvSource({"PT0S, 0", "PT1S, 0", "PT-1S, 0", "PT1.001S, 1", "PT-1.001S, 1", "PT2H, 1"})
    void countsAClockThatIsOffByMoreThanASecond(Duration off, double counted) {
        InstantSource ours = InstantSource.fixed(NOW.plus(off));
        try (ClockSkew _ = ClockSkew.watch(() -> Optional.of(NOW), ours, meters)) {
            Awaitility.await()
                    .atMost(Duration.ofSeconds(5))
                    .untilAsserted(
                            () -> {
                                assertThat(meters.get("headstone.clock.skew").gauge().value())
                                        .isEqualTo(off.abs().toNanos() / 1e9);
                                assertThat(skewed()).isEqualTo(counted);
                            });
        }
    }

    @Test
    void countsNothingWhileTheOtherClockCannotBeAsked() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        try (ClockSkew _ =
                ClockSkew.watch(
                        () -> {
                            asked.countDown();
                            return Optional.empty();
                        },
                        InstantSource.fixed(NOW),
                        meters)) {
            assertThat(asked.await(5, TimeUnit.SECONDS)).isTrue();
            assertThat(skewed()).isZero();
        }
    }

    private double skewed() {
        return meters.get("headstone.clock.skewed").counter().count();
    }
}
