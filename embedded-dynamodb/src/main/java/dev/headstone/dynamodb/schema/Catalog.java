package dev.headstone.dynamodb.schema;

import dev.headstone.dynamodb.storage.Direction;
import dev.headstone.dynamodb.storage.Entries;
import dev.headstone.dynamodb.storage.KeyRange;
import dev.headstone.dynamodb.storage.Numbers;
import dev.headstone.dynamodb.storage.Transaction;
import dev.headstone.dynamodb.storage.Tree;
import dev.headstone.dynamodb.storage.View;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The tables and streams there are in a state of the storage. Thread-safe. */
public final class Catalog {
    private static final Tree TABLES = new Tree(1);
    private static final Tree STREAMS = new Tree(2);
    private static final Tree COUNTERS = new Tree(3);

    /** The shards of all streams. */
    public static final Tree SHARDS = new Tree(4);

    /** The next number of each stream. */
    public static final Tree STREAM_NUMBERS = new Tree(5);

    /** The client tokens of transactions. */
    public static final Tree CLIENT_TOKENS = new Tree(6);

    /** The same tokens, in the order of their time. */
    public static final Tree CLIENT_TOKENS_BY_TIME = new Tree(7);

    private static final long FIRST_FREE_TREE = 16;
    private static final byte[] NEXT_TREE = utf8("next-tree");

    /** Definitions by name, decoded once, as long as their stored form stays the same. */
    private final Map<String, Decoded> decoded = new ConcurrentHashMap<>();

    private static final class Decoded {
        private final Table table;
        private final byte[] form;

        Decoded(Table table, byte[] form) {
            this.table = table;
            this.form = form;
        }
    }

    /** The table called {@code name}. */
    public Optional<Table> table(View view, String name) {
        return view.get(TABLES, utf8(name)).map(form -> decode(name, form));
    }

    private Table decode(String name, byte[] form) {
        Decoded known = decoded.get(name);
        if (known == null || !Arrays.equals(known.form, form)) {
            known = new Decoded(DefinitionJson.table(form), form);
            decoded.put(name, known);
        }
        return known.table;
    }

    /** All tables, by name. */
    public List<Table> tables(View view) {
        List<Table> tables = new ArrayList<>();
        Entries entries = view.entries(TABLES, KeyRange.ALL, Direction.FORWARD);
        while (entries.next()) {
            tables.add(DefinitionJson.table(entries.value()));
        }
        return tables;
    }

    /** The names of all tables, in order, those behind {@code after} if given. */
    public List<String> names(View view, Optional<String> after, int limit) {
        KeyRange range = after.map(name -> KeyRange.ALL.after(utf8(name))).orElse(KeyRange.ALL);
        List<String> names = new ArrayList<>();
        Entries entries = view.entries(TABLES, range, Direction.FORWARD);
        while (names.size() < limit && entries.next()) {
            names.add(new String(entries.key(), StandardCharsets.UTF_8));
        }
        return names;
    }

    /** Adds or replaces a table, and its stream if it has one. */
    public void put(Transaction transaction, Table table) {
        transaction.put(TABLES, utf8(table.name()), DefinitionJson.encode(table));
        table.stream().ifPresent(stream -> put(transaction, stream));
    }

    /** Removes a table with its items and indexes. */
    public void remove(Transaction transaction, Table table) {
        transaction.remove(TABLES, utf8(table.name()));
        transaction.clear(table.items());
        table.indexes().forEach(index -> transaction.clear(index.entries()));
        table.timeToLive().ifPresent(ttl -> transaction.clear(ttl.byExpiry()));
        decoded.remove(table.name());
    }

    /** The stream with that ARN. */
    public Optional<Stream> stream(View view, String arn) {
        return Arns.streamName(arn)
                .flatMap(name -> view.get(STREAMS, streamKey(name.tableName(), name.label())))
                .map(DefinitionJson::decodeStream);
    }

    /** All streams, those of one table after another. */
    public List<Stream> streams(View view) {
        List<Stream> streams = new ArrayList<>();
        Entries entries = view.entries(STREAMS, KeyRange.ALL, Direction.FORWARD);
        while (entries.next()) {
            streams.add(DefinitionJson.decodeStream(entries.value()));
        }
        return streams;
    }

    /** Adds or replaces a stream. */
    public void put(Transaction transaction, Stream stream) {
        transaction.put(
                STREAMS,
                streamKey(stream.tableName(), stream.label()),
                DefinitionJson.encode(stream));
    }

    /** Removes a stream with its records. */
    public void remove(Transaction transaction, Stream stream) {
        transaction.remove(STREAMS, streamKey(stream.tableName(), stream.label()));
        transaction.clear(stream.records());
    }

    /** A tree that is not used yet. */
    public Tree newTree(Transaction transaction) {
        long next =
                transaction.get(COUNTERS, NEXT_TREE).map(Numbers::readLong).orElse(FIRST_FREE_TREE);
        transaction.put(COUNTERS, NEXT_TREE, Numbers.ofLong(next + 1));
        return new Tree(Math.toIntExact(next));
    }

    private static byte[] streamKey(String table, String label) {
        return utf8(table + "/" + label);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
