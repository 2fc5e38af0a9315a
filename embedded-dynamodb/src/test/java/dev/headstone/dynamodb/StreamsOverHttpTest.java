package dev.headstone.dynamodb;

import static dev.headstone.dynamodb.Clients.item;
import static dev.headstone.dynamodb.Clients.n;
import static dev.headstone.dynamodb.Clients.streamedTableOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.ExpiredIteratorException;
import software.amazon.awssdk.services.dynamodb.model.GetRecordsResponse;
import software.amazon.awssdk.services.dynamodb.model.GetShardIteratorRequest;
import software.amazon.awssdk.services.dynamodb.model.OperationType;
import software.amazon.awssdk.services.dynamodb.model.Put;
import software.amazon.awssdk.services.dynamodb.model.Record;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;
import software.amazon.awssdk.services.dynamodb.model.Shard;
import software.amazon.awssdk.services.dynamodb.model.ShardFilter;
import software.amazon.awssdk.services.dynamodb.model.ShardIteratorType;
import software.amazon.awssdk.services.dynamodb.model.StreamDescription;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TrimmedDataAccessException;

final class StreamsOverHttpTest {
    private static final Instant START = Instant.parse("2026-12-01T00:00:00.250Z");

    private final SettableClock clock = new SettableClock(START);
    private final EmbeddedDynamoDb server =
            EmbeddedDynamoDb.start(
                    Settings.inMemory(clock)
                            .withShardRecords(4)
                            .withSweepInterval(Duration.ofMillis(20)));
    private final Clients clients = new Clients(server.endpoint());
    private String stream = "";

    @BeforeEach
    void createTable() {
        clients.create(streamedTableOf("Links", "code:S"));
        stream = clients.streamArn("Links");
    }

    @AfterEach
    void stop() {
        clients.close();
        server.close();
    }

    @Test
    void eachChangeIsARecordWithBothImages() {
        clients.put("Links", "code", "a", "v", 1);
        clients.put("Links", "code", "a", "v", 2);
        clients.table.deleteItem(delete -> delete.tableName("Links").key(item("code", "a")));

        List<Record> records = clients.records(stream);

        assertThat(records)
                .extracting(Record::eventName)
                .containsExactly(OperationType.INSERT, OperationType.MODIFY, OperationType.REMOVE);
        Record modified = records.get(1);
        assertThat(modified.eventVersion()).isEqualTo("1.1");
        assertThat(modified.eventSource()).isEqualTo("aws:dynamodb");
        assertThat(modified.awsRegion()).isNotEmpty();
        assertThat(modified.userIdentity()).isNull();
        assertThat(modified.dynamodb().keys()).isEqualTo(item("code", "a"));
        assertThat(modified.dynamodb().oldImage()).isEqualTo(item("code", "a", "v", 1));
        assertThat(modified.dynamodb().newImage()).isEqualTo(item("code", "a", "v", 2));
        assertThat(modified.dynamodb().sizeBytes()).isEqualTo(5 + 8 + 8);
        assertThat(modified.dynamodb().streamViewTypeAsString()).isEqualTo("NEW_AND_OLD_IMAGES");
        assertThat(modified.dynamodb().approximateCreationDateTime())
                .isEqualTo(Instant.parse("2026-12-01T00:00:00Z"));
        assertThat(records.getFirst().dynamodb().hasOldImage()).isFalse();
        assertThat(records.getLast().dynamodb().hasNewImage()).isFalse();
        assertThat(records).extracting(Record::eventID).doesNotHaveDuplicates();
        assertThat(records)
                .extracting(record -> record.dynamodb().sequenceNumber())
                .isSorted()
                .allMatch(number -> number.matches("\\d{21}"));
    }

