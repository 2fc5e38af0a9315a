package dev.headstone.dynamodb;

import static dev.headstone.dynamodb.Clients.item;
import static dev.headstone.dynamodb.Clients.n;
import static dev.headstone.dynamodb.Clients.streamedTableOf;
import static dev.headstone.dynamodb.Clients.tableOf;
import static dev.headstone.dynamodb.ItemsOverHttpTest.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.IdempotentParameterMismatchException;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.TransactGetItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

final class TransactionsOverHttpTest {
    private final SettableClock clock = new SettableClock(Instant.parse("2026-12-01T00:00:00Z"));
    private final EmbeddedDynamoDb server =
            EmbeddedDynamoDb.start(
                    Settings.inMemory(clock).withSweepInterval(Duration.ofMillis(20)));
    private final Clients clients = new Clients(server.endpoint());

    @BeforeEach
    void createTables() {
        clients.create(streamedTableOf("Links", "code:S"));
        clients.create(tableOf("Deaths", "hour:S", "entry:S"));
    }

    @AfterEach
    void stop() {
        clients.close();
        server.close();
    }

    @Test
    void allActionsHappenTogether() {
        clients.put("Links", "code", "changed", "v", 1);
        clients.put("Links", "code", "removed");
        clients.put("Links", "code", "checked", "v", 7);

        write(
                "token-1",
                put("Links", "code", "made"),
                increment("changed", 1),
                delete("removed"),
                check("checked", 7),
                put("Deaths", "hour", "h", "entry", "e"));

        assertThat(clients.get("Links", "code", "made")).isNotEmpty();
        assertThat(clients.get("Links", "code", "changed")).containsEntry("v", n(2));
        assertThat(clients.get("Links", "code", "removed")).isEmpty();
        assertThat(clients.get("Links", "code", "checked")).containsEntry("v", n(7));
        assertThat(clients.get("Deaths", "hour", "h", "entry", "e")).isNotEmpty();
    }

    @Test
    void aCancelledTransactionGivesItsReasonsInOrderAndChangesNothing() {
        clients.put("Links", "code", "a", "v", 1);
        clients.put("Links", "code", "b", "text", "none of a number");

        assertThatThrownBy(
                        () ->
                                write(
                                        "token-1",
                                        put("Links", "code", "made"),
                                        increment("a", 9),
                                        increment("b", "text"),
                                        check("none", 1)))
                .isInstanceOfSatisfying(
                        TransactionCanceledException.class,
                        e -> {
                            assertThat(e.awsErrorDetails().errorMessage())
                                    .isEqualTo(
                                            "Transaction cancelled, please refer cancellation reasons for specific reasons [None, ConditionalCheckFailed, ValidationError, ConditionalCheckFailed]");
                            assertThat(e.cancellationReasons())
                                    .extracting(CancellationReason::code)
                                    .containsExactly(
                                            "None",
                                            "ConditionalCheckFailed",
                                            "ValidationError",
                                            "ConditionalCheckFailed");
                            assertThat(e.cancellationReasons().get(1).message())
                                    .isEqualTo("The conditional request failed");
                            assertThat(e.cancellationReasons().get(1).item())
                                    .isEqualTo(item("code", "a", "v", 1));
                            assertThat(e.cancellationReasons().get(2).message())
                                    .isEqualTo(
                                            "An operand in the update expression has an incorrect data type");
                            assertThat(e.cancellationReasons().get(3).hasItem()).isFalse();
                        });
        assertThat(clients.get("Links", "code", "made")).isEmpty();
        assertThat(clients.records(clients.streamArn("Links"))).hasSize(2);
    }

    @Test
    void oneItemTwiceIsRefused() {
        assertRefused(
                () -> write("token-1", put("Links", "code", "a"), delete("a")),
                "ValidationException",
                "Transaction request cannot include multiple operations on one item");
    }

    @Test
    void moreThan100ActionsAreRefused() {
        TransactWriteItem[] puts =
                IntStream.range(0, 101)
                        .mapToObj(i -> put("Links", "code", "a" + i))
                        .toArray(TransactWriteItem[]::new);

        assertRefused(
                () -> write("token-1", puts),
                "ValidationException",
                "Member must have length less than or equal to 100");
    }

