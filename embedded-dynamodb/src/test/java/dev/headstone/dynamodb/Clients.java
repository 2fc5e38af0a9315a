package dev.headstone.dynamodb;

import static java.util.Objects.requireNonNull;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.CreateTableRequest;
import software.amazon.awssdk.services.dynamodb.model.GetRecordsResponse;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.Record;
import software.amazon.awssdk.services.dynamodb.model.Shard;
import software.amazon.awssdk.services.dynamodb.model.ShardIteratorType;
import software.amazon.awssdk.services.dynamodb.model.StreamDescription;
import software.amazon.awssdk.services.dynamodb.model.StreamViewType;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;

/** The unmodified SDK, pointed at an endpoint, and short forms of its values. */
final class Clients implements AutoCloseable {
    private static final StaticCredentialsProvider ANYBODY =
            StaticCredentialsProvider.create(AwsBasicCredentials.create("anybody", "anything"));

    final DynamoDbClient table;
    final DynamoDbStreamsClient streams;

    Clients(URI endpoint) {
        table =
                DynamoDbClient.builder()
                        .endpointOverride(endpoint)
                        .region(Region.US_EAST_1)
                        .credentialsProvider(ANYBODY)
                        .httpClient(
                                UrlConnectionHttpClient.builder()
                                        .socketTimeout(Duration.ofSeconds(20))
                                        .build())
                        .build();
        streams =
                DynamoDbStreamsClient.builder()
                        .endpointOverride(endpoint)
                        .region(Region.US_EAST_1)
                        .credentialsProvider(ANYBODY)
                        .httpClient(
                                UrlConnectionHttpClient.builder()
                                        .socketTimeout(Duration.ofSeconds(20))
                                        .build())
                        .build();
    }

    static AttributeValue s(String text) {
        return AttributeValue.fromS(text);
    }

    static AttributeValue n(long number) {
        return AttributeValue.fromN(Long.toString(number));
    }

    /** An item of names and values in turn: texts become strings, numbers numbers. */
    static Map<String, AttributeValue> item(Object... namesAndValues) {
        Map<String, AttributeValue> item = new HashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            item.put((String) namesAndValues[i], value(namesAndValues[i + 1]));
        }
        return item;
    }

    private static AttributeValue value(Object value) {
        return switch (requireNonNull(value)) {
            case AttributeValue ready -> ready;
            case String text -> s(text);
            case Number number -> AttributeValue.fromN(number.toString());
            case Boolean truth -> AttributeValue.fromBool(truth);
            default -> throw new IllegalArgumentException("no attribute value: " + value);
        };
    }

    /**
     * A description of a table whose key and indexes are written as {@code name:type}, partition
     * key first.
     */
    static CreateTableRequest.Builder tableOf(String name, String... key) {
        return CreateTableRequest.builder()
                .tableName(name)
                .billingMode(BillingMode.PAY_PER_REQUEST)
                .attributeDefinitions(definitions(key))
                .keySchema(schema(key));
    }

    /** As {@link #tableOf}, with a stream of both images. */
    static CreateTableRequest.Builder streamedTableOf(String name, String... key) {
        return tableOf(name, key)
                .streamSpecification(
                        stream ->
                                stream.streamEnabled(true)
                                        .streamViewType(StreamViewType.NEW_AND_OLD_IMAGES));
    }

    static List<AttributeDefinition> definitions(String... attributes) {
        return Stream.of(attributes)
                .distinct()
                .map(attribute -> attribute.split(":", 2))
                .map(
                        parts ->
                                AttributeDefinition.builder()
                                        .attributeName(parts[0])
                                        .attributeType(parts[1])
                                        .build())
                .toList();
    }

    static List<KeySchemaElement> schema(String... key) {
        List<KeySchemaElement> schema = new ArrayList<>();
        for (String attribute : key) {
            schema.add(
                    KeySchemaElement.builder()
                            .attributeName(attribute.split(":", 2)[0])
                            .keyType(schema.isEmpty() ? KeyType.HASH : KeyType.RANGE)
                            .build());
        }
        return schema;
    }

    void create(CreateTableRequest.Builder description) {
        table.createTable(description.build());
    }

    void put(String tableName, Object... namesAndValues) {
        table.putItem(put -> put.tableName(tableName).item(item(namesAndValues)));
    }

    /** The item of that key; empty if there is none. */
    Map<String, AttributeValue> get(String tableName, Object... key) {
        return table.getItem(get -> get.tableName(tableName).key(item(key)).consistentRead(true))
                .item();
    }

    String streamArn(String tableName) {
        return table.describeTable(describe -> describe.tableName(tableName))
                .table()
                .latestStreamArn();
    }

    List<Shard> shards(String streamArn) {
        List<Shard> shards = new ArrayList<>();
        String last = null;
        do {
            String after = last;
            StreamDescription page =
                    streams.describeStream(
                                    describe ->
                                            describe.streamArn(streamArn)
                                                    .exclusiveStartShardId(after))
                            .streamDescription();
            shards.addAll(page.shards());
            last = page.lastEvaluatedShardId();
        } while (last != null);
        return shards;
    }

    String iterator(String streamArn, Shard shard, ShardIteratorType type) {
        return streams.getShardIterator(
                        get ->
                                get.streamArn(streamArn)
                                        .shardId(shard.shardId())
                                        .shardIteratorType(type))
                .shardIterator();
    }

    /** All records of a stream, shard by shard. */
    List<Record> records(String streamArn) {
        List<Record> records = new ArrayList<>();
        for (Shard shard : shards(streamArn)) {
            String iterator = iterator(streamArn, shard, ShardIteratorType.TRIM_HORIZON);
            while (iterator != null) {
                String current = iterator;
                GetRecordsResponse page = streams.getRecords(get -> get.shardIterator(current));
                records.addAll(page.records());
                boolean open = shard.sequenceNumberRange().endingSequenceNumber() == null;
                iterator = open && page.records().isEmpty() ? null : page.nextShardIterator();
            }
        }
        return records;
    }

    @Override
    public void close() {
        table.close();
        streams.close();
    }
}
