package dev.headstone.table;

import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.CreateTableRequest;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndex;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ProjectionType;
import software.amazon.awssdk.services.dynamodb.model.ResourceInUseException;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;
import software.amazon.awssdk.services.dynamodb.model.StreamSpecification;
import software.amazon.awssdk.services.dynamodb.model.StreamViewType;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;

/** Creates the tables of links that are missing, and never changes one that exists. */
public final class LinkTables {
    private static final Logger log = LoggerFactory.getLogger(LinkTables.class);
    private static final Duration CREATION = Duration.ofMinutes(2);

    private final DynamoDbClient dynamo;
    private final TableNames names;

    public LinkTables(DynamoDbClient dynamo, TableNames names) {
        this.dynamo = dynamo;
        this.names = names;
    }

    /** Creates what is missing and waits for it, two minutes per table at the most. */
    public void createIfMissing() {
        createIfMissing(table(names.links(), List.of(LinkItem.CODE)).streamSpecification(images()));
        createIfMissing(table(names.deaths(), List.of(Deaths.BUCKET, Deaths.ENTRY)));
        createIfMissing(table(names.idempotency(), List.of("id")));
        createIfMissing(visits());
    }

    /**
     * The ARN of the stream of the table of links.
     *
     * @throws IllegalStateException if the table has no stream with both images
     */
    public String streamArn() {
        TableDescription table =
                dynamo.describeTable(describe -> describe.tableName(names.links())).table();
        StreamSpecification stream = table.streamSpecification();
        if (table.latestStreamArn() == null
                || stream == null
                || stream.streamViewType() != StreamViewType.NEW_AND_OLD_IMAGES) {
            throw new IllegalStateException(
                    "table " + names.links() + " has no stream with new and old images");
        }
        return table.latestStreamArn();
    }

    private static CreateTableRequest.Builder table(String name, List<String> keys) {
        return CreateTableRequest.builder()
                .tableName(name)
                .billingMode(BillingMode.PAY_PER_REQUEST)
                .attributeDefinitions(keys.stream().map(LinkTables::text).toList())
                .keySchema(keySchema(keys));
    }

    private static StreamSpecification images() {
        return StreamSpecification.builder()
                .streamEnabled(true)
                .streamViewType(StreamViewType.NEW_AND_OLD_IMAGES)
                .build();
    }

    /** The indexes hold keys only: which links a list names is all that is asked of them. */
    private CreateTableRequest.Builder visits() {
        return table(names.visits(), List.of(VisitItem.BUCKET, VisitItem.ENTRY))
                .attributeDefinitions(
                        text(VisitItem.BUCKET),
                        text(VisitItem.ENTRY),
                        text(VisitItem.RANKING),
                        definition(VisitItem.VISITS, ScalarAttributeType.N),
                        definition(VisitItem.LAST, ScalarAttributeType.N))
                .globalSecondaryIndexes(
                        index(VisitItem.BY_VISITS, VisitItem.VISITS),
                        index(VisitItem.BY_LAST, VisitItem.LAST));
    }

    private static GlobalSecondaryIndex index(String name, String range) {
        return GlobalSecondaryIndex.builder()
                .indexName(name)
                .keySchema(keySchema(List.of(VisitItem.RANKING, range)))
                .projection(keys -> keys.projectionType(ProjectionType.KEYS_ONLY))
                .build();
    }

    private void createIfMissing(CreateTableRequest.Builder builder) {
        CreateTableRequest request = builder.build();
        String table = request.tableName();
        if (exists(table)) {
            return;
        }
        try {
            dynamo.createTable(request);
        } catch (ResourceInUseException e) {
            log.atInfo().addKeyValue("table", table).log("table is being created elsewhere");
        }
        dynamo.waiter()
                .waitUntilTableExists(
                        describe -> describe.tableName(table), wait -> wait.waitTimeout(CREATION));
        dynamo.updateTimeToLive(
                update ->
                        update.tableName(table)
                                .timeToLiveSpecification(
                                        ttl -> ttl.enabled(true).attributeName(LinkItem.PURGE_AT)));
    }

    private boolean exists(String table) {
        try {
            dynamo.describeTable(describe -> describe.tableName(table));
            return true;
        } catch (ResourceNotFoundException e) {
            return false;
        }
    }

    private static AttributeDefinition text(String name) {
        return definition(name, ScalarAttributeType.S);
    }

    private static AttributeDefinition definition(String name, ScalarAttributeType type) {
        return AttributeDefinition.builder().attributeName(name).attributeType(type).build();
    }

    private static List<KeySchemaElement> keySchema(List<String> keys) {
        return keys.stream()
                .map(
                        name ->
                                KeySchemaElement.builder()
                                        .attributeName(name)
                                        .keyType(
                                                name.equals(keys.getFirst())
                                                        ? KeyType.HASH
                                                        : KeyType.RANGE)
                                        .build())
                .toList();
    }
}
