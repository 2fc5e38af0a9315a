package dev.headstone.standalone.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headstone.standalone.source.FailedBatch.Condition;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.Record;
import software.amazon.awssdk.services.dynamodb.model.StreamRecord;

final class BatchRunTest {
    private static final String SHARD = "shardId-00000000000000000001-00000000";

    private final SettableClock clock = new SettableClock();
    private final RecordingHandler handler = new RecordingHandler();
    private final InMemoryFailedBatches failed = new InMemoryFailedBatches();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final List<String> settled = new ArrayList<>();
    private final List<Duration> waits = new ArrayList<>();
    private boolean held = true;
    private boolean stopping;

    @Test
    void aSettledBatchIsCheckpointedAtItsLastRecord() throws Exception {
        assertThat(run("a", "b", "c")).isTrue();

        assertThat(handler.batches()).containsExactly(List.of("a", "b", "c"));
        assertThat(settled).containsExactly("c");
        assertThat(waits).isEmpty();
    }

    @Test
    void aReportedRecordIsResumedFromAndWhatCameBeforeStands() throws Exception {
        handler.reportNext("c", 1);

        assertThat(run("a", "b", "c", "d")).isTrue();

        assertThat(handler.batches())
                .containsExactly(List.of("a", "b", "c", "d"), List.of("c", "d"));
        assertThat(settled).containsExactly("b", "d");
    }

    @Test
    void ofSeveralReportedRecordsTheLowestCounts() throws Exception {
        List<String> calls = new ArrayList<>();
        EventHandler reportsTwo =
                (event, _) -> {
                    calls.add(new String(event, StandardCharsets.UTF_8));
                    return calls.size() > 1
                            ? new byte[0]
                            : """
                              {"batchItemFailures":[{"itemIdentifier":"%s"},{"itemIdentifier":"%s"}]}
                              """
                                    .formatted(number("c"), number("b"))
                                    .getBytes(StandardCharsets.UTF_8);
                };

        assertThat(run(reportsTwo, unlimited(), "a", "b", "c", "d")).isTrue();

        assertThat(settled).containsExactly("a", "d");
        assertThat(calls.get(1)).contains(number("b"), number("c")).doesNotContain(number("a"));
    }

    @Test
    void aThrownErrorHalvesTheBatchUntilTheBadRecordIsAloneAndOrderIsKept() throws Exception {
        handler.throwNext("c", 3);

        assertThat(run("a", "b", "c", "d", "e")).isTrue();

        assertThat(handler.batches())
                .containsExactly(
                        List.of("a", "b", "c", "d", "e"),
                        List.of("a", "b", "c"),
                        List.of("a", "b"),
                        List.of("c"),
                        List.of("c"),
                        List.of("d", "e"));
        assertThat(settled).containsExactly("b", "c", "e");
        assertThat(count("headstone_stream_bisects")).isEqualTo(2);
        assertThat(count("headstone_stream_retries")).isEqualTo(1);
    }

    @Test
    void aReportOfTheFirstRecordIsolatesItTooSoThatGoodRecordsAreNotGivenUpWithIt()
            throws Exception {
        handler.reportNext("a", 99);

        assertThat(run(handler, retries(2), "a", "b", "c")).isTrue();

        assertThat(handler.batches())
                .containsExactly(
                        List.of("a", "b", "c"),
                        List.of("a", "b"),
                        List.of("a"),
                        List.of("a"),
                        List.of("a"),
                        List.of("b"),
                        List.of("c"));
        assertThat(failed.list(10)).extracting(FailedBatch::size).containsExactly(1);
        assertThat(settled).containsExactly("a", "b", "c");
    }

    @Test
    void splittingUsesUpNoRetry() throws Exception {
        handler.throwNext("a", 99);

        assertThat(run(handler, retries(0), "a", "b", "c", "d")).isTrue();

        assertThat(handler.settled()).containsExactly("b", "c", "d");
        assertThat(failed.list(10))
                .singleElement()
                .satisfies(
                        batch -> {
                            assertThat(batch.firstSequenceNumber()).isEqualTo(number("a"));
                            assertThat(batch.lastSequenceNumber()).isEqualTo(number("a"));
                        });
    }

