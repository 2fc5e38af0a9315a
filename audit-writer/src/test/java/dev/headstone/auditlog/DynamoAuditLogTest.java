package dev.headstone.auditlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.headstone.auditlog.LogEntry.Event;
import dev.headstone.auditlog.LogEntry.Place;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

@ExtendWith(Dynamo.Extension.class)
final class DynamoAuditLogTest extends AuditLogContract {
    private final Dynamo dynamo;
    private final String table;
    private final AuditLog log;

    DynamoAuditLogTest(Dynamo dynamo) {
        this.dynamo = dynamo;
        table = dynamo.newTable();
        log = over(dynamo.client());
    }

    @Override
    protected AuditLog log() {
        return log;
    }

    @Test
    void storesExactlyTheTextThatIsHashed() {
        ReceivedEvent event = Bodies.takedown("e-1", "abc");
        written(event);

        assertThat(items())
                .containsExactlyInAnyOrder(
                        Map.of("short_code", text("#days"), "seq", number(20_787)),
                        Map.of(
                                "short_code", text("#id:e-1"),
                                "seq", number(0),
                                "chain", text("abc"),
                                "chain_seq", number(1),
                                "body_sha256", text(ChainHash.sha256(event.body()))),
                        Map.of(
                                "short_code", text("abc"),
                                "seq", number(1),
                                "body", text(event.body()),
                                "prev_hash", text("0".repeat(64)),
                                "hash",
                                        text(
                                                ChainHash.sha256(
                                                        "0".repeat(64) + "\n1\n" + event.body())),
                                "recorded_at", text("2026-11-30T12:00:01.500Z"),
                                "day", text("2026-11-30"),
                                "at_key",
                                        text("2026-11-30T12:00:01.500Z#abc#0000000000000000001")));
    }

    @Test
    void recognisesACopyAfterARestart() {
        ReceivedEvent event = Bodies.takedown("e-1", "abc");
        written(event);

        assertThat(over(dynamo.client()).append(event))
                .isEqualTo(new Appended.AlreadyWritten(new Place("abc", 1)));
        assertThat(over(dynamo.client()).append(Bodies.takedown("e-1", "abc", "spam")))
                .isEqualTo(new Appended.Conflicting(new Place("abc", 1)));
    }

    @Test
    void recognisesItsOwnWriteWhoseReplyWasLost() {
        ReceivedEvent event = Bodies.takedown("e-1", "abc");
        AuditLog unlucky =
                over(
                        Intercepted.after(
                                dynamo.client(),
                                "transactWriteItems",
                                () -> {
                                    throw Intercepted.broken();
                                }));

        assertThat(unlucky.append(event)).isInstanceOf(Appended.Failed.class);
        assertThat(log.append(event)).isEqualTo(new Appended.AlreadyWritten(new Place("abc", 1)));
        assertThat(verify()).isEqualTo(new Verification(1, 1, List.of()));
    }

    @Test
    void leavesNothingBehindWhenItDiesBeforeTheTransaction() {
        AuditLog dying =
                over(
                        Intercepted.before(
                                dynamo.client(),
                                "transactWriteItems",
                                () -> {
                                    throw Intercepted.broken();
                                }));

        assertThat(dying.append(Bodies.takedown("e-1", "abc"))).isInstanceOf(Appended.Failed.class);

        assertThat(items()).as("the day only").hasSize(1);
        assertThat(verify()).isEqualTo(new Verification(0, 0, List.of()));
    }

    @Test
    void looksForTheEndAgainWhenAnotherWriterWasFaster() {
        AtomicInteger others = new AtomicInteger();
        AuditLog slow =
                over(
                        Intercepted.before(
                                dynamo.client(),
                                "transactWriteItems",
                                () -> {
                                    if (others.getAndIncrement() < 3) {
                                        written(Bodies.takedown("other-" + others, "abc"));
                                    }
                                }));

        assertThat(slow.append(Bodies.takedown("e-1", "abc")))
                .isInstanceOfSatisfying(
                        Appended.Written.class,
                        written -> assertThat(written.event().seq()).isEqualTo(4));
        assertThat(verify()).isEqualTo(new Verification(1, 4, List.of()));
    }

    @Test
    void givesUpWhenOthersAreAlwaysFaster() {
        AtomicInteger others = new AtomicInteger();
        AuditLog slow =
                over(
                        Intercepted.before(
                                dynamo.client(),
                                "transactWriteItems",
                                () ->
                                        written(
                                                Bodies.takedown(
                                                        "other-" + others.incrementAndGet(),
                                                        "abc"))));

        assertThat(slow.append(Bodies.takedown("e-1", "abc"))).isInstanceOf(Appended.Failed.class);
        assertThat(others).hasValue(DynamoAuditLog.MOST_ATTEMPTS);
    }