    @ParameterizedTest(name = "{0}: old image {1}, new image {2}")
    @CsvSource({
        "KEYS_ONLY, false, false",
        "NEW_IMAGE, false, true",
        "OLD_IMAGE, true, false",
        "NEW_AND_OLD_IMAGES, true, true"
    })
    void recordsHoldTheImagesOfTheirStreamsView(String view, boolean old, boolean made) {
        clients.create(
                Clients.tableOf("Viewed", "code:S")
                        .streamSpecification(
                                viewed -> viewed.streamEnabled(true).streamViewType(view)));
        clients.put("Viewed", "code", "a", "v", 1);
        clients.put("Viewed", "code", "a", "v", 2);

        Record record = clients.records(clients.streamArn("Viewed")).getLast();

        assertThat(record.eventName()).isEqualTo(OperationType.MODIFY);
        assertThat(record.dynamodb().keys()).isEqualTo(item("code", "a"));
        assertThat(record.dynamodb().hasOldImage()).isEqualTo(old);
        assertThat(record.dynamodb().hasNewImage()).isEqualTo(made);
    }

    @Test
    void aWriteThatChangesNothingLeavesNoRecord() {
        clients.put("Links", "code", "a", "v", 1);
        clients.put("Links", "code", "a", "v", 1);
        clients.table.updateItem(
                update ->
                        update.tableName("Links")
                                .key(item("code", "a"))
                                .updateExpression("SET v = :one")
                                .expressionAttributeValues(Map.of(":one", n(1))));
        clients.table.deleteItem(delete -> delete.tableName("Links").key(item("code", "none")));

        assertThat(clients.records(stream)).hasSize(1);
    }

    @Test
    void aFullShardIsClosedAndHasAChild() {
        for (int i = 0; i < 6; i++) {
            clients.put("Links", "code", "a" + i);
        }

        List<Shard> shards = clients.shards(stream);

        assertThat(shards).hasSize(2);
        Shard closed = shards.getFirst();
        Shard open = shards.getLast();
        assertThat(closed.parentShardId()).isNull();
        assertThat(open.parentShardId()).isEqualTo(closed.shardId());
        assertThat(open.sequenceNumberRange().endingSequenceNumber()).isNull();
        assertThat(open.sequenceNumberRange().startingSequenceNumber())
                .isGreaterThan(closed.sequenceNumberRange().endingSequenceNumber());
        GetRecordsResponse ofClosed = all(closed);
        assertThat(ofClosed.records()).hasSize(4);
        assertThat(ofClosed.records().getLast().dynamodb().sequenceNumber())
                .isEqualTo(closed.sequenceNumberRange().endingSequenceNumber());
        assertThat(ofClosed.nextShardIterator()).isNull();
        assertThat(all(open).records()).hasSize(2);
        assertThat(all(open).nextShardIterator()).isNotNull();
    }

    @Test
    void aShardThatHoldsRecordsIsClosedWhenItIsOld() {
        clients.put("Links", "code", "a");

        clock.advance(Duration.ofHours(4));

        await().untilAsserted(() -> assertThat(clients.shards(stream)).hasSize(2));
        String parent = clients.shards(stream).getFirst().shardId();
        assertThat(
                        clients.streams
                                .describeStream(
                                        describe ->
                                                describe.streamArn(stream)
                                                        .shardFilter(childrenOf(parent)))
                                .streamDescription()
                                .shards())
                .containsExactly(clients.shards(stream).getLast());
    }

    @Test
    void aTransactionThatFillsAShardRollsItOnce() {
        List<TransactWriteItem> puts =
                IntStream.range(0, 9)
                        .mapToObj(i -> Put.builder().tableName("Links").item(item("code", "t" + i)))
                        .map(put -> TransactWriteItem.builder().put(put.build()).build())
                        .toList();
        clients.table.transactWriteItems(transaction -> transaction.transactItems(puts));

        List<Shard> shards = clients.shards(stream);
        assertThat(shards).hasSize(3);
        assertThat(shards.get(1).parentShardId()).isEqualTo(shards.get(0).shardId());
        assertThat(shards.get(2).parentShardId()).isEqualTo(shards.get(1).shardId());
        assertThat(clients.records(stream)).hasSize(9);
    }

