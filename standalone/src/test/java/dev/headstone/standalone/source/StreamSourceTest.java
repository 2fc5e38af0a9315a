package dev.headstone.standalone.source;

import static dev.headstone.standalone.source.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.headstone.standalone.source.ShardPosition.After;
import dev.headstone.standalone.source.ShardPosition.End;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import software.amazon.awssdk.services.dynamodb.model.InternalServerErrorException;
import software.amazon.awssdk.services.dynamodb.model.LimitExceededException;

@Timeout(60)
@Tag("slow")
final class StreamSourceTest {
    private final SettableClock clock = new SettableClock();
    private final FakeStreams streams = new FakeStreams(clock);
    private final InMemoryShardCheckpoints.Store store = new InMemoryShardCheckpoints.Store();
    private final InMemoryFailedBatches failed = new InMemoryFailedBatches();
    private final RecordingHandler handler = new RecordingHandler();
    private final List<SimpleMeterRegistry> registries = new ArrayList<>();
    private final List<StreamSource> sources = new ArrayList<>();

    @AfterEach
    void close() {
        sources.forEach(StreamSource::close);
    }

    @Test
    void aNewConsumerStartsAtTheOldestRecord() {
        String shard = streams.open(null);
        streams.write(shard, "a");
        streams.write(shard, "b");

        start("one");

        eventually(() -> handler.settled().equals(List.of("a", "b")));
    }

    @Test
    void recordsWrittenLaterAreHandedOverInOrder() {
        String shard = streams.open(null);
        start("one");
        for (char code = 'a'; code <= 'z'; code++) {
            streams.write(shard, String.valueOf(code));
        }

        eventually(() -> String.join("", handler.settled()).equals("abcdefghijklmnopqrstuvwxyz"));
        assertThat(handler.batches()).allMatch(batch -> batch.size() <= 4);
    }

    @Test
    void aRestartGoesOnAfterTheLastCheckpoint() {
        String shard = streams.open(null);
        streams.write(shard, "a");
        StreamSource first = start("one");
        eventually(() -> handler.settled().equals(List.of("a")));
        first.close();

        String last = streams.write(shard, "b");
        start("one");

        eventually(() -> handler.settled().equals(List.of("a", "b")));
        eventually(() -> position(shard).equals(new After(last)));
    }

    @Test
    void aChildIsReadOnlyAfterItsParentIsSettledToItsEnd() {
        String parent = streams.open(null);
        streams.write(parent, "a");
        String child = streams.roll(parent);
        String grandchild = streams.roll(child);
        streams.write(child, "b");
        streams.write(grandchild, "c");
        handler.throwNext("a", 5);

        start("one");

        eventually(() -> handler.settled().equals(List.of("a", "b", "c")));
        eventually(() -> position(parent).equals(new End()));
        assertThat(position(child)).isEqualTo(new End());
        assertThat(handler.batches().subList(0, 6)).containsOnly(List.of("a"));
    }

    @Test
    void theEndOfAShardIsFollowedAtOnceByItsChild() {
        String shard = streams.open(null);
        start("one", settings("one").withDiscovery(Duration.ofMinutes(5)));
        eventually(() -> streams.reads(shard) > 0);

        String child = streams.roll(shard);
        streams.write(child, "a");

        eventually(() -> handler.settled().equals(List.of("a")));
    }

    @Test
    void aShardThatOpensIsFound() {
        start("one");
        eventually(() -> streams.looks() > 1);

        streams.write(streams.open(null), "a");

        eventually(() -> handler.settled().equals(List.of("a")));
    }

    @Test
    void anExpiredIteratorIsTakenAnewFromTheCheckpoint() {
        String shard = streams.open(null);
        streams.write(shard, "a");
        start("one");
        eventually(() -> handler.settled().equals(List.of("a")));

        streams.expireIterators();
        streams.write(shard, "b");

        eventually(() -> handler.settled().equals(List.of("a", "b")));
        assertThat(count("headstone_stream_trimmed")).isZero();
    }

    @Test
    void trimmedRecordsAreCountedAndReadingGoesOnAtTheHorizon() {
        String shard = streams.open(null);
        streams.write(shard, "a");
        StreamSource first = start("one");
        eventually(() -> handler.settled().equals(List.of("a")));
        first.close();

        streams.write(shard, "lost");
        streams.trim(shard);
        streams.write(shard, "b");
        start("one");

        eventually(() -> handler.settled().equals(List.of("a", "b")));
        assertThat(count("headstone_stream_trimmed")).isEqualTo(1);
    }