    @Test
    void moreThan4MBAreRefused() {
        TransactWriteItem[] puts =
                IntStream.range(0, 11)
                        .mapToObj(i -> put("Links", "code", "a" + i, "text", "x".repeat(400_000)))
                        .toArray(TransactWriteItem[]::new);

        assertRefused(() -> write("token-1", puts), "ValidationException", "4 MB");
    }

    @Test
    void aTokenMakesATransactionHappenOnceFor10Minutes() {
        clients.put("Links", "code", "a", "v", 1);

        write("token-1", increment("a", 1));
        write("token-1", increment("a", 1));
        assertThat(clients.get("Links", "code", "a")).containsEntry("v", n(2));

        assertThatThrownBy(() -> write("token-1", increment("a", 2)))
                .isInstanceOf(IdempotentParameterMismatchException.class);

        clock.advance(Duration.ofMinutes(10));
        write("token-1", increment("a", 2));
        assertThat(clients.get("Links", "code", "a")).containsEntry("v", n(3));
    }

    @Test
    void aCancelledTransactionDoesNotUseUpItsToken() {
        assertThatThrownBy(() -> write("token-1", increment("a", 1)))
                .isInstanceOf(TransactionCanceledException.class);
        clients.put("Links", "code", "a", "v", 1);

        write("token-1", increment("a", 1));

        assertThat(clients.get("Links", "code", "a")).containsEntry("v", n(2));
    }

    @Test
    void severalItemsAreReadTogether() {
        clients.put("Links", "code", "a", "v", 1, "w", 2);

        assertThat(
                        clients.table
                                .transactGetItems(
                                        get -> get.transactItems(get("a", "v"), get("none", "v")))
                                .responses())
                .satisfiesExactly(
                        found -> assertThat(found.item()).isEqualTo(item("v", 1)),
                        missing -> assertThat(missing.hasItem()).isFalse());
    }

    private void write(String token, TransactWriteItem... actions) {
        clients.table.transactWriteItems(
                transaction -> transaction.clientRequestToken(token).transactItems(actions));
    }

    private static TransactWriteItem put(String table, Object... item) {
        return TransactWriteItem.builder()
                .put(put -> put.tableName(table).item(item(item)))
                .build();
    }

    private static TransactWriteItem delete(String code) {
        return TransactWriteItem.builder()
                .delete(delete -> delete.tableName("Links").key(item("code", code)))
                .build();
    }

    private static TransactWriteItem increment(String code, int expected) {
        return TransactWriteItem.builder()
                .update(
                        update ->
                                update.tableName("Links")
                                        .key(item("code", code))
                                        .updateExpression("SET v = v + :one")
                                        .conditionExpression("v = :expected")
                                        .expressionAttributeValues(
                                                Map.of(":one", n(1), ":expected", n(expected)))
                                        .returnValuesOnConditionCheckFailure(
                                                ReturnValuesOnConditionCheckFailure.ALL_OLD))
                .build();
    }

    private static TransactWriteItem increment(String code, String attribute) {
        return TransactWriteItem.builder()
                .update(
                        update ->
                                update.tableName("Links")
                                        .key(item("code", code))
                                        .updateExpression("ADD #a :one")
                                        .expressionAttributeNames(Map.of("#a", attribute))
                                        .expressionAttributeValues(Map.of(":one", n(1))))
                .build();
    }

    private static TransactWriteItem check(String code, int expected) {
        return TransactWriteItem.builder()
                .conditionCheck(
                        check ->
                                check.tableName("Links")
                                        .key(item("code", code))
                                        .conditionExpression("v = :expected")
                                        .expressionAttributeValues(Map.of(":expected", n(expected)))
                                        .returnValuesOnConditionCheckFailure(
                                                ReturnValuesOnConditionCheckFailure.ALL_OLD))
                .build();
    }

    private static TransactGetItem get(String code, String projection) {
        return TransactGetItem.builder()
                .get(
                        get ->
                                get.tableName("Links")
                                        .key(item("code", code))
                                        .projectionExpression(projection))
                .build();
    }
}
