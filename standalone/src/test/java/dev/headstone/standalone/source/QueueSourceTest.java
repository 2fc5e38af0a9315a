package dev.headstone.standalone.source;

import static dev.headstone.standalone.source.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import software.amazon.awssdk.core.exception.SdkClientException;

@Timeout(60)
final class QueueSourceTest {
    private final SettableClock clock = new SettableClock();
    private final FakeQueue queue = new FakeQueue(clock, Duration.ofMillis(50));
    private final RecordingHandler handler = new RecordingHandler();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final List<QueueSource> sources = new ArrayList<>();

    @AfterEach
    void close() {
        sources.forEach(QueueSource::close);
    }

    @Test
    void handledMessagesAreDeleted() {
        queue.send("a", "a1");
        queue.send("a", "a2");

        start(settings());

        eventually(() -> queue.bodies().isEmpty());
        assertThat(handler.settled()).containsExactly("a1", "a2");
    }

    @Test
    void aReportedMessageAndWhatFollowsItInItsGroupComeAgainInOrder() {
        queue.send("a", "a1");
        queue.send("a", "a2");
        queue.send("a", "a3");
        handler.reportNext("a2", 1);

        start(settings());
        eventually(() -> queue.bodies().equals(List.of("a2", "a3")));
        eventually(() -> queue.visibilityTimeouts().size() == 2);
        clock.advance(Duration.ofSeconds(1));

        eventually(() -> queue.bodies().isEmpty());
        assertThat(handler.settled()).containsExactly("a1", "a2", "a3");
        assertThat(queue.visibilityTimeouts()).containsExactly(1, 1);
        assertThat(registry.get("headstone_queue_redelivered").counter().count()).isEqualTo(2);
    }

    @Test
    void ofABatchWhoseHandlerThrowsNothingIsDeleted() {
        queue.send("a", "a1");
        queue.send("b", "b1");
        handler.throwNext("b1", 1);

        start(settings().withConcurrency(1));
        eventually(() -> queue.visibilityTimeouts().size() == 2);
        assertThat(queue.bodies()).containsExactly("a1", "b1");
        clock.advance(Duration.ofSeconds(1));

        eventually(() -> queue.bodies().isEmpty());
        assertThat(handler.batches()).containsExactly(List.of("a1", "b1"), List.of("a1", "b1"));
    }

    @Test
    void theWaitGrowsWithEachReceiveUpToTheCeiling() {
        queue.send("a", "a1");
        handler.throwNext("a1", 8);

        start(settings());
        for (int i = 1; i <= 8; i++) {
            int failures = i;
            eventually(() -> queue.visibilityTimeouts().size() == failures);
            clock.advance(Duration.ofSeconds(30));
        }
        eventually(() -> queue.bodies().isEmpty());

        assertThat(queue.visibilityTimeouts().getFirst()).isEqualTo(1);
        assertThat(queue.visibilityTimeouts().getLast()).isBetween(15, 30);
        assertThat(queue.visibilityTimeouts()).allMatch(seconds -> seconds <= 30);
    }

    @Test
    void deletionsThatFailSinglyAreRepeated() {
        queue.send("a", "a1");
        queue.send("a", "a2");
        queue.failDeletes(3);

        start(settings());

        eventually(() -> queue.bodies().isEmpty());
        assertThat(handler.settled()).containsExactly("a1", "a2");
    }

    @Test
    void aPollThatFailsIsRepeatedAsTheSameAttemptAndThenTheNextOneIsNew() {
        queue.fail(SdkClientException.create("connection reset"));
        QueueSource source = start(repeating().withConcurrency(1));
        eventually(
                () ->
                        source.state()
                                .equals(
                                        new SourceState.Troubled(
                                                "SdkClientException", clock.instant())));
        queue.send("a", "a1");

        eventually(() -> queue.attempts().size() > 2);

        assertThat(queue.attempts().get(1)).isEqualTo(queue.attempts().get(0));
        assertThat(queue.attempts().get(2)).isNotEqualTo(queue.attempts().get(1));
        eventually(() -> source.state().equals(new SourceState.Polling()));
    }

    @Test
    void severalGroupsAreHandledAtOnce() throws Exception {
        CyclicBarrier both = new CyclicBarrier(2);
        start(
                settings().withConcurrency(2),
                (event, deadline) -> {
                    both.await(10, TimeUnit.SECONDS);
                    return handler.handle(event, deadline);
                });

        queue.send("a", "a1");
        eventually(() -> both.getNumberWaiting() == 1);
        queue.send("b", "b1");

        eventually(() -> queue.bodies().isEmpty());
    }

    @Test
    void oneGroupIsNeverHandledTwiceAtOnce() throws Exception {
        CountDownLatch inHand = new CountDownLatch(1);
        CountDownLatch finish = new CountDownLatch(1);
        start(
                settings().withConcurrency(2),
                (event, deadline) -> {
                    inHand.countDown();
                    finish.await();
                    return handler.handle(event, deadline);
                });
        queue.send("a", "a1");
        inHand.await();

        queue.send("a", "a2");
        int polls = queue.attempts().size();
        eventually(() -> queue.attempts().size() > polls);
        assertThat(handler.batches()).isEmpty();
        finish.countDown();

        eventually(() -> queue.bodies().isEmpty());
        assertThat(handler.batches()).containsExactly(List.of("a1"), List.of("a2"));
    }

    @Test
    void closingAnIdleSourceBreaksItsLongPollOffWithinTwoSeconds() {
        FakeQueue inRealTime = new FakeQueue(clock, Duration.ofSeconds(1));
        QueueSource source =
                new QueueSource(
                        settings().withLongPoll(Duration.ofSeconds(20)),
                        inRealTime,
                        handler,
                        registry,
                        clock,
                        new Random(11));
        source.start();
        eventually(() -> inRealTime.attempts().size() == 2);

        long began = System.nanoTime();
        source.close();

        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(2));
        assertThat(source.state()).isEqualTo(new SourceState.Stopped());
    }

    @Test
    void closingFinishesTheBatchInHand() throws Exception {
        CountDownLatch inHand = new CountDownLatch(1);
        CountDownLatch finish = new CountDownLatch(1);
        QueueSource source =
                start(
                        settings(),
                        (event, deadline) -> {
                            inHand.countDown();
                            finish.await();
                            return handler.handle(event, deadline);
                        });
        queue.send("a", "a1");
        inHand.await();

        Thread closing = Thread.ofVirtual().start(source::close);
        eventually(() -> closing.getState() == Thread.State.TIMED_WAITING);
        finish.countDown();
        closing.join();

        assertThat(queue.bodies()).isEmpty();
    }

    private QueueSource start(QueueSettings settings) {
        return start(settings, handler);
    }

    private QueueSource start(QueueSettings settings, EventHandler called) {
        QueueSource source =
                new QueueSource(settings, queue, called, registry, clock, new Random(11));
        sources.add(source);
        source.start();
        return source;
    }

    private static QueueSettings repeating() {
        return QueueSettings.aws("audit", FakeQueue.URL, FakeQueue.ARN)
                .withLongPoll(Duration.ofSeconds(1));
    }

    private static QueueSettings settings() {
        return QueueSettings.local("audit", FakeQueue.URL, FakeQueue.ARN);
    }
}