    @Test
    void afterTheLastRetryTheRecordGoesToTheDestinationWithItsBytesAndTheShardGoesOn()
            throws Exception {
        handler.throwNext("b", 99);

        assertThat(run(handler, retries(3), "a", "b", "c")).isTrue();

        FailedBatch batch = failed.list(10).getFirst();
        assertThat(batch.condition()).isEqualTo(Condition.RETRY_ATTEMPTS_EXHAUSTED);
        assertThat(batch.invocations()).isEqualTo(4);
        assertThat(batch.fault()).contains("IllegalStateException");
        assertThat(batch.event()).isEqualTo(StreamEntry.event(entries("b")));
        assertThat(batch.at()).isEqualTo(clock.instant());
        assertThat(settled).containsExactly("a", "b", "c");
        assertThat(count("headstone_stream_discarded")).isEqualTo(1);
    }

    @Test
    void withoutALimitARecordIsRetriedUntilItIsSettled() throws Exception {
        handler.throwNext("a", 1000);

        assertThat(run("a")).isTrue();

        assertThat(handler.batches()).hasSize(1001);
        assertThat(failed.depth()).isZero();
    }

    @Test
    void waitsGrowUpToTheCeilingAndVary() throws Exception {
        handler.throwNext("a", 12);

        run("a");

        assertThat(waits).hasSize(12).allMatch(wait -> wait.compareTo(Duration.ofSeconds(1)) <= 0);
        assertThat(waits.getFirst()).isBetween(Duration.ofMillis(50), Duration.ofMillis(100));
        assertThat(waits.subList(6, 12))
                .allMatch(wait -> wait.compareTo(Duration.ofMillis(500)) >= 0)
                .doesNotHaveDuplicates();
    }

    @Test
    void anIdentifierThatIsNotOfTheBatchFailsTheWholeBatch() throws Exception {
        List<Integer> calls = new ArrayList<>();
        EventHandler confused =
                (_, _) -> {
                    calls.add(1);
                    return calls.size() == 1
                            ? RecordingHandler.failure("999999999999999999999")
                            : new byte[0];
                };

        assertThat(run(confused, unlimited(), "a", "b")).isTrue();

        assertThat(calls).hasSize(3);
        assertThat(settled).containsExactly("a", "b");
    }

    @Test
    void recordsOlderThanTheMaximumAreNotHandedOverAndTheOthersAre() throws Exception {
        List<StreamEntry> batch = new ArrayList<>(entries("a", "b"));
        clock.advance(Duration.ofHours(2));
        batch.addAll(entries("c", "d"));
        Retries anHour = new Retries(-1, Optional.of(Duration.ofHours(1)), backoff());

        assertThat(runner(handler, anHour).run(SHARD, batch, new TestPlace())).isTrue();

        assertThat(handler.batches()).containsExactly(List.of("c", "d"));
        assertThat(settled).containsExactly("b", "d");
        assertThat(failed.list(10))
                .singleElement()
                .satisfies(
                        old -> {
                            assertThat(old.condition()).isEqualTo(Condition.RECORD_AGE_EXCEEDED);
                            assertThat(old.size()).isEqualTo(2);
                            assertThat(old.invocations()).isZero();
                        });
    }

    @Test
    void aRecordThatComesOfAgeWhileItIsRetriedIsGivenUp() throws Exception {
        EventHandler slow =
                (_, _) -> {
                    clock.advance(Duration.ofMinutes(20));
                    throw new IllegalStateException("down");
                };
        Retries anHour = new Retries(-1, Optional.of(Duration.ofHours(1)), backoff());

        assertThat(run(slow, anHour, "a")).isTrue();

        assertThat(failed.list(10))
                .singleElement()
                .satisfies(
                        old -> {
                            assertThat(old.condition()).isEqualTo(Condition.RECORD_AGE_EXCEEDED);
                            assertThat(old.invocations()).isEqualTo(4);
                        });
    }

    @Test
    void aHandlerThatDoesNotAnswerIsInterruptedAndTheBatchIsHalved() throws Exception {
        List<String> events = new ArrayList<>();
        EventHandler hangs =
                (event, _) -> {
                    String json = new String(event, StandardCharsets.UTF_8);
                    synchronized (events) {
                        events.add(json);
                    }
                    if (json.contains(number("b"))) {
                        new java.util.concurrent.CountDownLatch(1).await();
                    }
                    return new byte[0];
                };

        assertThat(run(hangs, retries(1), "a", "b")).isTrue();

        assertThat(events).hasSize(4);
        assertThat(failed.list(10))
                .singleElement()
                .satisfies(batch -> assertThat(batch.fault()).contains("no answer within PT0.1S"));
    }

