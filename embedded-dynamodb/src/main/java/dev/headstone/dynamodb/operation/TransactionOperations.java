package dev.headstone.dynamodb.operation;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.headstone.dynamodb.error.ErrorType;
import dev.headstone.dynamodb.error.ServiceException;
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
import dev.headstone.dynamodb.value.ItemSize;
import dev.headstone.dynamodb.value.ValidationException;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The operations on several items that happen together or not at all. */
final class TransactionOperations {
    private static final int MAX_ACTIONS = 100;
    private static final long MAX_BYTES = 4L * 1024 * 1024;

    private final Storage storage;
    private final Tables tables;
    private final Items items;
    private final Writer writer;
    private final ExpressionParser parser;
    private final InstantSource clock;

    TransactionOperations(
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

    /** Why an action did not let its transaction happen. */
    private sealed interface Reason {
        String code();

        /** It would have. */
        record None() implements Reason {
            @Override
            public String code() {
                return "None";
            }
        }

        /** Its condition does not hold. */
        record ConditionFailed(Optional<Item> item) implements Reason {
            @Override
            public String code() {
                return "ConditionalCheckFailed";
            }
        }

        /** The table cannot hold the result, or the update does not fit the item. */
        record Invalid(String message) implements Reason {
            @Override
            public String code() {
                return "ValidationError";
            }
        }
    }

    Answer transactWriteItems(Parameters parameters) {
        List<WriteAction> actions = new ArrayList<>();
        for (Parameters action : parameters.requiredStructures("TransactItems", 1, MAX_ACTIONS)) {
            actions.add(action(action));
        }
        Optional<ClientToken> token =
                parameters.text("ClientRequestToken").map(text -> ClientToken.of(text, parameters));
        Capacity capacity = Capacity.from(parameters);
        parameters.choice("ReturnItemCollectionMetrics", List.of("SIZE", "NONE"));
        parameters.requireNoOthers();
        storage.write(
                transaction -> {
                    write(transaction, actions, token, capacity);
                    return actions.size();
                });
        return capacity::writeAll;
    }

    private WriteAction action(Parameters parameters) {
        Optional<WriteAction> put = parameters.structure("Put").map(this::put);
        Optional<WriteAction> update = parameters.structure("Update").map(this::update);
        Optional<WriteAction> delete = parameters.structure("Delete").map(this::delete);
        Optional<WriteAction> check = parameters.structure("ConditionCheck").map(this::check);
        parameters.requireNoOthers();
        List<WriteAction> actions =
                List.of(put, update, delete, check).stream().flatMap(Optional::stream).toList();
        if (actions.size() != 1) {
            throw new ValidationException(
                    actions.isEmpty()
                            ? "Invalid Request: TransactWriteRequest should contain Delete or Put or Update request"
                            : "TransactItems can only contain one of Check, Put, Update or Delete");
        }
        return actions.getFirst();
    }

    private WriteAction put(Parameters parameters) {
        WriteAction action = WriteAction.put(parser, parameters);
        parameters.requireNoOthers();
        return action;
    }

    private WriteAction update(Parameters parameters) {
        parameters.requiredText(ExpressionKind.UPDATE.parameter());
        WriteAction action = WriteAction.update(parser, parameters);
        parameters.requireNoOthers();
        return action;
    }

    private WriteAction delete(Parameters parameters) {
        WriteAction action = WriteAction.delete(parser, parameters);
        parameters.requireNoOthers();
        return action;
    }

    private WriteAction check(Parameters parameters) {
        WriteAction action = WriteAction.check(parser, parameters);
        parameters.requireNoOthers();
        return action;
    }

    private void write(
            Transaction transaction,
            List<WriteAction> actions,
            Optional<ClientToken> token,
            Capacity capacity) {
        Instant now = clock.instant();
        if (token.isPresent() && token.get().isKnown(transaction, now)) {
            return; // it happened before, and the caller did not hear of it
        }
        List<Writer.Located> located =
                actions.stream().map(action -> writer.locate(transaction, action)).toList();
        requireDistinct(located);
        List<Writer.Outcome.Ready> ready = new ArrayList<>();
        List<Reason> reasons = new ArrayList<>();
        for (Writer.Located one : located) {
            reasons.add(reason(transaction, one, ready));
        }
        if (ready.size() < located.size()) {
            throw cancelled(reasons);
        }
        requireSmall(ready.stream().mapToLong(Writer.Outcome.Ready::largerSize).sum());
        for (Writer.Outcome.Ready one : ready) {
            writer.write(transaction, one, now);
            capacity.writeInTransaction(one.located().action().tableName(), one.largerSize());
        }
        token.ifPresent(known -> known.remember(transaction, now));
    }

    private Reason reason(
            Transaction transaction, Writer.Located located, List<Writer.Outcome.Ready> ready) {
        try {
            return switch (writer.evaluate(transaction, located)) {
                case Writer.Outcome.Ready outcome -> {
                    ready.add(outcome);
                    yield new Reason.None();
                }
                case Writer.Outcome.Refused refused -> new Reason.ConditionFailed(refused.told());
            };
        } catch (ValidationException e) {
            return new Reason.Invalid(e.getMessage());
        }
    }

    private static void requireDistinct(List<Writer.Located> located) {
        Set<List<Object>> keys = new HashSet<>();
        for (Writer.Located one : located) {
            if (!keys.add(List.of(one.table().name(), one.key()))) {
                throw new ValidationException(
                        "Transaction request cannot include multiple operations on one item");
            }
        }
    }

    private static void requireSmall(long bytes) {
        if (bytes > MAX_BYTES) {
            throw new ValidationException(
                    "The aggregate size of the items in the transaction cannot exceed 4 MB");
        }
    }

    private static ServiceException cancelled(List<Reason> reasons) {
        String codes = reasons.stream().map(Reason::code).collect(Collectors.joining(", "));
        return new ServiceException(
                ErrorType.TRANSACTION_CANCELED,
                "Transaction cancelled, please refer cancellation reasons for specific reasons [%s]"
                        .formatted(codes),
                out -> {
                    out.writeArrayFieldStart("CancellationReasons");
                    for (Reason reason : reasons) {
                        write(reason, out);
                    }
                    out.writeEndArray();
                });
    }

    private static void write(Reason reason, JsonGenerator out) throws IOException {
        out.writeStartObject();
        out.writeStringField("Code", reason.code());
        switch (reason) {
            case Reason.None _ -> {}
            case Reason.ConditionFailed(Optional<Item> item) -> {
                out.writeStringField("Message", "The conditional request failed");
                ItemOperations.writeItem("Item", item, out);
            }
            case Reason.Invalid(String message) -> out.writeStringField("Message", message);
        }
        out.writeEndObject();
    }

    /** A read within a transaction. */
    private record Get(String table, Item key, Optional<ProjectionExpression> projection) {}

    Answer transactGetItems(Parameters parameters) {
        List<Get> gets = new ArrayList<>();
        for (Parameters entry : parameters.requiredStructures("TransactItems", 1, MAX_ACTIONS)) {
            gets.add(get(entry.requiredStructure("Get")));
            entry.requireNoOthers();
        }
        Capacity capacity = Capacity.from(parameters);
        parameters.requireNoOthers();
        List<Optional<Item>> found = new ArrayList<>();
        try (Snapshot snapshot = storage.snapshot()) {
            Set<List<Object>> keys = new HashSet<>();
            long bytes = 0;
            for (Get get : gets) {
                Table table = tables.ofItems(snapshot, get.table);
                PrimaryKey key = PrimaryKey.of(table.key(), get.key);
                if (!keys.add(List.of(get.table, key))) {
                    throw new ValidationException(
                            "Transaction request cannot include multiple operations on one item");
                }
                Optional<Item> item = items.get(snapshot, table, key).map(StoredItem::item);
                int size = item.map(ItemSize::of).orElse(0);
                bytes += size;
                capacity.readInTransaction(get.table, size);
                found.add(
                        item.map(
                                whole ->
                                        get.projection
                                                .map(selected -> selected.of(whole))
                                                .orElse(whole)));
            }
            requireSmall(bytes);
        }
        return out -> {
            out.writeArrayFieldStart("Responses");
            for (Optional<Item> item : found) {
                out.writeStartObject();
                ItemOperations.writeItem("Item", item, out);
                out.writeEndObject();
            }
            out.writeEndArray();
            capacity.writeAll(out);
        };
    }

    private Get get(Parameters parameters) {
        String table = Tables.name(parameters);
        Item key = parameters.requiredItem("Key");
        Optional<ProjectionExpression> projection =
                Expressions.from(parser, parameters, ExpressionKind.PROJECTION).projection();
        parameters.requireNoOthers();
        return new Get(table, key, projection);
    }
}
