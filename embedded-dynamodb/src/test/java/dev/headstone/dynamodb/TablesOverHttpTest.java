package dev.headstone.dynamodb;

import static dev.headstone.dynamodb.Clients.definitions;
import static dev.headstone.dynamodb.Clients.item;
import static dev.headstone.dynamodb.Clients.schema;
import static dev.headstone.dynamodb.Clients.streamedTableOf;
import static dev.headstone.dynamodb.Clients.tableOf;
import static dev.headstone.dynamodb.ItemsOverHttpTest.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.headstone.dynamodb.storage.StorageException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndex;
import software.amazon.awssdk.services.dynamodb.model.ListTablesResponse;
import software.amazon.awssdk.services.dynamodb.model.ProjectionType;
import software.amazon.awssdk.services.dynamodb.model.ResourceInUseException;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;
import software.amazon.awssdk.services.dynamodb.model.ShardIteratorType;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;

final class TablesOverHttpTest {
    private final SettableClock clock = new SettableClock(Instant.parse("2026-12-01T00:00:00Z"));

    @Test
    void aTableIsDescribedAsItWasCreated() {
        inMemory(
                clients -> {
                    clients.create(
                            streamedTableOf("Audit", "code:S", "seq:N")
                                    .attributeDefinitions(definitions("code:S", "seq:N", "who:S"))
                                    .globalSecondaryIndexes(
                                            GlobalSecondaryIndex.builder()
                                                    .indexName("by-who")
                                                    .keySchema(schema("who:S", "seq:N"))
                                                    .projection(
                                                            projection ->
                                                                    projection.projectionType(
                                                                            ProjectionType
                                                                                    .KEYS_ONLY))
                                                    .build()));
                    clients.put("Audit", "code", "a", "seq", 1);

                    TableDescription table = describe(clients, "Audit");

                    assertThat(table.tableStatusAsString()).isEqualTo("ACTIVE");
                    assertThat(table.keySchema()).isEqualTo(schema("code:S", "seq:N"));
                    assertThat(table.attributeDefinitions())
                            .isEqualTo(definitions("code:S", "seq:N", "who:S"));
                    assertThat(table.creationDateTime()).isEqualTo(clock.instant());
                    assertThat(table.itemCount()).isEqualTo(1);
                    assertThat(table.billingModeSummary().billingMode())
                            .isEqualTo(BillingMode.PAY_PER_REQUEST);
                    assertThat(table.streamSpecification().streamViewTypeAsString())
                            .isEqualTo("NEW_AND_OLD_IMAGES");
                    assertThat(table.latestStreamArn())
                            .isEqualTo(table.tableArn() + "/stream/" + table.latestStreamLabel());
                    assertThat(table.globalSecondaryIndexes().getFirst().indexName())
                            .isEqualTo("by-who");
                    assertThat(table.globalSecondaryIndexes().getFirst().indexStatusAsString())
                            .isEqualTo("ACTIVE");
                    assertThat(
                                    clients.table
                                            .waiter()
                                            .waitUntilTableExists(one -> one.tableName("Audit"))
                                            .matched()
                                            .response())
                            .isPresent();
                });
    }

    @Test
    void aTableIsCreatedOnce() {
        inMemory(
                clients -> {
                    clients.create(tableOf("Links", "code:S"));

                    assertThatThrownBy(() -> clients.create(tableOf("Links", "code:S")))
                            .isInstanceOf(ResourceInUseException.class)
                            .hasMessageContaining("Table already exists: Links");
                });
    }

    @Test
    void aDeletedTableIsGoneWithItsItems() {
        inMemory(
                clients -> {
                    clients.create(tableOf("Links", "code:S"));
                    clients.put("Links", "code", "a");
                    clients.table.deleteTable(delete -> delete.tableName("Links"));

                    assertThatThrownBy(() -> describe(clients, "Links"))
                            .isInstanceOf(ResourceNotFoundException.class)
                            .hasMessageContaining(
                                    "Requested resource not found: Table: Links not found");
                    clients.create(tableOf("Links", "code:S"));
                    assertThat(clients.get("Links", "code", "a")).isEmpty();
                });
    }

    @Test
    void tablesAreListedInPages() {
        inMemory(
                clients -> {
                    for (String name : List.of("cc3", "aa1", "bb2")) {
                        clients.create(tableOf(name, "code:S"));
                    }

                    ListTablesResponse first = clients.table.listTables(list -> list.limit(2));
                    assertThat(first.tableNames()).containsExactly("aa1", "bb2");
                    assertThat(first.lastEvaluatedTableName()).isEqualTo("bb2");
                    ListTablesResponse second =
                            clients.table.listTables(
                                    list -> list.limit(2).exclusiveStartTableName("bb2"));
                    assertThat(second.tableNames()).containsExactly("cc3");
                    assertThat(second.lastEvaluatedTableName()).isNull();
                });
    }

