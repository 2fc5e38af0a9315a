package dev.headstone.dynamodb.operation;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.headstone.dynamodb.error.ErrorType;
import dev.headstone.dynamodb.error.ServiceException;
import dev.headstone.dynamodb.expression.ExpressionKind;
import dev.headstone.dynamodb.expression.ExpressionParser;
import dev.headstone.dynamodb.expression.ProjectionExpression;
import dev.headstone.dynamodb.expression.Updated;
import dev.headstone.dynamodb.schema.Catalog;
import dev.headstone.dynamodb.schema.Table;
import dev.headstone.dynamodb.storage.Snapshot;
import dev.headstone.dynamodb.storage.Storage;
import dev.headstone.dynamodb.table.Items;
import dev.headstone.dynamodb.table.PrimaryKey;
import dev.headstone.dynamodb.table.StoredItem;
import dev.headstone.dynamodb.value.Item;
import dev.headstone.dynamodb.value.ItemJson;
import dev.headstone.dynamodb.value.ItemSize;
import dev.headstone.dynamodb.value.ValidationException;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/** The operations on one item. */
final class ItemOperations {
    private final Storage storage;
    private final Tables tables;
    private final Items items;
    private final Writer writer;
    private final ExpressionParser parser;
    private final InstantSource clock;

    ItemOperations(
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

    Answer getItem(Parameters parameters) {
        String name = Tables.name(parameters);
        Item key = parameters.requiredItem("Key");
        boolean consistent = parameters.truth("ConsistentRead").orElse(false);
        Capacity capacity = Capacity.from(parameters);
        Optional<ProjectionExpression> projection =
                Expressions.from(parser, parameters, ExpressionKind.PROJECTION).projection();
        parameters.requireNoOthers();
        Optional<Item> found;
        try (Snapshot snapshot = storage.snapshot()) {
            Table table = tables.ofItems(snapshot, name);
            found =
                    items.get(snapshot, table, PrimaryKey.of(table.key(), key))
                            .map(StoredItem::item);
        }
        capacity.read(name, found.map(ItemSize::of).orElse(0), consistent);
        Optional<Item> shown =
                found.map(item -> projection.map(selected -> selected.of(item)).orElse(item));
        return out -> {
            writeItem("Item", shown, out);
            capacity.writeOne(out);
        };
    }

    Answer putItem(Parameters parameters) {
        WriteAction action = WriteAction.put(parser, parameters);
        return write(action, parameters, allOldOrNone(parameters));
    }

    Answer deleteItem(Parameters parameters) {
        WriteAction action = WriteAction.delete(parser, parameters);
        return write(action, parameters, allOldOrNone(parameters));
    }

    Answer updateItem(Parameters parameters) {
        WriteAction action = WriteAction.update(parser, parameters);
        Returned returned =
                parameters
                        .choice(
                                "ReturnValues",
                                List.of("ALL_NEW", "UPDATED_OLD", "ALL_OLD", "NONE", "UPDATED_NEW"))
                        .map(Returned::valueOf)
                        .orElse(Returned.NONE);
        return write(action, parameters, returned);
    }

    private enum Returned {
        NONE,
        ALL_OLD,
        UPDATED_OLD,
        ALL_NEW,
        UPDATED_NEW;

        Optional<Item> of(Writer.Outcome.Ready ready) {
            Optional<Item> item =
                    switch (this) {
                        case NONE -> Optional.empty();
                        case ALL_OLD -> ready.itemBefore();
                        case ALL_NEW -> ready.after();
                        case UPDATED_OLD -> ready.updated().map(Updated::updatedOld);
                        case UPDATED_NEW -> ready.updated().map(Updated::updatedNew);
                    };
            return item.filter(shown -> !shown.isEmpty());
        }
    }

    private static Returned allOldOrNone(Parameters parameters) {
        Optional<String> wanted =
                parameters.choice(
                        "ReturnValues",
                        List.of("ALL_NEW", "UPDATED_OLD", "ALL_OLD", "NONE", "UPDATED_NEW"));
        Returned returned = wanted.map(Returned::valueOf).orElse(Returned.NONE);
        if (returned != Returned.NONE && returned != Returned.ALL_OLD) {
            throw new ValidationException("ReturnValues can only be ALL_OLD or NONE");
        }
        return returned;
    }

    private Answer write(WriteAction action, Parameters parameters, Returned returned) {
        Capacity capacity = Capacity.from(parameters);
        // Metrics exist for tables with local indexes only, which there are none of here.
        parameters.choice("ReturnItemCollectionMetrics", List.of("SIZE", "NONE"));
        parameters.requireNoOthers();
        Writer.Outcome outcome =
                storage.write(
                        transaction -> {
                            Writer.Outcome worked =
                                    writer.evaluate(
                                            transaction, writer.locate(transaction, action));
                            if (worked instanceof Writer.Outcome.Ready ready) {
                                writer.write(transaction, ready, clock.instant());
                            }
                            return worked;
                        });
        return switch (outcome) {
            case Writer.Outcome.Ready ready -> {
                capacity.write(action.tableName(), ready.largerSize());
                Optional<Item> shown = returned.of(ready);
                yield out -> {
                    writeItem("Attributes", shown, out);
                    capacity.writeOne(out);
                };
            }
            case Writer.Outcome.Refused refused -> throw conditionFailed(refused.told());
        };
    }

    private static ServiceException conditionFailed(Optional<Item> item) {
        return new ServiceException(
                ErrorType.CONDITIONAL_CHECK_FAILED,
                "The conditional request failed",
                out -> writeItem("Item", item, out));
    }

    static void writeItem(String field, Optional<Item> item, JsonGenerator out) throws IOException {
        if (item.isPresent()) {
            out.writeFieldName(field);
            ItemJson.write(item.get(), out);
        }
    }
}
