package dev.headstone.dynamodb.table;

import dev.headstone.dynamodb.schema.Index;
import dev.headstone.dynamodb.schema.KeyAttribute;
import dev.headstone.dynamodb.schema.Table;
import dev.headstone.dynamodb.schema.TimeToLive;
import dev.headstone.dynamodb.storage.Direction;
import dev.headstone.dynamodb.storage.Entries;
import dev.headstone.dynamodb.storage.KeyRange;
import dev.headstone.dynamodb.storage.Transaction;
import dev.headstone.dynamodb.storage.Tree;
import dev.headstone.dynamodb.storage.View;
import dev.headstone.dynamodb.stream.Author;
import dev.headstone.dynamodb.stream.Change;
import dev.headstone.dynamodb.stream.ItemBytes;
import dev.headstone.dynamodb.stream.Streams;
import dev.headstone.dynamodb.value.AttributeValue;
import dev.headstone.dynamodb.value.Item;
import dev.headstone.dynamodb.value.ItemCodec;
import dev.headstone.dynamodb.value.ItemSize;
import dev.headstone.dynamodb.value.ValidationException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Items of tables. What changes one also keeps indexes, expiry and stream. Thread-safe. */
public final class Items {
    private static final byte[] NOTHING = {};

    private final Streams streams;

    /** Items whose changes go to {@code streams}. */
    public Items(Streams streams) {
        this.streams = streams;
    }

    /** The item with that key. */
    public Optional<StoredItem> get(View view, Table table, PrimaryKey key) {
        return get(view, table, key.stored());
    }

    static Optional<StoredItem> get(View view, Table table, byte[] storedKey) {
        return view.get(table.items(), storedKey)
                .map(bytes -> new StoredItem(ItemCodec.decode(bytes), ItemBytes.of(bytes)));
    }

    /**
     * Refuses an item that a table cannot hold.
     *
     * @throws ValidationException if it is too large, or an attribute that an index has as a key is
     *     of another type or empty
     */
    public static void requireStorable(Table table, Item item, String tooLarge) {
        if (ItemSize.of(item) > ItemSize.MAX_BYTES) {
            throw new ValidationException(tooLarge);
        }
        for (Index index : table.indexes()) {
            for (KeyAttribute attribute : index.key().attributes()) {
                item.get(attribute.name())
                        .ifPresent(value -> requireIndexable(index, attribute, value));
            }
        }
    }

    private static void requireIndexable(
            Index index, KeyAttribute attribute, AttributeValue value) {
        if (value.type() != attribute.type()) {
            throw new ValidationException(
                    "One or more parameter values were invalid: Type mismatch for Index Key %s Expected: %s Actual: %s IndexName: %s"
                            .formatted(
                                    attribute.name(),
                                    attribute.type(),
                                    value.type(),
                                    index.name()));
        }
        PrimaryKey.emptyKind(value)
                .ifPresent(
                        kind -> {
                            throw new ValidationException(
                                    "One or more parameter values are not valid. A value specified for a secondary index key is not supported. The AttributeValue for a key attribute cannot contain an empty %s value. IndexName: %s, IndexKey: %s"
                                            .formatted(kind, index.name(), attribute.name()));
                        });
    }

    /**
     * Replaces what is stored under {@code key}. Nothing happens if it is the same.
     *
     * @param before what is stored now
     * @param after what shall be; empty to remove it
     */
    public void replace(
            Transaction transaction,
            Table table,
            PrimaryKey key,
            Optional<StoredItem> before,
            Optional<Item> after,
            Author author,
            Instant now) {
        byte[] stored = key.stored();
        Optional<byte[]> encoded = after.map(ItemCodec::encode);
        if (before.isPresent()
                && encoded.isPresent()
                && Arrays.equals(before.get().bytes().encoded(), encoded.get())) {
            return;
        }
        if (before.isEmpty() && encoded.isEmpty()) {
            return;
        }
        Optional<Item> was = before.map(StoredItem::item);
        set(transaction, table.items(), stored, encoded);
        for (Index index : table.indexes()) {
            move(
                    transaction,
                    index.entries(),
                    was.flatMap(item -> StoredKeys.ofEntry(index.key(), item, stored)),
                    after.flatMap(item -> StoredKeys.ofEntry(index.key(), item, stored)),
                    stored);
        }
        table.timeToLive()
                .ifPresent(
                        ttl ->
                                move(
                                        transaction,
                                        ttl.byExpiry(),
                                        was.flatMap(item -> Expiry.entry(ttl, item, stored)),
                                        after.flatMap(item -> Expiry.entry(ttl, item, stored)),
                                        NOTHING));
        Change change =
                new Change(
                        ItemBytes.of(key.asItem(table.key())),
                        before.map(StoredItem::bytes),
                        encoded.map(ItemBytes::of),
                        author);
        streams.append(transaction, table, change, now);
    }

    private static void set(
            Transaction transaction, Tree tree, byte[] key, Optional<byte[]> value) {
        value.ifPresentOrElse(
                present -> transaction.put(tree, key, present),
                () -> transaction.remove(tree, key));
    }

    private static void move(
            Transaction transaction,
            Tree tree,
            Optional<byte[]> from,
            Optional<byte[]> to,
            byte[] value) {
        if (from.isPresent() && to.isPresent() && Arrays.equals(from.get(), to.get())) {
            return;
        }
        from.ifPresent(entry -> transaction.remove(tree, entry));
        to.ifPresent(entry -> transaction.put(tree, entry, value));
    }

    /** Enters all items of a table in a new order of expiry. */
    public static void enterExpiry(Transaction transaction, Table table, TimeToLive ttl) {
        Entries entries = transaction.entries(table.items(), KeyRange.ALL, Direction.FORWARD);
        while (entries.next()) {
            byte[] key = entries.key();
            Expiry.entry(ttl, ItemCodec.decode(entries.value()), key)
                    .ifPresent(entry -> transaction.put(ttl.byExpiry(), entry, NOTHING));
        }
    }

    /** The keys of up to {@code limit} items that have expired by {@code now}, oldest first. */
    public static List<PrimaryKey> expired(View view, Table table, Instant now, int limit) {
        List<PrimaryKey> keys = new ArrayList<>();
        table.timeToLive()
                .ifPresent(
                        ttl -> {
                            Entries entries =
                                    view.entries(
                                            ttl.byExpiry(), Expiry.dueAt(now), Direction.FORWARD);
                            while (keys.size() < limit && entries.next()) {
                                get(view, table, Expiry.tableKey(entries.key()))
                                        .map(found -> PrimaryKey.ofItem(table.key(), found.item()))
                                        .ifPresent(keys::add);
                            }
                        });
        return keys;
    }

    /** Removes an item if it is there and has expired by {@code now}. */
    public void expire(Transaction transaction, Table table, PrimaryKey key, Instant now) {
        Optional<StoredItem> found = get(transaction, table, key);
        boolean due =
                table.timeToLive()
                        .flatMap(ttl -> found.map(stored -> Expiry.isDue(ttl, stored.item(), now)))
                        .orElse(false);
        if (due) {
            replace(transaction, table, key, found, Optional.empty(), Author.EXPIRY, now);
        }
    }
}