    @Test
    void aTableIsAlsoKnownByItsArn() {
        inMemory(
                clients -> {
                    clients.create(tableOf("Links", "code:S"));
                    String arn = describe(clients, "Links").tableArn();

                    clients.put(arn, "code", "a");

                    assertThat(clients.get("Links", "code", "a")).isNotEmpty();
                });
    }

    @Test
    void whatCannotBeATableIsRefused() {
        inMemory(
                clients -> {
                    String validation = "ValidationException";
                    assertRefused(
                            () -> clients.create(tableOf("ab", "code:S")),
                            validation,
                            "TableName must be at least 3 characters long and at most 255 characters long");
                    assertRefused(
                            () -> clients.create(tableOf("a b c", "code:S")),
                            validation,
                            "Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+");
                    assertRefused(
                            () -> clients.create(tableOf("Links", "code:M")),
                            validation,
                            "Member must satisfy enum value set: [B, N, S]");
                    assertRefused(
                            () ->
                                    clients.create(
                                            tableOf("Links", "code:S")
                                                    .attributeDefinitions(
                                                            definitions("code:S", "more:S"))),
                            validation,
                            "Number of attributes in KeySchema does not exactly match number of attributes defined in AttributeDefinitions");
                    assertRefused(
                            () ->
                                    clients.create(
                                            tableOf("Links", "code:S")
                                                    .localSecondaryIndexes(List.of())),
                            validation,
                            "The parameter 'LocalSecondaryIndexes' is not supported");
                    assertRefused(
                            () ->
                                    clients.create(
                                            tableOf("Links", "code:S")
                                                    .billingMode(BillingMode.PROVISIONED)),
                            validation,
                            "ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is PROVISIONED");
                });
    }

    @Test
    void everythingIsThereAfterARestart(@TempDir Path folder) {
        Settings settings = Settings.at(folder.resolve("table.mv"), clock);
        String stream;
        String iterator;
        try (EmbeddedDynamoDb server = EmbeddedDynamoDb.start(settings);
                Clients clients = new Clients(server.endpoint())) {
            clients.create(streamedTableOf("Links", "code:S"));
            clients.put("Links", "code", "a", "v", 1);
            stream = clients.streamArn("Links");
            iterator =
                    clients.iterator(
                            stream,
                            clients.shards(stream).getFirst(),
                            ShardIteratorType.TRIM_HORIZON);
        }
        try (EmbeddedDynamoDb server = EmbeddedDynamoDb.start(settings);
                Clients clients = new Clients(server.endpoint())) {
            clients.put("Links", "code", "b");

            assertThat(clients.get("Links", "code", "a")).isEqualTo(item("code", "a", "v", 1));
            assertThat(clients.streamArn("Links")).isEqualTo(stream);
            assertThat(clients.streams.getRecords(get -> get.shardIterator(iterator)).records())
                    .extracting(record -> record.dynamodb().keys())
                    .containsExactly(item("code", "a"), item("code", "b"));
        }
    }

    @Test
    void aDataFileInUseOrATakenPortIsRefusedAndLeavesNothingOpen(@TempDir Path folder) {
        Settings settings = Settings.at(folder.resolve("table.mv"), clock);
        try (EmbeddedDynamoDb server = EmbeddedDynamoDb.start(settings)) {
            assertThatThrownBy(() -> EmbeddedDynamoDb.start(settings))
                    .isInstanceOf(StorageException.class)
                    .hasMessage("table.mv is in use by another process");

            Settings samePort =
                    Settings.at(folder.resolve("other.mv"), clock)
                            .withPort(server.endpoint().getPort());
            assertThatThrownBy(() -> EmbeddedDynamoDb.start(samePort))
                    .isInstanceOf(UncheckedIOException.class)
                    .hasMessage("cannot listen at 127.0.0.1:" + samePort.port());
            EmbeddedDynamoDb.start(samePort.withPort(0)).close();
        }
    }

    private static TableDescription describe(Clients clients, String name) {
        return clients.table.describeTable(describe -> describe.tableName(name)).table();
    }

    private void inMemory(Consumer<Clients> body) {
        try (EmbeddedDynamoDb server = EmbeddedDynamoDb.start(Settings.inMemory(clock));
                Clients clients = new Clients(server.endpoint())) {
            body.accept(clients);
        }
    }
}