    @Test
    void aShardThatVanishesBeforeItsEndWasReadIsCountedAndItsChildIsRead() {
        String shard = streams.open(null);
        streams.write(shard, "a");
        start("one");
        eventually(() -> handler.settled().equals(List.of("a")));

        String child = streams.open(shard);
        streams.write(child, "b");
        streams.remove(shard);

        eventually(() -> handler.settled().equals(List.of("a", "b")));
        eventually(() -> count("headstone_stream_trimmed") == 1);
        assertThat(checkpoints("x").positions()).doesNotContainKey(shard);
    }

    @Test
    void errorsOfTheStreamAreWaitedOut() {
        String shard = streams.open(null);
        streams.write(shard, "a");
        streams.fail(InternalServerErrorException.builder().message("down").build());
        StreamSource source = start("one");
        eventually(() -> handler.settled().equals(List.of("a")));

        streams.fail(LimitExceededException.builder().message("slow down").build());
        streams.fail(new IllegalStateException("no route"));
        streams.write(shard, "b");

        eventually(() -> handler.settled().equals(List.of("a", "b")));
        eventually(() -> source.state().equals(new SourceState.Polling()));
    }

    @Test
    void checkpointsThatCannotBeWrittenDelayNothingAndAreMadeUpFor() {
        String shard = streams.open(null);
        start("one");
        eventually(() -> streams.reads(shard) > 0);

        store.fail(1);
        String last = streams.write(shard, "a");
        eventually(() -> handler.settled().equals(List.of("a")));

        eventually(() -> position(shard).equals(new After(last)));
    }

    @Test
    void onlyOneProcessReadsAShardAndAnotherTakesOverWhenItsLeaseHasRunOut() {
        String shard = streams.open(null);
        streams.write(shard, "a");
        start("one");
        eventually(() -> handler.settled().equals(List.of("a")));
        RecordingHandler other = new RecordingHandler();
        start("two", settings("two"), other);
        int looks = streams.looks();
        eventually(() -> streams.looks() > looks + 10);
        assertThat(other.batches()).isEmpty();

        sources.getFirst().close();
        streams.write(shard, "b");

        eventually(() -> other.settled().equals(List.of("b")));
        assertThat(handler.settled()).containsExactly("a");
    }

    @Test
    void aCrashedProcessIsReplacedWhenItsLeaseHasRunOut() {
        String shard = streams.open(null);
        streams.write(shard, "a");
        assertThat(checkpoints("crashed").acquire(shard)).isPresent();
        start("one");
        eventually(() -> streams.looks() > 3);
        assertThat(handler.batches()).isEmpty();

        clock.advance(Duration.ofSeconds(16));

        eventually(() -> handler.settled().equals(List.of("a")));
    }

    @Test
    void aProcessThatAlwaysHasTheSameNameNeedNotWaitForItsOwnLease() {
        String shard = streams.open(null);
        streams.write(shard, "a");
        assertThat(checkpoints("one").acquire(shard)).isPresent();

        start("one");

        eventually(() -> handler.settled().equals(List.of("a")));
    }

    @Test
    void aBatchThatWasHandledAndNotCheckpointedComesAgain() throws Exception {
        String shard = streams.open(null);
        String first = streams.write(shard, "a");
        CountDownLatch handled = new CountDownLatch(1);
        StreamSource crashing =
                start(
                        "one",
                        settings("one"),
                        (event, deadline) -> {
                            store.fail(Integer.MAX_VALUE);
                            handled.countDown();
                            return handler.handle(event, deadline);
                        });
        handled.await();
        eventually(() -> handler.settled().equals(List.of("a")));
        crashing.close();
        store.fail(0);

        start("one");

        eventually(() -> handler.settled().equals(List.of("a", "a")));
        eventually(() -> position(shard).equals(new After(first)));
    }

    @Test
    void closingFinishesTheBatchInHandWritesTheCheckpointAndGivesTheLeaseBack() throws Exception {
        String shard = streams.open(null);
        String last = streams.write(shard, "a");
        CountDownLatch inHand = new CountDownLatch(1);
        CountDownLatch finish = new CountDownLatch(1);
        StreamSource source =
                start(
                        "one",
                        settings("one"),
                        (event, deadline) -> {
                            inHand.countDown();
                            finish.await();
                            return handler.handle(event, deadline);
                        });
        inHand.await();

        Thread closing = Thread.ofVirtual().start(source::close);
        eventually(() -> closing.getState() == Thread.State.TIMED_WAITING);
        finish.countDown();
        closing.join();

        assertThat(handler.settled()).containsExactly("a");
        assertThat(position(shard)).isEqualTo(new After(last));
        assertThat(checkpoints("two").acquire(shard)).isPresent();
        assertThat(source.state()).isEqualTo(new SourceState.Stopped());
    }

