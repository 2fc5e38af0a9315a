package dev.headstone.auditlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.headstone.auditlog.LogEntry.Event;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class AuditBatchTest {
    private final SettableClock clock = new SettableClock(Bodies.AT.plusMillis(250));
    private final InMemoryAuditLog log = new InMemoryAuditLog(clock);
    private final MeterRegistry registry = new SimpleMeterRegistry();
    private final AuditBatch batch = new AuditBatch(log, new AuditMetrics(registry));

    @Test
    void stopsAGroupAtItsFirstFailureAndLeavesTheOthersGoOn() {
        log.failsFor("a-2");

        assertThat(
                        append(
                                takedown("a-1", "aaa"),
                                takedown("a-2", "aaa"),
                                takedown("b-1", "bbb"),
                                takedown("a-3", "aaa")))
                .containsExactly("a-2", "a-3");
        assertThat(written("aaa")).containsExactly(takedown("a-1", "aaa").body());
        assertThat(log.lastSeq("bbb")).isEqualTo(1);
        assertThat(counted("held_back")).isEqualTo(1);
        assertThat(counted("failed")).isEqualTo(1);
    }

    @Test
    void aBatchThatComesAgainAfterAFailureLeavesEachEventOnceAndInOrder() {
        QueuedRecord[] records = {
            takedown("a-1", "aaa"), takedown("a-2", "aaa"), takedown("a-3", "aaa")
        };
        log.failsFor("a-2");
        append(records);
        log.recovers();

        assertThat(append(records)).isEmpty();
        assertThat(written("aaa"))
                .containsExactly(
                        Arrays.stream(records).map(QueuedRecord::body).toArray(String[]::new));
        assertThat(counted("duplicate")).isEqualTo(1);
    }

    @Test
    void anEventWhoseReplyWasLostIsThereOnceWhenItComesAgain() {
        log.losesReplies();
        assertThat(append(takedown("a-1", "aaa"))).containsExactly("a-1");
        log.recovers();

        assertThat(append(takedown("a-1", "aaa"))).isEmpty();
        assertThat(written("aaa")).hasSize(1);
    }

    @Test
    void whatIsTooLargeGoesTheWayOfTheUnreadable() {
        ReceivedEvent large = Bodies.padded("a-1", "aaa", 500_000);

        assertThat(
                        append(
                                new QueuedRecord(Optional.of("a-1"), "aaa", large.body()),
                                takedown("a-2", "aaa")))
                .containsExactly("a-1", "a-2");
        assertThat(counted("too_large")).isEqualTo(1);
    }

    @Test
    void stopsWhenTheTimeIsUpButNotBeforeTheFirstRecordOfAGroup() {
        QueuedRecord[] records = {
            takedown("a-1", "aaa"),
            takedown("a-2", "aaa"),
            takedown("b-1", "bbb"),
            takedown("a-3", "aaa"),
            takedown("b-2", "bbb")
        };

        assertThat(ids(batch.append(List.of(records), () -> true)))
                .containsExactly("a-2", "a-3", "b-2");
        assertThat(counted("held_back")).isEqualTo(3);
        assertThat(written("aaa")).containsExactly(records[0].body());
        assertThat(written("bbb")).containsExactly(records[2].body());
    }

    @Test
    void aGroupThatRunsOutOfTimeKeepsWhatItHasDone() {
        QueuedRecord[] records = {
            takedown("a-1", "aaa"), takedown("a-2", "aaa"), takedown("a-3", "aaa")
        };

        assertThat(ids(batch.append(List.of(records), () -> log.lastSeq("aaa") == 2)))
                .containsExactly("a-3");
        assertThat(written("aaa")).containsExactly(records[0].body(), records[1].body());
    }

    @Test
    void aBatchThatIsInterruptedComesAgainAsAWhole() {
        Thread.currentThread().interrupt();

        assertThatIllegalStateException().isThrownBy(() -> append(takedown("a-1", "aaa")));
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void aSlowGroupDoesNotHoldUpTheOthers() {
        CountDownLatch otherIsWritten = new CountDownLatch(1);
        AuditLog slow =
                new Shuffled(log, new Random(1)) {
                    @Override
                    public Appended append(ReceivedEvent event) {
                        if (event.chain().equals("aaa")) {
                            awaitUninterruptibly(otherIsWritten);
                            return super.append(event);
                        }
                        Appended appended = super.append(event);
                        otherIsWritten.countDown();
                        return appended;
                    }
                };

        assertThat(
                        new AuditBatch(slow, new AuditMetrics(new SimpleMeterRegistry()))
                                .append(
                                        List.of(takedown("a-1", "aaa"), takedown("b-1", "bbb")),
                                        () -> false))
                .isEmpty();
        assertThat(log.lastSeq("aaa")).isEqualTo(1);
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
    }

    @Test
    void measuresFromTheEventToItsPlaceInTheLog() {
        append(takedown("a-1", "aaa"));
        assertThat(lag()).isEqualTo(0.250);

        clock.advance(Duration.ofMinutes(1));
        append(takedown("a-1", "aaa"));
        assertThat(lag()).as("a duplicate says nothing of the lag").isEqualTo(0.250);

        clock.set(Bodies.AT.minusSeconds(5));
        append(takedown("a-2", "aaa"));
        assertThat(lag()).isZero();
    }

    private List<String> append(QueuedRecord... records) {
        return ids(batch.append(List.of(records), () -> false));
    }

    private static List<String> ids(List<QueuedRecord> records) {
        return records.stream().map(queued -> queued.messageId().orElseThrow()).toList();
    }

    private static QueuedRecord takedown(String id, String code) {
        return new QueuedRecord(Optional.of(id), code, Bodies.takedown(id, code).body());
    }

    private List<String> written(String chain) {
        return log.chain(chain, 0, Optional.empty(), 100).events().stream()
                .map(Event::body)
                .toList();
    }

    private double counted(String result) {
        return registry.get("headstone.audit.events").tag("result", result).counter().count();
    }

    private double lag() {
        return registry.get("headstone.audit.lag").gauge().value();
    }
}
