package dev.headstone.table;

import dev.headstone.link.ShortCode;
import dev.headstone.link.Stamp;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;

/**
 * {@link DeathIndex} on DynamoDB. Deadlines and retries are the client's. Safe for use by several
 * threads.
 */
public final class DynamoDeathIndex implements DeathIndex {
    private static final Logger log = LoggerFactory.getLogger(DynamoDeathIndex.class);

    private final DynamoDbClient dynamo;
    private final TableNames names;
    private final int page;

    /** The tables of these names must exist. */
    public DynamoDeathIndex(DynamoDbClient dynamo, TableNames names) {
        this(dynamo, names, PAGE);
    }

    DynamoDeathIndex(DynamoDbClient dynamo, TableNames names, int page) {
        this.dynamo = dynamo;
        this.names = names;
        this.page = page;
    }

    @Override
    public DeathPage read(DeathPartition partition, Optional<String> from) {
        AttributeValue bucket = AttributeValue.fromS(partition.bucket());
        QueryRequest.Builder query =
                QueryRequest.builder()
                        .tableName(names.deaths())
                        .keyConditionExpression("#bucket = :bucket")
                        .expressionAttributeNames(Map.of("#bucket", Deaths.BUCKET))
                        .expressionAttributeValues(Map.of(":bucket", bucket))
                        .consistentRead(true)
                        .limit(page);
        from.ifPresent(
                entry ->
                        query.exclusiveStartKey(
                                Map.of(
                                        Deaths.BUCKET,
                                        bucket,
                                        Deaths.ENTRY,
                                        AttributeValue.fromS(entry))));
        try {
            QueryResponse found = dynamo.query(query.build());
            List<DeathPage.Death> deaths =
                    found.items().stream()
                            .map(DynamoDeathIndex::death)
                            .flatMap(Optional::stream)
                            .toList();
            return new DeathPage.Read(
                    deaths,
                    found.hasLastEvaluatedKey()
                            ? Optional.of(text(found.lastEvaluatedKey(), Deaths.ENTRY))
                            : Optional.empty());
        } catch (SdkException e) {
            return new DeathPage.Failed(e);
        }
    }

    /** An entry that none of ours made names no link, so that there is nothing to settle. */
    private static Optional<DeathPage.Death> death(Map<String, AttributeValue> item) {
        try {
            return Optional.of(
                    new DeathPage.Death(
                            new ShortCode(text(item, LinkItem.CODE)),
                            new Stamp(
                                    number(item, LinkItem.CREATED_AT),
                                    number(item, LinkItem.VERSION),
                                    true)));
        } catch (IllegalArgumentException | NullPointerException e) {
            log.atError()
                    .addKeyValue("why", e.getClass().getSimpleName())
                    .log("entry of the index of deaths is unreadable, and passed over");
            return Optional.empty();
        }
    }

    private static String text(Map<String, AttributeValue> item, String name) {
        return Objects.requireNonNull(Objects.requireNonNull(item.get(name), name).s(), name);
    }

    private static long number(Map<String, AttributeValue> item, String name) {
        return Long.parseLong(
                Objects.requireNonNull(Objects.requireNonNull(item.get(name), name).n(), name));
    }
}
