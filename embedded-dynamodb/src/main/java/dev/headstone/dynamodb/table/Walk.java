package dev.headstone.dynamodb.table;

import dev.headstone.dynamodb.schema.Index;
import dev.headstone.dynamodb.schema.KeySchema;
import dev.headstone.dynamodb.schema.Table;
import dev.headstone.dynamodb.storage.Direction;
import dev.headstone.dynamodb.storage.Entries;
import dev.headstone.dynamodb.storage.KeyRange;
import dev.headstone.dynamodb.storage.Tree;
import dev.headstone.dynamodb.storage.View;
import dev.headstone.dynamodb.value.AttributeType;
import dev.headstone.dynamodb.value.Item;
import dev.headstone.dynamodb.value.ItemCodec;
import dev.headstone.dynamodb.value.ItemSize;
import dev.headstone.dynamodb.value.ValidationException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** One pass over a table, or an index of it. For one read. */
public final class Walk {
    private static final long PAGE_BYTES = 1024 * 1024;

    private final View view;
    private final Table table;
    private final Optional<Index> index;
    private final Direction direction;
    private KeyRange range;

    /** A pass over the keys in {@code range}. */
    public Walk(
            View view, Table table, Optional<Index> index, KeyRange range, Direction direction) {
        this.view = view;
        this.table = table;
        this.index = index;
        this.range = range;
        this.direction = direction;
    }

    /**
     * Starts behind the item with that key.
     *
     * @param outside what to say of a key outside the range
     * @throws ValidationException if it is no key of the table or index, or lies outside the range
     */
    public void startBehind(Item key, String outside) {
        byte[] stored = storedKey(key);
        if (!range.contains(stored)) {
            throw new ValidationException(outside);
        }
        range =
                switch (direction) {
                    case FORWARD -> range.after(stored);
                    case BACKWARD -> range.before(stored);
                };
    }

    private byte[] storedKey(Item key) {
        Map<String, AttributeType> expected = new LinkedHashMap<>();
        table.key().attributes().forEach(part -> expected.put(part.name(), part.type()));
        index.ifPresent(
                one ->
                        one.key()
                                .attributes()
                                .forEach(part -> expected.put(part.name(), part.type())));
        boolean fits =
                key.attributes().size() == expected.size()
                        && expected.entrySet().stream()
                                .allMatch(
                                        part ->
                                                key.get(part.getKey())
                                                        .filter(
                                                                value ->
                                                                        value.type()
                                                                                == part.getValue())
                                                        .isPresent());
        if (!fits) {
            throw new ValidationException(
                    index.isPresent()
                            ? "The provided starting key is invalid"
                            : "The provided starting key is invalid: The provided key element does not match the schema");
        }
        byte[] tableKey = PrimaryKey.of(table.key(), key.only(table.key().names())).stored();
        return index.map(one -> StoredKeys.ofEntry(one.key(), key, tableKey).orElseThrow())
                .orElse(tableKey);
    }

    /**
     * Reads up to {@code limit} items, and up to 1 MB of them.
     *
     * @param visible the part of an item that counts, which a filter sees
     */
    public Page read(int limit, UnaryOperator<Item> visible, Predicate<Item> filter) {
        List<Item> matching = new ArrayList<>();
        Optional<Item> last = Optional.empty();
        int scanned = 0;
        long bytes = 0;
        Entries entries = view.entries(tree(), range, direction);
        while (entries.next()) {
            Item whole = item(entries);
            Item seen = visible.apply(whole);
            int size = ItemSize.of(seen);
            if (scanned > 0 && bytes + size > PAGE_BYTES) {
                return new Page(matching, scanned, bytes, last);
            }
            scanned++;
            bytes += size;
            last = Optional.of(key(whole));
            if (filter.test(seen)) {
                matching.add(seen);
            }
            if (scanned == limit) {
                // The service does not look whether there is more, and neither may callers expect
                // it.
                return new Page(matching, scanned, bytes, last);
            }
        }
        return new Page(matching, scanned, bytes, Optional.empty());
    }

    private Tree tree() {
        return index.map(Index::entries).orElse(table.items());
    }

    private Item item(Entries entries) {
        return index.isPresent()
                ? Items.get(view, table, entries.value()).orElseThrow().item()
                : ItemCodec.decode(entries.value());
    }

    private Item key(Item item) {
        List<String> names = new ArrayList<>(table.key().names());
        index.map(Index::key).map(KeySchema::names).ifPresent(names::addAll);
        return item.only(names);
    }
}
