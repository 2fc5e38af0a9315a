package dev.headstone.standalone.source;

import dev.headstone.standalone.source.FailedBatch.Condition;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.CreateTableRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.Select;

/**
 * Failed batches in a DynamoDB table, so that they are where the links are and as durable: hash key
 * {@code consumer}, range key {@code entry}. A batch is one {@code meta#} item and its event,
 * compressed, in as many {@code part#} items as it needs, since an item holds at most 400 KB and a
 * record with both its images may be larger. The parts are written first: a batch that can be seen
 * is whole.
 *
 * <p>The bound is checked before each store, so that several shards at once may pass it by a few.
 */
public final class DynamoDbFailedBatches implements FailedBatches {
    private static final String META = "meta#";
    private static final String PART = "part#";

    /** Well below the 400 KB of an item. */
    private static final int PART_BYTES = 350_000;

    private final DynamoDbClient dynamoDb;
    private final String table;
    private final String consumer;
    private final long capacity;
    private final Duration requestTimeout;

    /**
     * Opens the store; the table must be there.
     *
     * @param consumer whose batches these are
     * @param capacity how many batches it takes; at least 1
     * @param requestTimeout how long one request may take, with the client's own retries
     */
    public DynamoDbFailedBatches(
            DynamoDbClient dynamoDb,
            String table,
            String consumer,
            long capacity,
            Duration requestTimeout) {
        if (capacity < 1) {
            throw new IllegalArgumentException("capacity %d is below 1".formatted(capacity));
        }
        this.dynamoDb = dynamoDb;
        this.table = table;
        this.consumer = consumer;
        this.capacity = capacity;
        this.requestTimeout = requestTimeout;
    }

    /** The table as it has to be created. */
    public static CreateTableRequest table(String name) {
        return KeyedTables.byConsumerAnd("entry", name);
    }

    @Override
    public boolean store(FailedBatch batch) {
        if (depth() >= capacity) {
            return false;
        }
        String id = id(batch);
        List<SdkBytes> parts = parts(batch.event());
        for (int part = 0; part < parts.size(); part++) {
            put(partEntry(id, part), Map.of("bytes", AttributeValue.fromB(parts.get(part))));
        }
        put(META + id, attributes(batch, parts.size()));
        return true;
    }

    @Override
    public List<FailedBatch> list(int limit) {
        List<FailedBatch> batches = new ArrayList<>();
        dynamoDb.queryPaginator(query(META).build()).items().stream()
                .limit(limit)
                .forEach(item -> batches.add(batch(item)));
        return batches;
    }

    @Override
    public void remove(FailedBatch batch) {
        String id = id(batch);
        delete(META + id);
        dynamoDb.queryPaginator(query(PART + id + "#").projectionExpression("entry").build())
                .items()
                .forEach(item -> delete(KeyedTables.text(item, "entry")));
    }

    @Override
    public long depth() {
        return dynamoDb.queryPaginator(query(META).select(Select.COUNT).build()).stream()
                .mapToLong(QueryResponse::count)
                .sum();
    }

    private QueryRequest.Builder query(String prefix) {
        return QueryRequest.builder()
                .tableName(table)
                .consistentRead(true)
                .keyConditionExpression("consumer = :consumer AND begins_with(entry, :prefix)")
                .expressionAttributeValues(
                        Map.of(
                                ":consumer", AttributeValue.fromS(consumer),
                                ":prefix", AttributeValue.fromS(prefix)))
                .overrideConfiguration(o -> o.apiCallTimeout(requestTimeout));
    }

    private void put(String entry, Map<String, AttributeValue> attributes) {
        Map<String, AttributeValue> item = new HashMap<>(attributes);
        item.putAll(key(entry));
        dynamoDb.putItem(
                request ->
                        request.tableName(table)
                                .item(item)
                                .overrideConfiguration(o -> o.apiCallTimeout(requestTimeout)));
    }

    private void delete(String entry) {
        dynamoDb.deleteItem(
                request ->
                        request.tableName(table)
                                .key(key(entry))
                                .overrideConfiguration(o -> o.apiCallTimeout(requestTimeout)));
    }