    @Test
    void keepsOneOfTwoCopiesThatAreWrittenAtOnce() {
        ReceivedEvent event = Bodies.takedown("e-1", "abc");
        AtomicInteger calls = new AtomicInteger();
        AuditLog late =
                over(
                        Intercepted.before(
                                dynamo.client(),
                                "transactWriteItems",
                                () -> {
                                    if (calls.getAndIncrement() == 0) {
                                        written(event);
                                    }
                                }));

        assertThat(late.append(event)).isEqualTo(new Appended.AlreadyWritten(new Place("abc", 1)));
        assertThat(verify()).isEqualTo(new Verification(1, 1, List.of()));
    }

    @Test
    void keepsOneChainWhoeverWritesAtOnce() throws InterruptedException, ExecutionException {
        int writers = 4;
        int each = 15;
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> running = new ArrayList<>();
            for (int writer = 0; writer < writers; writer++) {
                String name = "w" + writer + "-";
                running.add(threads.submit(() -> appendStubbornly(name, each)));
            }
            for (Future<?> future : running) {
                future.get();
            }
        }

        assertThat(verify()).isEqualTo(new Verification(1, (long) writers * each, List.of()));
    }

    /** As the queue does: what failed is offered again. */
    private void appendStubbornly(String name, int events) {
        AuditLog own = over(dynamo.client());
        for (int i = 0; i < events; i++) {
            ReceivedEvent event = Bodies.takedown(name + i, "abc");
            int offers = 0;
            while (own.append(event) instanceof Appended.Failed(Exception cause)) {
                assertThat(++offers).as("offers of one event: %s", cause).isLessThan(100);
            }
        }
    }

    @Test
    void asksAgainForWhatABatchLeftUnread() {
        Event one = written(Bodies.takedown("e-1", "abc"));
        Half half = new Half(dynamo.client(), 1);

        assertThat(over(half.client()).markers(Set.of("e-1", "e-2"))).containsOnlyKeys("e-1");
        assertThat(over(half.client()).present(Set.of(new Place("abc", one.seq()))))
                .containsExactly(new Place("abc", 1));
        assertThat(half.calls()).isEqualTo(3);
    }

    @Test
    void doesNotAskForEver() {
        Half never = new Half(dynamo.client(), Integer.MAX_VALUE);

        assertThatExceptionOfType(AuditLogUnavailable.class)
                .isThrownBy(() -> over(never.client()).markers(Set.of("e-1")));
        assertThat(never.calls()).isEqualTo(10);
    }

    @Test
    void saysSoWhenTheTableCannotBeReached() {
        try (DynamoDbClient nobody = Dynamo.clientOf(URI.create("http://127.0.0.1:1"))) {
            AuditLog away = over(nobody);

            assertThat(away.append(Bodies.takedown("e-1", "abc")))
                    .isInstanceOf(Appended.Failed.class);
            assertThatExceptionOfType(AuditLogUnavailable.class)
                    .isThrownBy(() -> away.chain("abc", 0, Optional.empty(), 1));
            assertThatExceptionOfType(AuditLogUnavailable.class)
                    .isThrownBy(() -> away.recorded(TimeKey.START, 1));
            assertThatExceptionOfType(AuditLogUnavailable.class)
                    .isThrownBy(() -> away.sweep(Optional.empty(), _ -> {}));
        }
    }

    @Test
    void saysSoWhenThereIsNoTable() {
        AuditLog nowhere = new DynamoAuditLog(dynamo.client(), "NoSuchTable", clock);

        assertThat(nowhere.append(Bodies.takedown("e-1", "abc")))
                .isInstanceOf(Appended.Failed.class);
        assertThatExceptionOfType(AuditLogUnavailable.class)
                .isThrownBy(() -> nowhere.lastSeq("abc"));
    }

    @Test
    void measuresAnItemAsTheServiceDoes() {
        int overhead =
                AuditItems.bytes(
                                AuditItems.item(
                                        new Event(
                                                "abc",
                                                1,
                                                "",
                                                ChainHash.NONE,
                                                ChainHash.NONE,
                                                clock.instant())))
                        + Bodies.padded("e-1", "abc", 0).body().length();
        int room = AuditItems.MOST_BYTES - overhead;

        written(Bodies.padded("e-1", "abc", room));
        assertThat(log.append(Bodies.padded("e-2", "xyz", room + 1)))
                .isInstanceOf(Appended.TooLarge.class);
    }

    private AuditLog over(DynamoDbClient client) {
        return new DynamoAuditLog(client, table, clock);
    }

    private Verification verify() {
        return new LogVerifier(log).verify(Optional.empty());
    }

    private List<Map<String, AttributeValue>> items() {
        return dynamo.client().scan(request -> request.tableName(table)).items();
    }

    private static AttributeValue text(String value) {
        return AttributeValue.fromS(value);
    }

    private static AttributeValue number(long value) {
        return AttributeValue.fromN(Long.toString(value));
    }
}
