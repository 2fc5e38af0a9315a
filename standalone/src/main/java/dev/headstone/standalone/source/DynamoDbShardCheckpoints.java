package dev.headstone.standalone.source;

import dev.headstone.standalone.source.ShardPosition.After;
import dev.headstone.standalone.source.ShardPosition.End;
import dev.headstone.standalone.source.ShardPosition.Horizon;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.CreateTableRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * Checkpoints in a DynamoDB table: hash key {@code consumer} (the consumer's name and the stream's
 * label, since a table made anew has a stream with shards of its own), range key {@code shard}.
 *
 * <p>{@code checkpoint} is what the stream understands; {@code progress} is the same padded, so
 * that it sorts as strings do and a condition can say "not backwards".
 */
final class DynamoDbShardCheckpoints implements ShardCheckpoints {
    private static final String HORIZON = "TRIM_HORIZON";
    private static final String END = "SHARD_END";

    private final DynamoDbClient dynamoDb;
    private final String table;
    private final String consumer;
    private final String owner;
    private final Duration lease;
    private final Duration requestTimeout;
    private final InstantSource clock;

    DynamoDbShardCheckpoints(
            DynamoDbClient dynamoDb, String table, StreamSettings settings, InstantSource clock) {
        this.dynamoDb = dynamoDb;
        this.table = table;
        this.consumer = settings.consumer() + "@" + label(settings.streamArn());
        this.owner = settings.owner();
        this.lease = settings.lease();
        this.requestTimeout = settings.requestTimeout();
        this.clock = clock;
    }

    private static String label(String streamArn) {
        return streamArn.substring(streamArn.lastIndexOf('/') + 1);
    }

    static CreateTableRequest table(String name) {
        return KeyedTables.byConsumerAnd("shard", name);
    }

    @Override
    public Map<String, ShardPosition> positions() {
        QueryRequest query =
                QueryRequest.builder()
                        .tableName(table)
                        .consistentRead(true)
                        .keyConditionExpression("consumer = :consumer")
                        .expressionAttributeValues(Map.of(":consumer", text(consumer)))
                        .overrideConfiguration(o -> o.apiCallTimeout(requestTimeout))
                        .build();
        Map<String, ShardPosition> positions = new HashMap<>();
        dynamoDb.queryPaginator(query)
                .items()
                .forEach(item -> positions.put(KeyedTables.text(item, "shard"), position(item)));
        return positions;
    }

    @Override
    public Optional<ShardLease> acquire(String shardId) {
        Instant now = clock.instant();
        Instant until = now.plus(lease);
        return update(
                shardId,
                until,
                "SET lease_owner = :owner, lease_until = :until,"
                        + " fence = if_not_exists(fence, :zero) + :one,"
                        + " checkpoint = if_not_exists(checkpoint, :horizon),"
                        + " progress = if_not_exists(progress, :start)",
                "attribute_not_exists(lease_owner) OR lease_owner = :owner OR lease_until < :now",
                Map.of(
                        ":owner", text(owner),
                        ":until", millis(until),
                        ":now", millis(now),
                        ":zero", number(0),
                        ":one", number(1),
                        ":horizon", text(HORIZON),
                        ":start", text(progress(new Horizon()))));
    }

    @Override
    public Optional<ShardLease> renew(ShardLease held) {
        Instant until = clock.instant().plus(lease);
        return update(
                held.shardId(),
                until,
                "SET lease_until = :until",
                "lease_owner = :owner AND fence = :fence",
                Map.of(
                        ":owner", text(owner),
                        ":until", millis(until),
                        ":fence", number(held.fence())));
    }

    @Override
    public Optional<ShardLease> advance(ShardLease held, ShardPosition position) {
        Instant until = clock.instant().plus(lease);
        return update(
                held.shardId(),
                until,
                "SET lease_until = :until, checkpoint = :position, progress = :progress",
                "lease_owner = :owner AND fence = :fence AND progress <= :progress",
                Map.of(
                        ":owner", text(owner),
                        ":until", millis(until),
                        ":fence", number(held.fence()),
                        ":position", text(wire(position)),
                        ":progress", text(progress(position))));
    }

    @Override
    public void release(ShardLease held) {
        update(
                held.shardId(),
                clock.instant(),
                "REMOVE lease_owner, lease_until",
                "lease_owner = :owner AND fence = :fence",
                Map.of(":owner", text(owner), ":fence", number(held.fence())));
    }

    @Override
    public void forget(String shardId) {
        dynamoDb.deleteItem(
                request ->
                        request.tableName(table)
                                .key(key(shardId))
                                .overrideConfiguration(o -> o.apiCallTimeout(requestTimeout)));
    }

    private Optional<ShardLease> update(
            String shardId,
            Instant until,
            String expression,
            String condition,
            Map<String, AttributeValue> values) {
        UpdateItemRequest request =
                UpdateItemRequest.builder()
                        .tableName(table)
                        .key(key(shardId))
                        .updateExpression(expression)
                        .conditionExpression(condition)
                        .expressionAttributeValues(values)
                        .returnValues(ReturnValue.ALL_NEW)
                        .overrideConfiguration(o -> o.apiCallTimeout(requestTimeout))
                        .build();
        try {
            Map<String, AttributeValue> item = dynamoDb.updateItem(request).attributes();
            long fence = Long.parseLong(KeyedTables.value(item, "fence").n());
            return Optional.of(new ShardLease(shardId, fence, until, position(item)));
        } catch (ConditionalCheckFailedException e) {
            return Optional.empty();
        }
    }

    private Map<String, AttributeValue> key(String shardId) {
        return Map.of("consumer", text(consumer), "shard", text(shardId));
    }

    private static ShardPosition position(Map<String, AttributeValue> item) {
        return switch (KeyedTables.text(item, "checkpoint")) {
            case HORIZON -> new Horizon();
            case END -> new End();
            case String sequenceNumber -> new After(sequenceNumber);
        };
    }

    private static String wire(ShardPosition position) {
        return switch (position) {
            case Horizon _ -> HORIZON;
            case After(String sequenceNumber) -> sequenceNumber;
            case End _ -> END;
        };
    }

    private static String progress(ShardPosition position) {
        return switch (position) {
            case Horizon _ -> KeyedTables.padded("");
            case After(String sequenceNumber) -> KeyedTables.padded(sequenceNumber);
            case End _ -> END; // sorts after every digit
        };
    }

    private static AttributeValue text(String value) {
        return AttributeValue.fromS(value);
    }

    private static AttributeValue number(long value) {
        return AttributeValue.fromN(Long.toString(value));
    }

    private static AttributeValue millis(Instant time) {
        return number(time.toEpochMilli());
    }
}