    @Test
    void iteratorsStartWhereTheyAreAskedTo() {
        for (int i = 0; i < 3; i++) {
            clients.put("Links", "code", "a" + i);
        }
        Shard shard = clients.shards(stream).getFirst();
        List<Record> records = clients.records(stream);
        String second = records.get(1).dynamodb().sequenceNumber();
        String latest = clients.iterator(stream, shard, ShardIteratorType.LATEST);
        clients.put("Links", "code", "a3");

        assertThat(read(at(shard, ShardIteratorType.AT_SEQUENCE_NUMBER, second)).records())
                .first()
                .isEqualTo(records.get(1));
        assertThat(read(at(shard, ShardIteratorType.AFTER_SEQUENCE_NUMBER, second)).records())
                .first()
                .isEqualTo(records.get(2));
        assertThat(read(latest).records())
                .extracting(record -> record.dynamodb().keys())
                .containsExactly(item("code", "a3"));
        assertThat(read(clients.iterator(stream, shard, ShardIteratorType.TRIM_HORIZON)).records())
                .hasSize(4);
    }

    @Test
    void readingGoesOnWhereItStopped() {
        for (int i = 0; i < 3; i++) {
            clients.put("Links", "code", "a" + i);
        }
        String iterator =
                clients.iterator(
                        stream, clients.shards(stream).getFirst(), ShardIteratorType.TRIM_HORIZON);

        GetRecordsResponse first =
                clients.streams.getRecords(get -> get.shardIterator(iterator).limit(2));
        GetRecordsResponse second = read(first.nextShardIterator());
        GetRecordsResponse third = read(second.nextShardIterator());
        clients.put("Links", "code", "later");

        assertThat(first.records()).hasSize(2);
        assertThat(second.records()).hasSize(1);
        assertThat(third.records()).isEmpty();
        assertThat(read(third.nextShardIterator()).records()).hasSize(1);
    }

    @Test
    void anIteratorExpiresAfter15Minutes() {
        String iterator =
                clients.iterator(
                        stream, clients.shards(stream).getFirst(), ShardIteratorType.TRIM_HORIZON);

        clock.advance(Duration.ofMinutes(15));
        read(iterator);
        clock.advance(Duration.ofMillis(1));

        assertThatThrownBy(() -> read(iterator)).isInstanceOf(ExpiredIteratorException.class);
    }

    @Test
    void recordsAreTrimmedAfter24HoursAndTheirShardsVanish() {
        for (int i = 0; i < 5; i++) {
            clients.put("Links", "code", "a" + i);
        }
        Shard closed = clients.shards(stream).getFirst();
        String trimmed = clients.records(stream).getFirst().dynamodb().sequenceNumber();

        clock.advance(Duration.ofHours(25));
        await().untilAsserted(() -> assertThat(clients.records(stream)).isEmpty());

        assertThat(clients.shards(stream))
                .extracting(Shard::shardId)
                .doesNotContain(closed.shardId());
        assertThatThrownBy(() -> at(closed, ShardIteratorType.AT_SEQUENCE_NUMBER, trimmed))
                .isInstanceOf(ResourceNotFoundException.class);
        clients.put("Links", "code", "new");
        assertThat(clients.records(stream)).hasSize(1);
    }

