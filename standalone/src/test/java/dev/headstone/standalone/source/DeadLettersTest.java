package dev.headstone.standalone.source;

import static dev.headstone.standalone.source.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.headstone.standalone.source.DeadLetters.DeadLetterQueue;
import dev.headstone.standalone.source.FailedBatch.Condition;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.exception.SdkClientException;

final class DeadLettersTest {
    private final SettableClock clock = new SettableClock();
    private final FakeQueue queue = new FakeQueue(clock, Duration.ofMillis(1));
    private final InMemoryFailedBatches failed = new InMemoryFailedBatches();
    private final PrometheusMeterRegistry registry =
            new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

    @Test
    void everyPlaceIsCounted() {
        queue.send("a", "a1");
        queue.send("b", "b1");
        failed.store(batch());

        try (DeadLetters letters = letters(Duration.ofMinutes(1))) {
            assertThat(letters.depth())
                    .containsOnly(
                            Map.entry("audit", OptionalLong.of(2)),
                            Map.entry("stream", OptionalLong.of(1)));
        }
    }

    @Test
    void aPlaceThatDoesNotAnswerIsNotCountedAndTheOthersAre() {
        queue.fail(SdkClientException.create("down"));

        try (DeadLetters letters = letters(Duration.ofMinutes(1))) {
            assertThat(letters.depth())
                    .containsOnly(
                            Map.entry("audit", OptionalLong.empty()),
                            Map.entry("stream", OptionalLong.of(0)));
        }
    }

    @Test
    void theGaugesAreThereFromTheStartAndFollow() {
        try (DeadLetters letters = letters(Duration.ofMillis(5))) {
            assertThat(registry.scrape())
                    .contains(
                            "headstone_dead_letters{queue=\"audit\"} NaN",
                            "headstone_dead_letters{queue=\"stream\"} NaN");

            letters.start();
            eventually(
                    () -> registry.scrape().contains("headstone_dead_letters{queue=\"audit\"} 0"));
            queue.send("a", "a1");
            eventually(
                    () -> registry.scrape().contains("headstone_dead_letters{queue=\"audit\"} 1"));
        }
    }

    @Test
    void onlyAQueueThatIsKnownIsRedriven() {
        try (DeadLetters letters = letters(Duration.ofMinutes(1))) {
            assertThatThrownBy(() -> letters.redrive("stream", 1))
                    .isInstanceOf(NoSuchElementException.class)
                    .hasMessageContaining("'stream'");
        }
    }

    private DeadLetters letters(Duration refresh) {
        return new DeadLetters(
                queue,
                Map.of("audit", new DeadLetterQueue(FakeQueue.URL, FakeQueue.URL)),
                Map.of("stream", failed),
                Duration.ofSeconds(5),
                refresh,
                registry);
    }

    private FailedBatch batch() {
        return new FailedBatch(
                FakeStreams.ARN,
                "shardId-00000000000000000001-00000000",
                "100",
                "100",
                clock.instant(),
                clock.instant(),
                1,
                Condition.RETRY_ATTEMPTS_EXHAUSTED,
                clock.instant(),
                3,
                Optional.empty(),
                "{}");
    }
}
