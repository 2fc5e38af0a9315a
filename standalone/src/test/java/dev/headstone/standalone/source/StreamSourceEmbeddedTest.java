package dev.headstone.standalone.source;

import static dev.headstone.standalone.source.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.events.DynamodbEvent;
import com.amazonaws.services.lambda.runtime.events.StreamsEventResponse;
import dev.headstone.dynamodb.Settings;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The stream source over the embedded table, through the SDK and the wire. */
@Timeout(60)
final class StreamSourceEmbeddedTest {
    private static final String LINKS = "Links";
    private static final String CHECKPOINTS = "Links-checkpoints";
    private static final String FAILED = "Links-failed";

    @TempDir Path folder;

    private final RecordingHandler handler = new RecordingHandler();
    private final List<AutoCloseable> open = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open.reversed()) {
            each.close();
        }
    }

    @Test
    void shardsThatRollOverAreReadParentsFirstAndNoChangeIsMissed() {
        EmbeddedTable table = create(inMemory());
        for (int i = 0; i < 55; i++) {
            table.write(LINKS, "code-" + i, 1);
        }
        start(table, handler, Duration.ofMillis(5));

        for (int i = 55; i < 100; i++) {
            table.write(LINKS, "code-" + i, 1);
        }

        eventually(() -> handler.settled().equals(codes(100)));
        assertThat(shards(table)).isGreaterThan(5);
    }

    @Test
    void aRestartOfEverythingGoesOnAfterTheLastCheckpoint() throws Exception {
        Settings durable =
                Settings.at(folder.resolve("table.mv.db"), InstantSource.system())
                        .withShardRecords(10);
        EmbeddedTable first = create(durable);
        StreamSource source = start(first, handler, Duration.ofMillis(5));
        for (int i = 0; i < 25; i++) {
            first.write(LINKS, "code-" + i, 1);
        }
        eventually(() -> handler.settled().equals(codes(25)));
        source.close();
        first.write(LINKS, "code-25", 1);
        first.close();
        open.clear();

        EmbeddedTable second = new EmbeddedTable(durable);
        open.add(second);
        start(second, handler, Duration.ofMillis(5));
        second.write(LINKS, "code-26", 1);

        eventually(() -> handler.settled().equals(codes(27)));
    }

    @Test
    void aBadRecordIsGivenUpWithItsBytesAndCanBeHandledOnceMore() throws Exception {
        EmbeddedTable table = create(inMemory());
        handler.throwNext("code-3", 100);
        for (int i = 0; i < 8; i++) {
            table.write(LINKS, "code-" + i, 1);
        }

        StreamSource source = start(table, handler, Duration.ofMillis(5));

        DynamoDbFailedBatches failed = failed(table);
        eventually(() -> failed.depth() == 1 && handler.settled().size() == 7);
        FailedBatch batch = failed.list(1).getFirst();
        assertThat(batch.event()).contains("\"code-3\"").doesNotContain("\"code-4\"");
        assertThat(batch.toJson()).contains("RetryAttemptsExhausted");

        handler.throwNext("code-3", 0);
        assertThat(source.redrive(10)).isEqualTo(1);
        assertThat(handler.settled()).contains("code-3");
        assertThat(failed.depth()).isZero();
    }

    @Test
    void aLambdaHandlerSeesBothImages() {
        EmbeddedTable table = create(inMemory());
        List<DynamodbEvent.DynamodbStreamRecord> records = new CopyOnWriteArrayList<>();
        LambdaFunction<DynamodbEvent, StreamsEventResponse> function =
                LambdaFunction.of(
                        "stream-consumer",
                        (DynamodbEvent event, Context _) -> {
                            records.addAll(event.getRecords());
                            return new StreamsEventResponse(List.of());
                        },
                        DynamodbEvent.class,
                        InstantSource.system(),
                        new Random(1));
        start(table, function, Duration.ofMillis(5));

        table.write(LINKS, "abc", 1);
        table.write(LINKS, "abc", 2);

        eventually(() -> records.size() == 2);
        assertThat(records.get(0).getEventName()).isEqualTo("INSERT");
        assertThat(records.get(0).getDynamodb().getOldImage()).isNull();
        assertThat(records.get(1).getEventName()).isEqualTo("MODIFY");
        assertThat(records.get(1).getDynamodb().getOldImage())
                .hasEntrySatisfying("version", v -> assertThat(v.getN()).isEqualTo("1"));
        assertThat(records.get(1).getDynamodb().getNewImage())
                .hasEntrySatisfying("version", v -> assertThat(v.getN()).isEqualTo("2"));
        assertThat(records.get(1).getDynamodb().getApproximateCreationDateTime()).isNotNull();
    }

    private static Settings inMemory() {
        return Settings.inMemory(InstantSource.system()).withShardRecords(10);
    }

    private EmbeddedTable create(Settings settings) {
        EmbeddedTable table = new EmbeddedTable(settings);
        open.add(table);
        table.createLinks(LINKS);
        table.dynamoDb.createTable(StreamSource.checkpointTable(CHECKPOINTS));
        table.dynamoDb.createTable(DynamoDbFailedBatches.table(FAILED));
        return table;
    }

    private StreamSource start(EmbeddedTable table, EventHandler called, Duration idlePoll) {
        String streamArn =
                table.dynamoDb.describeTable(r -> r.tableName(LINKS)).table().latestStreamArn();
        StreamSource source =
                new StreamSource(
                        StreamSettings.local("stream-consumer", "local", streamArn)
                                .withIdlePoll(idlePoll)
                                .withDiscovery(Duration.ofMillis(50))
                                .withRetries(
                                        new Retries(
                                                2,
                                                Optional.empty(),
                                                new Backoff(
                                                        Duration.ofMillis(1),
                                                        Duration.ofMillis(10)))),
                        table.streams,
                        table.dynamoDb,
                        CHECKPOINTS,
                        called,
                        failed(table),
                        new SimpleMeterRegistry(),
                        InstantSource.system(),
                        new Random(1));
        open.add(source);
        source.start();
        return source;
    }

    private static DynamoDbFailedBatches failed(EmbeddedTable table) {
        return new DynamoDbFailedBatches(
                table.dynamoDb, FAILED, "stream-consumer", 100, Duration.ofSeconds(5));
    }

    private static int shards(EmbeddedTable table) {
        String streamArn =
                table.dynamoDb.describeTable(r -> r.tableName(LINKS)).table().latestStreamArn();
        return table.streams
                .describeStream(r -> r.streamArn(streamArn))
                .streamDescription()
                .shards()
                .size();
    }

    private static List<String> codes(int count) {
        return IntStream.range(0, count).mapToObj(i -> "code-" + i).collect(Collectors.toList());
    }
}
