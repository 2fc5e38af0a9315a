package dev.headstone.dynamodb.operation;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.headstone.dynamodb.expression.ExpressionKind;
import dev.headstone.dynamodb.expression.ExpressionParser;
import dev.headstone.dynamodb.expression.ProjectionExpression;
import dev.headstone.dynamodb.schema.Catalog;
import dev.headstone.dynamodb.schema.Table;
import dev.headstone.dynamodb.storage.Snapshot;
import dev.headstone.dynamodb.storage.Storage;
import dev.headstone.dynamodb.storage.Transaction;
import dev.headstone.dynamodb.table.Items;
import dev.headstone.dynamodb.table.PrimaryKey;
import dev.headstone.dynamodb.table.StoredItem;
import dev.headstone.dynamodb.value.Item;
import dev.headstone.dynamodb.value.ItemJson;
import dev.headstone.dynamodb.value.ItemSize;
import dev.headstone.dynamodb.value.ValidationException;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The operations on several items that need not happen together. */
final class BatchOperations {
    private static final int MAX_READS = 100;
    private static final int MAX_WRITES = 25;
    private static final long MAX_ANSWER_BYTES = 16L * 1024 * 1024;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Storage storage;
    private final Tables tables;
    private final Items items;
    private final Writer writer;
    private final ExpressionParser parser;
    private final InstantSource clock;

    BatchOperations(
            Storage storage,
            Catalog catalog,
            Items items,
            Writer writer,
            ExpressionParser parser,
            InstantSource clock) {
        this.storage = storage;
        this.tables = new Tables(catalog);
        this.items = items;
        this.writer = writer;
        this.parser = parser;
        this.clock = clock;
    }

    /** What a BatchGetItem wants of one table. */
    private record Wanted(
            String table,
            List<Item> keys,
            boolean consistent,
            Optional<ProjectionExpression> projection,
            Parameters parameters) {}

    /** What was found of it, and which keys were left for another call. */
    private record Found(Wanted wanted, List<Item> items, List<Item> left) {}

    Answer batchGetItem(Parameters parameters) {
        Map<String, Parameters> byTable = parameters.requiredStructureMap("RequestItems");
        parameters.requireLength("RequestItems", byTable.size(), 1, MAX_READS);
        Capacity capacity = Capacity.from(parameters);
        List<Wanted> wanted = new ArrayList<>();
        byTable.forEach((table, request) -> wanted.add(wanted(table, request)));
        parameters.requireNoOthers();
        if (wanted.stream().mapToInt(request -> request.keys.size()).sum() > MAX_READS) {
            throw new ValidationException("Too many items requested for the BatchGetItem call");
        }
        List<Found> found = new ArrayList<>();
        try (Snapshot snapshot = storage.snapshot()) {
            long room = MAX_ANSWER_BYTES;
            for (Wanted request : wanted) {
                room -= get(snapshot, request, room, found, capacity);
            }
        }
        return out -> {
            write(found, out);
            capacity.writeAll(out);
        };
    }

    private Wanted wanted(String nameOrArn, Parameters request) {
        String table = Tables.checked(request, "TableName", nameOrArn);
        List<Item> keys = new ArrayList<>();
        JsonNode list = request.raw("Keys");
        if (!list.isArray()) {
            throw request.missing("Keys");
        }
        list.forEach(key -> keys.add(ItemJson.decodeItem(key)));
        request.requireLength("Keys", keys.size(), 1, MAX_READS);
        boolean consistent = request.truth("ConsistentRead").orElse(false);
        Optional<ProjectionExpression> projection =
                Expressions.from(parser, request, ExpressionKind.PROJECTION).projection();
        request.requireNoOthers();
        return new Wanted(table, keys, consistent, projection, request);
    }

    /** Reads as long as the answer has room, and returns how much was read. */
    private long get(
            Snapshot snapshot, Wanted wanted, long room, List<Found> found, Capacity capacity) {
        Table table = tables.ofItems(snapshot, wanted.table);
        List<PrimaryKey> keys =
                wanted.keys.stream().map(key -> PrimaryKey.of(table.key(), key)).toList();
        requireDistinct(keys);
        List<Item> read = new ArrayList<>();
        long bytes = 0;
        int next = 0;
        for (; next < keys.size() && bytes < room; next++) {
            Optional<Item> item = items.get(snapshot, table, keys.get(next)).map(StoredItem::item);
            int size = item.map(ItemSize::of).orElse(0);
            if (bytes + size > room) {
                break;
            }
            bytes += size;
            capacity.read(wanted.table, size, wanted.consistent);
            item.map(whole -> wanted.projection.map(selected -> selected.of(whole)).orElse(whole))
                    .ifPresent(read::add);
        }
        found.add(new Found(wanted, read, wanted.keys.subList(next, keys.size())));
        return bytes;
    }

