package dev.headstone.standalone.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.headstone.auditlog.AuditHandler;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class SettingsTest {
    private static final StreamSettings STREAM =
            StreamSettings.local("consumer", "owner", FakeStreams.ARN);
    private static final QueueSettings QUEUE =
            QueueSettings.local("audit", FakeQueue.URL, FakeQueue.ARN);
    private static final Backoff BACKOFF =
            new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(10));

    static Stream<Arguments> faults() {
        return Stream.of(
                fault("consumer", () -> StreamSettings.local(" ", "owner", FakeStreams.ARN)),
                fault("owner", () -> StreamSettings.local("consumer", "", FakeStreams.ARN)),
                fault("'table'", () -> StreamSettings.local("consumer", "owner", "table")),
                fault("batch size 0", () -> STREAM.withBatchSize(0)),
                fault("batch size 1001", () -> STREAM.withBatchSize(1001)),
                fault("idle poll", () -> STREAM.withIdlePoll(Duration.ZERO)),
                fault("discovery", () -> STREAM.withDiscovery(Duration.ofHours(1))),
                fault("handler deadline", () -> STREAM.withHandlerDeadline(Duration.ofHours(1))),
                fault("long poll", () -> QUEUE.withLongPoll(Duration.ofSeconds(21))),
                fault("long poll", () -> QUEUE.withLongPoll(Duration.ZERO)),
                fault("concurrency", () -> QUEUE.withConcurrency(0)),
                fault("handler deadline", () -> QUEUE.withHandlerDeadline(Duration.ZERO)),
                fault("visibility", SettingsTest::visibilityBelowSixDeadlines),
                fault("queue URL", () -> QueueSettings.local("audit", "", FakeQueue.ARN)),
                fault("maximum retry attempts", () -> new Retries(-2, Optional.empty(), BACKOFF)),
                fault(
                        "maximum retry attempts",
                        () -> new Retries(10_001, Optional.empty(), BACKOFF)),
                fault(
                        "maximum record age",
                        () -> new Retries(0, Optional.of(Duration.ZERO), BACKOFF)),
                fault("initial", () -> new Backoff(Duration.ZERO, Duration.ofSeconds(1))),
                fault("ceiling", () -> new Backoff(Duration.ofSeconds(2), Duration.ofSeconds(1))),
                fault("ceiling", () -> new Backoff(Duration.ofSeconds(2), Duration.ofDays(1))));
    }

    @ParameterizedTest(name = "a fault in {0}")
    @MethodSource("faults")
    void aSettingOutOfItsRangeIsRefusedByName(String name, ThrowingCallable settings) {
        assertThatThrownBy(settings)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(name);
    }

    @Test
    void aTableOfAwsIsPolledWithinWhatAShardAllows() {
        assertThat(StreamSettings.aws("consumer", "owner", FakeStreams.ARN).idlePoll())
                .isGreaterThanOrEqualTo(Duration.ofMillis(200));
    }

    @Test
    void theDeadlineOfAQueueLeavesTheAuditWriterTimeForSeveralRecordsOfALink() {
        assertThat(QUEUE.handlerDeadline())
                .isGreaterThanOrEqualTo(AuditHandler.RESERVE.multipliedBy(2));
    }

    @Test
    void theVisibilityTimeoutFollowsTheDeadline() {
        assertThat(QUEUE.withHandlerDeadline(Duration.ofSeconds(7)).visibilitySeconds())
                .isEqualTo(42);
    }

    @Test
    void waitsDoubleUpToTheCeilingLessUpToAHalf() {
        Random random = new Random(1);

        for (int i = 0; i < 1000; i++) {
            assertThat(BACKOFF.delay(0, random))
                    .isBetween(Duration.ofMillis(500), Duration.ofSeconds(1));
            assertThat(BACKOFF.delay(2, random))
                    .isBetween(Duration.ofSeconds(2), Duration.ofSeconds(4));
            assertThat(BACKOFF.delay(4 + i, random))
                    .isBetween(Duration.ofSeconds(5), Duration.ofSeconds(10));
        }
    }

    private static void visibilityBelowSixDeadlines() {
        new QueueSettings(
                "audit",
                FakeQueue.URL,
                FakeQueue.ARN,
                10,
                false,
                Duration.ofSeconds(1),
                Duration.ofSeconds(59),
                Duration.ofSeconds(5),
                Duration.ofSeconds(10),
                2,
                BACKOFF);
    }

    private static Arguments fault(String name, ThrowingCallable settings) {
        return Arguments.of(name, settings);
    }
}
