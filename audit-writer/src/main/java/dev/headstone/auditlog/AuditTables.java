package dev.headstone.auditlog;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndex;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndexDescription;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ProjectionType;
import software.amazon.awssdk.services.dynamodb.model.ResourceInUseException;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;

/** The table of the audit log: its keys, its index, and its creation where nobody has done it. */
public final class AuditTables {
    static final String CHAIN = "short_code";
    static final String SEQ = "seq";
    static final String DAY = "day";
    static final String AT_KEY = "at_key";
    static final String BY_TIME = "by_time";

    /** How long a new table may take to become usable. */
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private static final List<KeySchemaElement> KEYS = keys(CHAIN, SEQ);

    private AuditTables() {}

    /**
     * Creates the table if there is none of that name, and waits until it can be used, at most a
     * minute. An existing table is never changed.
     *
     * @throws IllegalStateException if the existing table has other keys or lacks the index
     * @throws software.amazon.awssdk.core.exception.SdkException if the service cannot be reached,
     *     refuses, or takes too long
     */
    public static void createIfMissing(DynamoDbClient client, String table) {
        TableDescription existing;
        try {
            existing = client.describeTable(request -> request.tableName(table)).table();
        } catch (ResourceNotFoundException missing) {
            create(client, table);
            return;
        }
        check(existing);
    }

    private static void create(DynamoDbClient client, String table) {
        try {
            client.createTable(
                    request ->
                            request.tableName(table)
                                    .billingMode(BillingMode.PAY_PER_REQUEST)
                                    .keySchema(KEYS)
                                    .attributeDefinitions(
                                            attribute(CHAIN, ScalarAttributeType.S),
                                            attribute(SEQ, ScalarAttributeType.N),
                                            attribute(DAY, ScalarAttributeType.S),
                                            attribute(AT_KEY, ScalarAttributeType.S))
                                    .globalSecondaryIndexes(byTime()));
        } catch (ResourceInUseException createdMeanwhile) {
            // somebody else was faster; both wait for the same table
        }
        try (var waiter = client.waiter()) {
            waiter.waitUntilTableExists(
                    request -> request.tableName(table), wait -> wait.waitTimeout(PATIENCE));
        }
    }

    private static GlobalSecondaryIndex byTime() {
        return GlobalSecondaryIndex.builder()
                .indexName(BY_TIME)
                .keySchema(keys(DAY, AT_KEY))
                .projection(all -> all.projectionType(ProjectionType.ALL))
                .build();
    }

    private static void check(TableDescription table) {
        Set<String> indexes =
                table.globalSecondaryIndexes().stream()
                        .filter(index -> index.keySchema().equals(keys(DAY, AT_KEY)))
                        .map(GlobalSecondaryIndexDescription::indexName)
                        .collect(Collectors.toSet());
        if (!table.keySchema().equals(KEYS) || !indexes.contains(BY_TIME)) {
            throw new IllegalStateException(
                    "table %s is no audit log: it needs the keys %s and %s and the index %s over %s and %s"
                            .formatted(table.tableName(), CHAIN, SEQ, BY_TIME, DAY, AT_KEY));
        }
    }

    private static List<KeySchemaElement> keys(String hash, String range) {
        return List.of(
                KeySchemaElement.builder().attributeName(hash).keyType(KeyType.HASH).build(),
                KeySchemaElement.builder().attributeName(range).keyType(KeyType.RANGE).build());
    }

    private static AttributeDefinition attribute(String name, ScalarAttributeType type) {
        return AttributeDefinition.builder().attributeName(name).attributeType(type).build();
    }
}
