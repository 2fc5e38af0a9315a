package dev.headstone.dynamodb;

import static dev.headstone.dynamodb.Clients.item;
import static dev.headstone.dynamodb.Clients.n;
import static dev.headstone.dynamodb.Clients.s;
import static dev.headstone.dynamodb.Clients.tableOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemResponse;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;
import software.amazon.awssdk.services.dynamodb.model.ReturnConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ItemsOverHttpTest {
    private final SettableClock clock = new SettableClock(Instant.parse("2026-12-01T00:00:00Z"));
    private final EmbeddedDynamoDb server = EmbeddedDynamoDb.start(Settings.inMemory(clock));
    private final Clients clients = new Clients(server.endpoint());

    /** A key that no other test uses. */
    private final String code = UUID.randomUUID().toString();

    @BeforeAll
    void createTables() {
        clients.create(tableOf("Links", "code:S"));
        clients.create(tableOf("Events", "code:S", "at:N"));
    }

    @AfterAll
    void stop() {
        clients.close();
        server.close();
    }

    @Test
    void whatWasPutIsFoundWithAllItsTypes() {
        Map<String, AttributeValue> link =
                item(
                        "code", "types",
                        "text", "",
                        "number", AttributeValue.fromN("12345678901234567890.123"),
                        "bytes", AttributeValue.fromB(SdkBytes.fromUtf8String("bytes")),
                        "truth", true,
                        "nothing", AttributeValue.fromNul(true),
                        "texts", AttributeValue.fromSs(List.of("a", "b")),
                        "numbers", AttributeValue.fromNs(List.of("1", "2.5")),
                        "list", AttributeValue.fromL(List.of(s("x"), n(1))),
                        "map", AttributeValue.fromM(Map.of("inner", s("y"))));

        clients.table.putItem(put -> put.tableName("Links").item(link));

        assertThat(clients.get("Links", "code", "types")).isEqualTo(link);
    }

    @Test
    void anItemThatIsNotThereIsNone() {
        assertThat(
                        clients.table
                                .getItem(get -> get.tableName("Links").key(item("code", "none")))
                                .hasItem())
                .isFalse();
    }

    @Test
    void aProjectionSelects() {
        clients.put("Links", "code", "projected", "a", 1, "b", 2, "c", 3);

        assertThat(
                        clients.table
                                .getItem(
                                        get ->
                                                get.tableName("Links")
                                                        .key(item("code", "projected"))
                                                        .projectionExpression("a, #b")
                                                        .expressionAttributeNames(
                                                                Map.of("#b", "b")))
                                .item())
                .isEqualTo(item("a", 1, "b", 2));
    }

    @Test
    void aPutReturnsWhatItReplaced() {
        clients.put("Links", "code", "replaced", "version", 1);

        assertThat(
                        clients.table
                                .putItem(
                                        put ->
                                                put.tableName("Links")
                                                        .item(item("code", "replaced", "v", 2))
                                                        .returnValues(ReturnValue.ALL_OLD))
                                .attributes())
                .isEqualTo(item("code", "replaced", "version", 1));
        assertThat(clients.get("Links", "code", "replaced"))
                .isEqualTo(item("code", "replaced", "v", 2));
    }

    @Test
    void aDeleteReturnsWhatItRemoved() {
        clients.put("Links", "code", "removed", "version", 1);

        assertThat(
                        clients.table
                                .deleteItem(
                                        delete ->
                                                delete.tableName("Links")
                                                        .key(item("code", "removed"))
                                                        .returnValues(ReturnValue.ALL_OLD))
                                .attributes())
                .isEqualTo(item("code", "removed", "version", 1));
        assertThat(clients.get("Links", "code", "removed")).isEmpty();
    }

    @Test
    void aConditionThatDoesNotHoldTellsTheItemAndChangesNothing() {
        clients.put("Links", "code", "guarded", "version", 1);

        assertThatThrownBy(
                        () ->
                                clients.table.putItem(
                                        put ->
                                                put.tableName("Links")
                                                        .item(item("code", "guarded"))
                                                        .conditionExpression(
                                                                "attribute_not_exists(code)")
                                                        .returnValuesOnConditionCheckFailure(
                                                                ReturnValuesOnConditionCheckFailure
                                                                        .ALL_OLD)))
                .isInstanceOfSatisfying(
                        ConditionalCheckFailedException.class,
                        e -> {
                            assertThat(e.awsErrorDetails().errorMessage())
                                    .isEqualTo("The conditional request failed");
                            assertThat(e.item()).isEqualTo(item("code", "guarded", "version", 1));
                        });
        assertThat(clients.get("Links", "code", "guarded"))
                .isEqualTo(item("code", "guarded", "version", 1));
    }

    @Test
    void aConditionThatDoesNotHoldTellsNothingUnasked() {
        clients.put("Links", "code", "silent");

        assertThatThrownBy(
                        () ->
                                clients.table.deleteItem(
                                        delete ->
                                                delete.tableName("Links")
                                                        .key(item("code", "silent"))
                                                        .conditionExpression(
                                                                "attribute_exists(gone)")))
                .isInstanceOfSatisfying(
                        ConditionalCheckFailedException.class,
                        e -> assertThat(e.hasItem()).isFalse());
    }

    @ParameterizedTest(name = "an update that returns {0}")
    @CsvSource({
        "NONE, ''",
        "ALL_OLD, 'code counter=1 kept'",
        "UPDATED_OLD, 'counter=1'",
        "ALL_NEW, 'added code counter=2 kept'",
        "UPDATED_NEW, 'added counter=2'"
    })
    void anUpdateReturnsWhatWasAskedFor(String returned, String expected) {
        clients.put("Links", "code", code + returned, "kept", "k", "counter", 1);

        Map<String, AttributeValue> attributes =
                clients.table
                        .updateItem(
                                update ->
                                        update.tableName("Links")
                                                .key(item("code", code + returned))
                                                .updateExpression(
                                                        "SET #c = #c + :one, added = :one")
                                                .expressionAttributeNames(Map.of("#c", "counter"))
                                                .expressionAttributeValues(Map.of(":one", n(1)))
                                                .returnValues(returned))
                        .attributes();

        List<String> shown =
                attributes.entrySet().stream()
                        .map(
                                attribute ->
                                        attribute.getKey().equals("counter")
                                                ? "counter=" + attribute.getValue().n()
                                                : attribute.getKey())
                        .sorted()
                        .toList();
        assertThat(String.join(" ", shown)).isEqualTo(expected);
    }

    @Test
    void anUpdateOfWhatIsNotThereMakesIt() {
        clients.table.updateItem(
                update ->
                        update.tableName("Events")
                                .key(item("code", "made", "at", 7))
                                .updateExpression("SET a = :a")
                                .expressionAttributeValues(Map.of(":a", n(1))));

        assertThat(clients.get("Events", "code", "made", "at", 7))
                .isEqualTo(item("code", "made", "at", 7, "a", 1));
    }

    @Test
    void anUpdateCannotChangeTheKey() {
        assertRefused(
                () ->
                        clients.table.updateItem(
                                update ->
                                        update.tableName("Events")
                                                .key(item("code", "fixed", "at", 7))
                                                .updateExpression("SET #at = :a")
                                                .expressionAttributeNames(Map.of("#at", "at"))
                                                .expressionAttributeValues(Map.of(":a", n(1)))),
                "ValidationException",
                "One or more parameter values were invalid: Cannot update attribute at. This attribute is part of the key");
    }

    @Test
    void aKeyMustFitTheTable() {
        String mismatch = "The provided key element does not match the schema";
        assertRefused(() -> clients.get("Links", "other", "a"), "ValidationException", mismatch);
        assertRefused(() -> clients.get("Links", "code", 1), "ValidationException", mismatch);
        assertRefused(() -> clients.get("Events", "code", "a"), "ValidationException", mismatch);
        assertRefused(
                () -> clients.put("Events", "code", "a"),
                "ValidationException",
                "One or more parameter values were invalid: Missing the key at in the item");
        assertRefused(
                () -> clients.put("Links", "code", 1),
                "ValidationException",
                "One or more parameter values were invalid: Type mismatch for key code expected: S actual: N");
        assertRefused(
                () -> clients.put("Links", "code", ""),
                "ValidationException",
                "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: code");
        assertRefused(
                () -> clients.put("Links", "code", "x".repeat(2049)),
                "ValidationException",
                "One or more parameter values were invalid: Size of hashkey has exceeded the maximum size limit of2048 bytes");
    }

    @Test
    void anItemIsAtMost400KB() {
        int room = 400 * 1024 - "code".length() - "large".length() - "text".length();
        clients.put("Links", "code", "large", "text", "x".repeat(room));

        assertRefused(
                () -> clients.put("Links", "code", "large", "text", "x".repeat(room + 1)),
                "ValidationException",
                "Item size has exceeded the maximum allowed size");
        assertRefused(
                () ->
                        clients.table.updateItem(
                                update ->
                                        update.tableName("Links")
                                                .key(item("code", "large"))
                                                .updateExpression("SET more = :more")
                                                .expressionAttributeValues(
                                                        Map.of(":more", s("x")))),
                "ValidationException",
                "Item size to update has exceeded the maximum allowed size");
    }

    @Test
    void aTableThatIsNotThereIsNotFound() {
        assertThatThrownBy(() -> clients.get("Nowhere", "code", "a"))
                .isInstanceOf(ResourceNotFoundException.class)
                .hasMessageContaining("Requested resource not found");
    }

    @Test
    void legacyParametersAreRefused() {
        assertRefused(
                () ->
                        clients.table.putItem(
                                put ->
                                        put.tableName("Links")
                                                .item(item("code", "legacy"))
                                                .expected(Map.of())),
                "ValidationException",
                "The parameter 'Expected' is not supported");
        assertThat(clients.get("Links", "code", "legacy")).isEmpty();
    }

    @Test
    void consumedCapacityIsToldWhenAskedFor() {
        clients.put("Links", "code", "costly", "text", "x".repeat(5000));

        assertThat(
                        clients.table
                                .getItem(
                                        get ->
                                                get.tableName("Links")
                                                        .key(item("code", "costly"))
                                                        .consistentRead(true)
                                                        .returnConsumedCapacity(
                                                                ReturnConsumedCapacity.TOTAL))
                                .consumedCapacity()
                                .capacityUnits())
                .isEqualTo(2.0);
    }

    @Test
    void aBatchWritesAndReadsManyItems() {
        List<WriteRequest> puts =
                IntStream.range(0, 25)
                        .mapToObj(
                                i ->
                                        WriteRequest.builder()
                                                .putRequest(
                                                        put ->
                                                                put.item(
                                                                        item(
                                                                                "code", "b" + i,
                                                                                "i", i)))
                                                .build())
                        .toList();
        BatchWriteItemResponse written =
                clients.table.batchWriteItem(batch -> batch.requestItems(Map.of("Links", puts)));
        assertThat(written.unprocessedItems()).isEmpty();

        clients.table.batchWriteItem(
                batch ->
                        batch.requestItems(
                                Map.of(
                                        "Links",
                                        List.of(
                                                WriteRequest.builder()
                                                        .deleteRequest(
                                                                delete ->
                                                                        delete.key(
                                                                                item("code", "b0")))
                                                        .build()))));

        BatchGetItemResponse read =
                clients.table.batchGetItem(
                        batch ->
                                batch.requestItems(
                                        Map.of(
                                                "Links",
                                                KeysAndAttributes.builder()
                                                        .keys(
                                                                IntStream.range(0, 25)
                                                                        .mapToObj(
                                                                                i ->
                                                                                        item(
                                                                                                "code",
                                                                                                "b"
                                                                                                        + i))
                                                                        .toList())
                                                        .build())));
        assertThat(read.unprocessedKeys()).isEmpty();
        assertThat(read.responses().get("Links")).hasSize(24).contains(item("code", "b7", "i", 7));
    }

    @Test
    void aBatchIsRefusedWhenTooLargeOrWhenAKeyRecurs() {
        assertRefused(
                () -> writeBatch(IntStream.range(0, 26).mapToObj(i -> "t" + i).toList()),
                "ValidationException",
                "Member must have length less than or equal to 25");
        assertRefused(
                () -> writeBatch(List.of("twice", "twice")),
                "ValidationException",
                "Provided list of item keys contains duplicates");
    }

    private void writeBatch(List<String> codes) {
        Map<String, List<WriteRequest>> requests = new HashMap<>();
        requests.put(
                "Links",
                codes.stream()
                        .map(
                                one ->
                                        WriteRequest.builder()
                                                .putRequest(put -> put.item(item("code", one)))
                                                .build())
                        .toList());
        clients.table.batchWriteItem(batch -> batch.requestItems(requests));
    }

    @Test
    void ofManyWritersAtOnceEachCountsAndOneIsFirst() throws Exception {
        int writers = 8;
        int times = 25;
        AtomicInteger first = new AtomicInteger();
        try (ExecutorService threads = Executors.newFixedThreadPool(writers)) {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < writers; i++) {
                running.add(
                        threads.submit(
                                () -> {
                                    for (int j = 0; j < times; j++) {
                                        first.addAndGet(makeIfAbsent("raced" + j));
                                        increment("counted");
                                    }
                                    return times;
                                }));
            }
            for (Future<?> one : running) {
                one.get(60, TimeUnit.SECONDS);
            }
        }

        assertThat(first).hasValue(times);
        assertThat(clients.get("Links", "code", "counted"))
                .containsEntry("hits", n((long) writers * times));
    }

    private int makeIfAbsent(String one) {
        try {
            clients.table.putItem(
                    put ->
                            put.tableName("Links")
                                    .item(item("code", one))
                                    .conditionExpression("attribute_not_exists(code)"));
            return 1;
        } catch (ConditionalCheckFailedException _) {
            return 0;
        }
    }

    private void increment(String one) {
        clients.table.updateItem(
                update ->
                        update.tableName("Links")
                                .key(item("code", one))
                                .updateExpression("ADD hits :one")
                                .expressionAttributeValues(Map.of(":one", n(1))));
    }

    static void assertRefused(ThrowingCallable call, String error, String message) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        DynamoDbException.class,
                        e -> {
                            assertThat(e.awsErrorDetails().errorCode()).isEqualTo(error);
                            assertThat(e.awsErrorDetails().errorMessage()).contains(message);
                            assertThat(e.statusCode()).isEqualTo(400);
                        });
    }
}