    @Test
    void anIteratorToWhatIsTrimmedMeanwhileSaysSo() {
        Settings longShards =
                Settings.inMemory(clock)
                        .withShardAge(Duration.ofDays(2))
                        .withSweepInterval(Duration.ofMillis(20));
        try (EmbeddedDynamoDb other = EmbeddedDynamoDb.start(longShards);
                Clients its = new Clients(other.endpoint())) {
            its.create(streamedTableOf("Links", "code:S"));
            String arn = its.streamArn("Links");
            its.put("Links", "code", "trimmed");
            clock.advance(Duration.ofHours(24).minusMinutes(1));
            its.put("Links", "code", "kept");
            Shard shard = its.shards(arn).getFirst();
            String first = its.records(arn).getFirst().dynamodb().sequenceNumber();
            GetShardIteratorRequest toFirst =
                    GetShardIteratorRequest.builder()
                            .streamArn(arn)
                            .shardId(shard.shardId())
                            .shardIteratorType(ShardIteratorType.AT_SEQUENCE_NUMBER)
                            .sequenceNumber(first)
                            .build();
            String iterator = its.streams.getShardIterator(toFirst).shardIterator();

            clock.advance(Duration.ofMinutes(2));
            await().untilAsserted(() -> assertThat(its.records(arn)).hasSize(1));

            assertThatThrownBy(() -> its.streams.getRecords(get -> get.shardIterator(iterator)))
                    .isInstanceOf(TrimmedDataAccessException.class);
            assertThatThrownBy(() -> its.streams.getShardIterator(toFirst))
                    .isInstanceOf(TrimmedDataAccessException.class);
        }
    }

    @Test
    void whatIsNoIteratorShardOrStreamIsRefused() {
        Shard shard = clients.shards(stream).getFirst();
        String iterator = clients.iterator(stream, shard, ShardIteratorType.TRIM_HORIZON);
        for (String broken :
                List.of(
                        "none",
                        iterator.substring(0, iterator.length() - 6),
                        iterator.replace("Links", "Linkz"))) {
            assertThatThrownBy(() -> read(broken))
                    .isInstanceOfSatisfying(
                            DynamoDbException.class,
                            e ->
                                    assertThat(e.awsErrorDetails().errorCode())
                                            .isEqualTo("ValidationException"));
        }
        assertThatThrownBy(
                        () ->
                                clients.streams.getShardIterator(
                                        get ->
                                                get.streamArn(stream)
                                                        .shardId(shard.shardId() + "0")
                                                        .shardIteratorType("LATEST")))
                .isInstanceOf(ResourceNotFoundException.class);
        assertThatThrownBy(() -> clients.shards(stream + "0"))
                .isInstanceOf(ResourceNotFoundException.class);
    }

    @Test
    void theStreamOfADeletedTableStaysReadableFor24Hours() {
        clients.put("Links", "code", "a");
        clients.table.deleteTable(delete -> delete.tableName("Links"));
        clients.create(streamedTableOf("Links", "code:S"));

        assertThat(clients.streamArn("Links")).isNotEqualTo(stream);
        StreamDescription ended =
                clients.streams
                        .describeStream(describe -> describe.streamArn(stream))
                        .streamDescription();
        assertThat(ended.streamStatusAsString()).isEqualTo("DISABLED");
        assertThat(clients.records(stream)).hasSize(1);
        assertThat(clients.streams.listStreams(list -> list.tableName("Links")).streams())
                .hasSize(2);

        clock.advance(Duration.ofHours(25));
        await().untilAsserted(
                        () ->
                                assertThat(clients.streams.listStreams(list -> {}).streams())
                                        .hasSize(1));
    }

    private static ShardFilter childrenOf(String parent) {
        return ShardFilter.builder().type("CHILD_SHARDS").shardId(parent).build();
    }

    private String at(Shard shard, ShardIteratorType type, String sequenceNumber) {
        return clients.streams
                .getShardIterator(
                        get ->
                                get.streamArn(stream)
                                        .shardId(shard.shardId())
                                        .shardIteratorType(type)
                                        .sequenceNumber(sequenceNumber))
                .shardIterator();
    }

    private GetRecordsResponse all(Shard shard) {
        return read(clients.iterator(stream, shard, ShardIteratorType.TRIM_HORIZON));
    }

    private GetRecordsResponse read(String iterator) {
        return clients.streams.getRecords(get -> get.shardIterator(iterator));
    }
}