    private static void write(List<Found> found, JsonGenerator out) throws IOException {
        out.writeObjectFieldStart("Responses");
        for (Found part : found) {
            out.writeArrayFieldStart(part.wanted.table);
            for (Item item : part.items) {
                ItemJson.write(item, out);
            }
            out.writeEndArray();
        }
        out.writeEndObject();
        ObjectNode unprocessed = JsonNodeFactory.instance.objectNode();
        for (Found part : found) {
            if (!part.left.isEmpty()) {
                ArrayNode keys = JsonNodeFactory.instance.arrayNode();
                part.left.forEach(key -> keys.add(ItemJson.encode(key)));
                ObjectNode request = part.wanted.parameters.json().deepCopy();
                request.set("Keys", keys);
                unprocessed.set(part.wanted.table, request);
            }
        }
        out.writeFieldName("UnprocessedKeys");
        JSON.writeTree(out, unprocessed);
    }

    Answer batchWriteItem(Parameters parameters) {
        Map<String, List<Parameters>> byTable = parameters.requiredStructureLists("RequestItems");
        parameters.requireLength("RequestItems", byTable.size(), 1, MAX_WRITES);
        Capacity capacity = Capacity.from(parameters);
        parameters.choice("ReturnItemCollectionMetrics", List.of("SIZE", "NONE"));
        parameters.requireNoOthers();
        List<WriteAction> actions = new ArrayList<>();
        byTable.forEach(
                (nameOrArn, requests) -> {
                    String table = Tables.checked(parameters, "TableName", nameOrArn);
                    parameters.requireLength(
                            "RequestItems." + table + ".member", requests.size(), 1, MAX_WRITES);
                    requests.forEach(request -> actions.add(action(table, request)));
                });
        if (actions.size() > MAX_WRITES) {
            throw new ValidationException("Too many items requested for the BatchWriteItem call");
        }
        storage.write(
                transaction -> {
                    write(transaction, actions, capacity);
                    return actions.size();
                });
        return out -> {
            out.writeObjectFieldStart("UnprocessedItems");
            out.writeEndObject();
            capacity.writeAll(out);
        };
    }

    private static WriteAction action(String table, Parameters request) {
        Optional<Parameters> put = request.structure("PutRequest");
        Optional<Parameters> delete = request.structure("DeleteRequest");
        request.requireNoOthers();
        if (put.isPresent() == delete.isPresent()) {
            throw new ValidationException(
                    "Supplied WriteRequest must contain exactly one of PutRequest and DeleteRequest");
        }
        if (put.isPresent()) {
            Item item = put.get().requiredItem("Item");
            put.get().requireNoOthers();
            return new WriteAction.Put(table, item, WriteAction.Guard.NONE);
        }
        Parameters request2 = delete.orElseThrow();
        Item key = request2.requiredItem("Key");
        request2.requireNoOthers();
        return new WriteAction.Delete(table, key, WriteAction.Guard.NONE);
    }

    private void write(Transaction transaction, List<WriteAction> actions, Capacity capacity) {
        Map<String, List<PrimaryKey>> keys = new LinkedHashMap<>();
        List<Writer.Located> located = new ArrayList<>();
        for (WriteAction action : actions) {
            Writer.Located found = writer.locate(transaction, action);
            keys.computeIfAbsent(action.tableName(), _ -> new ArrayList<>()).add(found.key());
            located.add(found);
        }
        keys.values().forEach(BatchOperations::requireDistinct);
        Instant now = clock.instant();
        for (Writer.Located one : located) {
            if (writer.evaluate(transaction, one) instanceof Writer.Outcome.Ready ready) {
                writer.write(transaction, ready, now);
                capacity.write(one.action().tableName(), ready.largerSize());
            }
        }
    }

    private static void requireDistinct(List<PrimaryKey> keys) {
        Set<PrimaryKey> distinct = new HashSet<>(keys);
        if (distinct.size() < keys.size()) {
            throw new ValidationException("Provided list of item keys contains duplicates");
        }
    }
}
