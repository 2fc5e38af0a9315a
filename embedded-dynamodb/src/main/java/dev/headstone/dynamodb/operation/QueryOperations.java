package dev.headstone.dynamodb.operation;

import dev.headstone.dynamodb.expression.DocumentPath;
import dev.headstone.dynamodb.expression.ExpressionKind;
import dev.headstone.dynamodb.expression.ExpressionParser;
import dev.headstone.dynamodb.expression.KeyConditionExpression;
import dev.headstone.dynamodb.expression.QueriedKeys;
import dev.headstone.dynamodb.schema.Catalog;
import dev.headstone.dynamodb.schema.Index;
import dev.headstone.dynamodb.schema.KeyAttribute;
import dev.headstone.dynamodb.schema.KeySchema;
import dev.headstone.dynamodb.schema.Table;
import dev.headstone.dynamodb.storage.Direction;
import dev.headstone.dynamodb.storage.KeyRange;
import dev.headstone.dynamodb.storage.Snapshot;
import dev.headstone.dynamodb.storage.Storage;
import dev.headstone.dynamodb.table.Page;
import dev.headstone.dynamodb.table.Ranges;
import dev.headstone.dynamodb.table.Walk;
import dev.headstone.dynamodb.value.Item;
import dev.headstone.dynamodb.value.ItemJson;
import dev.headstone.dynamodb.value.ValidationException;
import java.util.List;
import java.util.Optional;

/** Query and Scan. */
final class QueryOperations {
    private static final int MAX_SEGMENTS = 1_000_000;

    private final Storage storage;
    private final Tables tables;
    private final ExpressionParser parser;

    QueryOperations(Storage storage, Catalog catalog, ExpressionParser parser) {
        this.storage = storage;
        this.tables = new Tables(catalog);
        this.parser = parser;
    }

    /** What Query and Scan have in common. */
    private record Common(
            String tableName,
            Optional<String> indexName,
            Optional<Integer> limit,
            Optional<Item> start,
            boolean consistent,
            Capacity capacity) {
        static Common from(Parameters parameters) {
            return new Common(
                    Tables.name(parameters),
                    parameters.text("IndexName"),
                    parameters.number("Limit", 1, Integer.MAX_VALUE),
                    parameters.item("ExclusiveStartKey"),
                    parameters.truth("ConsistentRead").orElse(false),
                    Capacity.from(parameters));
        }
    }

    /** A table, or one of its indexes, that is read from. */
    private record Source(Table table, Optional<Index> index) {
        KeySchema key() {
            return index.map(Index::key).orElse(table.key());
        }
    }

    Answer query(Parameters parameters) {
        Common common = Common.from(parameters);
        boolean forward = parameters.truth("ScanIndexForward").orElse(true);
        Expressions expressions =
                Expressions.from(
                        parser,
                        parameters,
                        ExpressionKind.KEY_CONDITION,
                        ExpressionKind.FILTER,
                        ExpressionKind.PROJECTION);
        Selection.select(parameters);
        parameters.requireNoOthers();
        KeyConditionExpression condition =
                expressions
                        .keyCondition()
                        .orElseThrow(
                                () ->
                                        new ValidationException(
                                                "Either the KeyConditions or KeyConditionExpression parameter must be specified in the request."));
        try (Snapshot snapshot = storage.snapshot()) {
            Source source = source(snapshot, common);
            QueriedKeys keys =
                    condition.on(
                            attribute(source.key().hash()),
                            source.key().range().map(QueryOperations::attribute));
            requireNoKeysInFilter(source.key(), expressions);
            KeyRange range = Ranges.of(keys);
            Direction direction = forward ? Direction.FORWARD : Direction.BACKWARD;
            return read(
                    snapshot,
                    parameters,
                    common,
                    source,
                    expressions,
                    range,
                    direction,
                    "The provided starting key is outside query boundaries based on provided conditions");
        }
    }

