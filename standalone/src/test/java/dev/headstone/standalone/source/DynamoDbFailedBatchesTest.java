package dev.headstone.standalone.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.headstone.dynamodb.Settings;
import java.time.Duration;
import java.time.InstantSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

final class DynamoDbFailedBatchesTest extends FailedBatchesContract {
    private static final String TABLE = "Links-failed";

    private static EmbeddedTable embedded;

    /** Each test has a consumer, and so a part of the table, to itself. */
    private String consumer = "";

    @BeforeAll
    static void open() {
        embedded = new EmbeddedTable(Settings.inMemory(InstantSource.system()));
        embedded.dynamoDb.createTable(DynamoDbFailedBatches.table(TABLE));
    }

    @AfterAll
    static void close() {
        embedded.close();
    }

    @BeforeEach
    void name(TestInfo test) {
        consumer = test.getDisplayName();
    }

    @Override
    FailedBatches batches() {
        return batches(consumer);
    }

    @Test
    void anotherConsumersBatchesAreItsOwn() {
        batches().store(batch(1, "event"));

        assertThat(batches("another").depth()).isZero();
    }

    @Test
    void removingABatchLeavesNoPartBehind() {
        batches().store(batch(1, "event"));

        batches().remove(batch(1, "event"));

        assertThat(
                        embedded
                                .dynamoDb
                                .scanPaginator(request -> request.tableName(TABLE))
                                .items()
                                .stream()
                                .filter(
                                        item ->
                                                consumer.equals(
                                                        KeyedTables.text(item, "consumer"))))
                .isEmpty();
    }

    @Test
    void aCapacityOfNothingIsRefused() {
        assertThatThrownBy(
                        () ->
                                new DynamoDbFailedBatches(
                                        embedded.dynamoDb,
                                        TABLE,
                                        consumer,
                                        0,
                                        Duration.ofSeconds(5)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("capacity 0");
    }

    private static FailedBatches batches(String consumer) {
        return new DynamoDbFailedBatches(
                embedded.dynamoDb, TABLE, consumer, CAPACITY, Duration.ofSeconds(5));
    }
}