    @Test
    void closingWaitsAtMostFiveSecondsForAHandlerThatHangs() throws Exception {
        String shard = streams.open(null);
        streams.write(shard, "a");
        CountDownLatch inHand = new CountDownLatch(1);
        StreamSource source =
                start(
                        "one",
                        settings("one").withHandlerDeadline(Duration.ofMinutes(1)),
                        (_, _) -> {
                            inHand.countDown();
                            new CountDownLatch(1).await();
                            return new byte[0];
                        });
        inHand.await();

        long began = System.nanoTime();
        source.close();

        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(5));
        assertThat(checkpoints("two").acquire(shard)).as("the lease").isPresent();
    }

    @Test
    void closingAnIdleSourceIsQuick() {
        streams.open(null);
        StreamSource source = start("one", settings("one").withDiscovery(Duration.ofMinutes(5)));
        eventually(() -> source.state().equals(new SourceState.Polling()));

        long began = System.nanoTime();
        source.close();

        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(1));
    }

    @Test
    void theStateSaysWhatFailsAndSinceWhen() {
        String shard = streams.open(null);
        StreamSource source =
                start("one", settings("one").withRetries(retries(-1, Duration.ofMillis(20))));
        handler.throwNext("a", 10);
        eventually(() -> source.state().equals(new SourceState.Polling()));
        clock.advance(Duration.ofSeconds(1));

        streams.write(shard, "a");

        eventually(
                () ->
                        source.state()
                                .equals(
                                        new SourceState.Troubled(
                                                "IllegalStateException", clock.instant())));
        eventually(() -> source.state().equals(new SourceState.Polling()));
    }

    @Test
    void beforeItIsStartedASourceIsStartingAndItStartsOnce() {
        StreamSource source = source("one", settings("one"), handler);
        assertThat(source.state()).isEqualTo(new SourceState.Starting());

        source.start();

        assertThatThrownBy(source::start)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("consumer");
    }

    @Test
    void givenUpBatchesCanBeHandledOnceMore() throws Exception {
        String shard = streams.open(null);
        streams.write(shard, "a");
        streams.write(shard, "b");
        handler.throwNext("a", 3);
        handler.throwNext("b", 2);
        StreamSource source =
                start("one", settings("one").withRetries(retries(1, Duration.ofMillis(1))));
        eventually(() -> failed.depth() == 2);
        handler.throwNext("b", 1);

        assertThat(source.redrive(10)).isEqualTo(1);
        assertThat(handler.settled()).containsExactly("a");
        assertThat(source.redrive(10)).isEqualTo(1);
        assertThat(handler.settled()).containsExactly("a", "b");
        assertThat(failed.depth()).isZero();
    }

    private StreamSource start(String owner) {
        return start(owner, settings(owner));
    }

    private StreamSource start(String owner, StreamSettings settings) {
        return start(owner, settings, handler);
    }

    private StreamSource start(String owner, StreamSettings settings, EventHandler called) {
        StreamSource source = source(owner, settings, called);
        source.start();
        return source;
    }

    private StreamSource source(String owner, StreamSettings settings, EventHandler called) {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        registries.add(registry);
        StreamSource source =
                new StreamSource(
                        settings,
                        streams,
                        checkpoints(owner),
                        called,
                        failed,
                        registry,
                        clock,
                        new Random(3));
        sources.add(source);
        return source;
    }

    private ShardCheckpoints checkpoints(String owner) {
        return new InMemoryShardCheckpoints(store, owner, Duration.ofSeconds(15), clock);
    }

    private ShardPosition position(String shardId) {
        return checkpoints("x").positions().getOrDefault(shardId, new ShardPosition.Horizon());
    }

    private static StreamSettings settings(String owner) {
        return StreamSettings.local("consumer", owner, FakeStreams.ARN)
                .withBatchSize(4)
                .withIdlePoll(Duration.ofMillis(2))
                .withDiscovery(Duration.ofMillis(10))
                .withRetries(retries(-1, Duration.ofMillis(1)));
    }

    private static Retries retries(int attempts, Duration wait) {
        return new Retries(attempts, Optional.empty(), new Backoff(wait, wait));
    }

    private double count(String name) {
        return registries.stream().mapToDouble(r -> r.get(name).counter().count()).sum();
    }
}