    private Map<String, AttributeValue> key(String entry) {
        return Map.of(
                "consumer", AttributeValue.fromS(consumer), "entry", AttributeValue.fromS(entry));
    }

    private static String id(FailedBatch batch) {
        return "%s/%s-%s"
                .formatted(
                        batch.shardId(),
                        KeyedTables.padded(batch.firstSequenceNumber()),
                        KeyedTables.padded(batch.lastSequenceNumber()));
    }

    private static String partEntry(String id, int part) {
        return "%s%s#%05d".formatted(PART, id, part);
    }

    private static Map<String, AttributeValue> attributes(FailedBatch batch, int parts) {
        Map<String, AttributeValue> attributes = new HashMap<>();
        attributes.put("stream_arn", AttributeValue.fromS(batch.streamArn()));
        attributes.put("shard_id", AttributeValue.fromS(batch.shardId()));
        attributes.put("first_sequence", AttributeValue.fromS(batch.firstSequenceNumber()));
        attributes.put("last_sequence", AttributeValue.fromS(batch.lastSequenceNumber()));
        attributes.put("first_arrival", millis(batch.firstArrival()));
        attributes.put("last_arrival", millis(batch.lastArrival()));
        attributes.put("records", number(batch.size()));
        attributes.put("condition", AttributeValue.fromS(batch.condition().name()));
        attributes.put("failed_at", millis(batch.at()));
        attributes.put("invocations", number(batch.invocations()));
        batch.fault().ifPresent(fault -> attributes.put("fault", AttributeValue.fromS(fault)));
        attributes.put("parts", number(parts));
        return attributes;
    }

    private FailedBatch batch(Map<String, AttributeValue> item) {
        String id = KeyedTables.text(item, "entry").substring(META.length());
        return new FailedBatch(
                KeyedTables.text(item, "stream_arn"),
                KeyedTables.text(item, "shard_id"),
                KeyedTables.text(item, "first_sequence"),
                KeyedTables.text(item, "last_sequence"),
                instant(item, "first_arrival"),
                instant(item, "last_arrival"),
                (int) integer(item, "records"),
                Condition.valueOf(KeyedTables.text(item, "condition")),
                instant(item, "failed_at"),
                (int) integer(item, "invocations"),
                Optional.ofNullable(item.get("fault")).map(AttributeValue::s),
                event(id, (int) integer(item, "parts")));
    }

    private String event(String id, int parts) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int part = 0; part < parts; part++) {
            Map<String, AttributeValue> key = key(partEntry(id, part));
            Map<String, AttributeValue> item =
                    dynamoDb.getItem(
                                    request ->
                                            request.tableName(table)
                                                    .key(key)
                                                    .consistentRead(true)
                                                    .overrideConfiguration(
                                                            o -> o.apiCallTimeout(requestTimeout)))
                            .item();
            bytes.writeBytes(KeyedTables.value(item, "bytes").b().asByteArrayUnsafe());
        }
        try (GZIPInputStream unpacked =
                new GZIPInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            return new String(unpacked.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("failed batch cannot be unpacked", e);
        }
    }

    private static List<SdkBytes> parts(String event) {
        byte[] packed = packed(event);
        List<SdkBytes> parts = new ArrayList<>();
        for (int from = 0; from < packed.length; from += PART_BYTES) {
            int to = Math.min(packed.length, from + PART_BYTES);
            parts.add(SdkBytes.fromByteArrayUnsafe(Arrays.copyOfRange(packed, from, to)));
        }
        return parts;
    }

    private static byte[] packed(String event) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream packing = new GZIPOutputStream(bytes)) {
            packing.write(event.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory failed", e);
        }
        return bytes.toByteArray();
    }

    private static AttributeValue number(long value) {
        return AttributeValue.fromN(Long.toString(value));
    }

    private static AttributeValue millis(Instant time) {
        return number(time.toEpochMilli());
    }

    private static long integer(Map<String, AttributeValue> item, String attribute) {
        return Long.parseLong(KeyedTables.value(item, attribute).n());
    }

    private static Instant instant(Map<String, AttributeValue> item, String attribute) {
        return Instant.ofEpochMilli(integer(item, attribute));
    }
}