    private static void requireNoKeysInFilter(KeySchema key, Expressions expressions) {
        expressions
                .filter()
                .ifPresent(
                        filter -> {
                            for (DocumentPath path : filter.paths()) {
                                if (key.names().contains(path.attribute())) {
                                    throw new ValidationException(
                                            "Filter Expression can only contain non-primary key attributes: Primary key attribute: "
                                                    + path.attribute());
                                }
                            }
                        });
    }

    Answer scan(Parameters parameters) {
        Common common = Common.from(parameters);
        Optional<Integer> segment = parameters.number("Segment", 0, MAX_SEGMENTS - 1);
        Optional<Integer> total = parameters.number("TotalSegments", 1, MAX_SEGMENTS);
        KeyRange range = segment(segment, total);
        Expressions expressions =
                Expressions.from(
                        parser, parameters, ExpressionKind.FILTER, ExpressionKind.PROJECTION);
        Selection.select(parameters);
        parameters.requireNoOthers();
        try (Snapshot snapshot = storage.snapshot()) {
            Source source = source(snapshot, common);
            return read(
                    snapshot,
                    parameters,
                    common,
                    source,
                    expressions,
                    range,
                    Direction.FORWARD,
                    "The provided starting key is invalid: Invalid ExclusiveStartKey. Please use ExclusiveStartKey with correct Segment. TotalSegments: %d Segment: %d"
                            .formatted(total.orElse(1), segment.orElse(0)));
        }
    }

    private static KeyRange segment(Optional<Integer> segment, Optional<Integer> total) {
        if (segment.isEmpty() && total.isEmpty()) {
            return KeyRange.ALL;
        }
        if (total.isEmpty()) {
            throw new ValidationException(
                    "The TotalSegments parameter is required but was not present in the request when Segment parameter is present");
        }
        if (segment.isEmpty()) {
            throw new ValidationException(
                    "The Segment parameter is required but was not present in the request when parameter TotalSegments is present");
        }
        if (segment.get() >= total.get()) {
            throw new ValidationException(
                    "The Segment parameter is zero-based and must be less than parameter TotalSegments: Segment: %d is not less than TotalSegments: %d"
                            .formatted(segment.get(), total.get()));
        }
        return Ranges.segment(segment.get(), total.get());
    }

    private Source source(Snapshot snapshot, Common common) {
        Table table = tables.ofItems(snapshot, common.tableName);
        Optional<Index> index =
                common.indexName.map(
                        name ->
                                table.index(name)
                                        .orElseThrow(
                                                () ->
                                                        new ValidationException(
                                                                "The table does not have the specified index: "
                                                                        + name)));
        if (index.isPresent() && common.consistent) {
            throw new ValidationException(
                    "Consistent reads are not supported on global secondary indexes");
        }
        return new Source(table, index);
    }

    private static Answer read(
            Snapshot snapshot,
            Parameters parameters,
            Common common,
            Source source,
            Expressions expressions,
            KeyRange range,
            Direction direction,
            String outside) {
        Selection selection = Selection.from(parameters, source.table, source.index, expressions);
        Walk walk = new Walk(snapshot, source.table, source.index, range, direction);
        common.start.ifPresent(key -> walk.startBehind(key, outside));
        Page page =
                walk.read(
                        common.limit.orElse(Integer.MAX_VALUE),
                        selection::visible,
                        selection::matches);
        common.capacity.read(common.tableName, page.bytesRead(), common.consistent);
        List<Item> shown =
                selection.countOnly()
                        ? List.of()
                        : page.items().stream().map(selection::part).toList();
        return out -> {
            if (!selection.countOnly()) {
                out.writeArrayFieldStart("Items");
                for (Item item : shown) {
                    ItemJson.write(item, out);
                }
                out.writeEndArray();
            }
            out.writeNumberField("Count", page.items().size());
            out.writeNumberField("ScannedCount", page.scanned());
            ItemOperations.writeItem("LastEvaluatedKey", page.lastKey(), out);
            common.capacity.writeOne(out);
        };
    }

    private static KeyConditionExpression.KeyAttribute attribute(KeyAttribute attribute) {
        return new KeyConditionExpression.KeyAttribute(attribute.name(), attribute.type());
    }
}