    @Test
    void nothingIsSkippedWhileTheDestinationIsOutOfReach() throws Exception {
        handler.throwNext("a", 99);
        failed.refuse(3);

        assertThat(run(handler, retries(0), "a", "b")).isTrue();

        assertThat(failed.depth()).isEqualTo(1);
        assertThat(handler.settled()).containsExactly("b");
        assertThat(settled).containsExactly("a", "b");
    }

    @Test
    void aFullDestinationHoldsTheShardUntilTheRecordIsSettledAfterAll() throws Exception {
        InMemoryFailedBatches full = new InMemoryFailedBatches(0);
        handler.throwNext("a", 5);

        BatchRun run = runner(handler, retries(0), full);
        assertThat(run.run(SHARD, entries("a", "b"), new TestPlace())).isTrue();

        assertThat(handler.settled()).containsExactly("a", "b");
    }

    @Test
    void stopsBetweenTwoTriesWhenTheSourceStops() throws Exception {
        EventHandler failing =
                (_, _) -> {
                    stopping = true;
                    throw new IllegalStateException("down");
                };

        assertThat(run(failing, unlimited(), "a", "b")).isFalse();

        assertThat(settled).isEmpty();
    }

    @Test
    void stopsWhenThePlaceIsLost() throws Exception {
        held = false;

        assertThat(run("a")).isFalse();

        assertThat(handler.batches()).isEmpty();
    }

    @Test
    void theLagIsTheAgeOfTheOldestRecordInHandAndThenThatOfTheLastOneSettled() throws Exception {
        List<Double> during = new ArrayList<>();
        EventHandler slow =
                (_, _) -> {
                    clock.advance(Duration.ofSeconds(3));
                    during.add(gauge());
                    return new byte[0];
                };

        assertThat(run(slow, unlimited(), "a")).isTrue();
        clock.advance(Duration.ofHours(1));

        assertThat(during).containsExactly(3.0);
        assertThat(gauge()).isEqualTo(3.0);
    }

    private final class TestPlace implements BatchRun.Place {
        @Override
        public boolean held() {
            return held;
        }

        @Override
        public void settled(StreamEntry entry) {
            settled.add(code(entry));
        }
    }

    private boolean run(String... codes) throws InterruptedException {
        return run(handler, unlimited(), codes);
    }

    private boolean run(EventHandler called, Retries retries, String... codes)
            throws InterruptedException {
        return runner(called, retries).run(SHARD, entries(codes), new TestPlace());
    }

    private BatchRun runner(EventHandler called, Retries retries) {
        return runner(called, retries, failed);
    }

    private BatchRun runner(EventHandler called, Retries retries, FailedBatches destination) {
        return new BatchRun(
                FakeStreams.ARN,
                new Invoker("test", called, Duration.ofMillis(100), 1, clock),
                retries,
                destination,
                new StreamMeters("test", registry, clock),
                new SourceHealth(clock),
                clock,
                new Random(7),
                new Pause() {
                    @Override
                    public boolean stopping() {
                        return stopping;
                    }

                    @Override
                    public boolean hold(Duration time) {
                        waits.add(time);
                        return !stopping;
                    }
                });
    }

    private List<StreamEntry> entries(String... codes) {
        StreamRecordJson json = new StreamRecordJson(FakeStreams.ARN, clock);
        return Stream.of(codes).map(code -> json.entry(record(code))).toList();
    }

    private Record record(String code) {
        return Record.builder()
                .eventID("event-" + code)
                .eventName("MODIFY")
                .dynamodb(
                        StreamRecord.builder()
                                .sequenceNumber(number(code))
                                .approximateCreationDateTime(clock.instant())
                                .keys(java.util.Map.of("short_code", AttributeValue.fromS(code)))
                                .build())
                .build();
    }

    private static String number(String code) {
        return "1000000000000000000%02d".formatted(code.charAt(0) - 'a');
    }

    private static String code(StreamEntry entry) {
        int index = Integer.parseInt(entry.sequenceNumber().substring(19));
        return String.valueOf((char) ('a' + index));
    }

    private static Retries unlimited() {
        return retries(-1);
    }

    private static Retries retries(int attempts) {
        return new Retries(attempts, Optional.empty(), backoff());
    }

    private static Backoff backoff() {
        return new Backoff(Duration.ofMillis(100), Duration.ofSeconds(1));
    }

    private double count(String name) {
        return registry.get(name).counter().count();
    }

    private double gauge() {
        return registry.get("headstone_stream_lag_seconds").gauge().value();
    }
}
