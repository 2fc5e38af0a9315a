package dev.headstone.dynamodb.operation;

import dev.headstone.dynamodb.expression.UpdateExpression;
import dev.headstone.dynamodb.expression.Updated;
import dev.headstone.dynamodb.schema.Catalog;
import dev.headstone.dynamodb.schema.Table;
import dev.headstone.dynamodb.storage.Transaction;
import dev.headstone.dynamodb.storage.View;
import dev.headstone.dynamodb.stream.Author;
import dev.headstone.dynamodb.table.Items;
import dev.headstone.dynamodb.table.PrimaryKey;
import dev.headstone.dynamodb.table.StoredItem;
import dev.headstone.dynamodb.value.Item;
import dev.headstone.dynamodb.value.ItemSize;
import dev.headstone.dynamodb.value.ValidationException;
import java.time.Instant;
import java.util.Optional;

/** Carries out write actions. Thread-safe. */
final class Writer {
    private static final String TOO_LARGE = "Item size has exceeded the maximum allowed size";
    private static final String TOO_LARGE_UPDATED =
            "Item size to update has exceeded the maximum allowed size";

    private final Tables tables;
    private final Items items;

    Writer(Catalog catalog, Items items) {
        this.tables = new Tables(catalog);
        this.items = items;
    }

    /** An action on an item that has been located. */
    record Located(WriteAction action, Table table, PrimaryKey key) {}

    /** What an action comes to, before anything is written. */
    sealed interface Outcome {
        /**
         * It can be carried out.
         *
         * @param updated what an update expression made of the item
         */
        record Ready(
                Located located,
                Optional<StoredItem> before,
                Optional<Item> after,
                Optional<Updated> updated)
                implements Outcome {
            Optional<Item> itemBefore() {
                return before.map(StoredItem::item);
            }

            int largerSize() {
                return Math.max(
                        itemBefore().map(ItemSize::of).orElse(0),
                        after.map(ItemSize::of).orElse(0));
            }
        }

        /** Its condition does not hold for the item as it is. */
        record Refused(WriteAction.Guard guard, Optional<Item> item) implements Outcome {
            /** The item, if the action wants it told. */
            Optional<Item> told() {
                return guard.tellsItem() ? item : Optional.empty();
            }
        }
    }

    /**
     * Finds the table and the key of an action.
     *
     * @throws ValidationException if its key is none of that table's
     */
    Located locate(View view, WriteAction action) {
        Table table = tables.ofItems(view, action.tableName());
        PrimaryKey key =
                switch (action) {
                    case WriteAction.Put put -> PrimaryKey.ofItem(table.key(), put.item());
                    case WriteAction.Update update -> {
                        update.update()
                                .ifPresent(
                                        expression ->
                                                expression.refuseTargets(table.key().names()));
                        yield PrimaryKey.of(table.key(), update.key());
                    }
                    case WriteAction.Delete delete -> PrimaryKey.of(table.key(), delete.key());
                    case WriteAction.Check check -> PrimaryKey.of(table.key(), check.key());
                };
        return new Located(action, table, key);
    }

    /**
     * Works out what an action comes to.
     *
     * @throws ValidationException if the table cannot hold the result
     */
    Outcome evaluate(View view, Located located) {
        Optional<StoredItem> before = items.get(view, located.table, located.key);
        Optional<Item> item = before.map(StoredItem::item);
        WriteAction.Guard guard = located.action.guard();
        if (!guard.holds(item)) {
            return new Outcome.Refused(guard, item);
        }
        return switch (located.action) {
            case WriteAction.Put put -> {
                Items.requireStorable(located.table, put.item(), TOO_LARGE);
                yield new Outcome.Ready(located, before, Optional.of(put.item()), Optional.empty());
            }
            case WriteAction.Update update -> updated(located, before, update.update());
            case WriteAction.Delete _ ->
                    new Outcome.Ready(located, before, Optional.empty(), Optional.empty());
            case WriteAction.Check _ -> new Outcome.Ready(located, before, item, Optional.empty());
        };
    }

    private static Outcome updated(
            Located located, Optional<StoredItem> before, Optional<UpdateExpression> expression) {
        Item key = located.key.asItem(located.table.key());
        Optional<Item> item = before.map(StoredItem::item);
        if (expression.isEmpty()) {
            return new Outcome.Ready(
                    located, before, Optional.of(item.orElse(key)), Optional.empty());
        }
        Optional<Updated> updated =
                item.isPresent()
                        ? Optional.of(expression.get().apply(item.get()))
                        : expression.get().create(key);
        Optional<Item> after = updated.map(Updated::item);
        after.ifPresent(result -> Items.requireStorable(located.table, result, TOO_LARGE_UPDATED));
        return new Outcome.Ready(located, before, after, updated);
    }

    /** Writes what was worked out, with indexes, expiry and stream. */
    void write(Transaction transaction, Outcome.Ready ready, Instant now) {
        items.replace(
                transaction,
                ready.located.table,
                ready.located.key,
                ready.before,
                ready.after,
                Author.CLIENT,
                now);
    }
}
