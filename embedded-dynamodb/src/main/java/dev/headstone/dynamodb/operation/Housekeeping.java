package dev.headstone.dynamodb.operation;

import dev.headstone.dynamodb.schema.Catalog;
import dev.headstone.dynamodb.schema.Stream;
import dev.headstone.dynamodb.schema.Table;
import dev.headstone.dynamodb.storage.Snapshot;
import dev.headstone.dynamodb.storage.Storage;
import dev.headstone.dynamodb.stream.Streams;
import dev.headstone.dynamodb.table.Items;
import dev.headstone.dynamodb.table.PrimaryKey;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

/** What time alone brings about. Each part works in small steps, so that writers do not wait. */
public final class Housekeeping {
    private static final int BATCH = 100;

    /** Bounds one run: what is left is for the next. */
    private static final int MAX_STEPS = 1000;

    private final Storage storage;
    private final Catalog catalog;
    private final Streams streams;
    private final Items items;
    private final InstantSource clock;

    /** Keeps what lies in {@code storage}. */
    public Housekeeping(
            Storage storage, Catalog catalog, Streams streams, Items items, InstantSource clock) {
        this.storage = storage;
        this.catalog = catalog;
        this.streams = streams;
        this.items = items;
        this.clock = clock;
    }

    /**
     * Removes expired items, closes old shards, trims records, and forgets client tokens, each as
     * far as the time has come.
     */
    public void run() {
        List<Table> tables;
        List<Stream> all;
        try (Snapshot snapshot = storage.snapshot()) {
            tables = catalog.tables(snapshot);
            all = catalog.streams(snapshot);
        }
        tables.stream().filter(table -> table.timeToLive().isPresent()).forEach(this::expire);
        all.forEach(this::roll);
        all.forEach(this::trim);
        forgetTokens();
    }

    private void expire(Table table) {
        for (int step = 0; step < MAX_STEPS; step++) {
            Instant now = clock.instant();
            List<PrimaryKey> due;
            try (Snapshot snapshot = storage.snapshot()) {
                due = Items.expired(snapshot, table, now, BATCH);
            }
            if (due.isEmpty()) {
                return;
            }
            storage.write(
                    transaction -> {
                        // The table may be another by now, or none.
                        catalog.table(transaction, table.name())
                                .filter(current -> current.id().equals(table.id()))
                                .ifPresent(
                                        current ->
                                                due.forEach(
                                                        key ->
                                                                items.expire(
                                                                        transaction,
                                                                        current,
                                                                        key,
                                                                        now)));
                        return due.size();
                    });
        }
    }

    private void roll(Stream stream) {
        Instant now = clock.instant();
        try (Snapshot snapshot = storage.snapshot()) {
            if (!isThere(snapshot, stream) || !streams.isRollDue(snapshot, stream, now)) {
                return;
            }
        }
        storage.write(
                transaction -> {
                    catalog.stream(transaction, stream.arn())
                            .filter(current -> current.disabledAt().isEmpty())
                            .ifPresent(current -> streams.rollIfDue(transaction, current, now));
                    return stream;
                });
    }

    private boolean isThere(Snapshot snapshot, Stream stream) {
        return catalog.stream(snapshot, stream.arn()).isPresent();
    }

    private void trim(Stream stream) {
        boolean more = true;
        for (int step = 0; more && step < MAX_STEPS; step++) {
            Instant now = clock.instant();
            try (Snapshot snapshot = storage.snapshot()) {
                if (!isThere(snapshot, stream) || !streams.isTrimDue(snapshot, stream, now)) {
                    return;
                }
            }
            more =
                    storage.write(
                            transaction ->
                                    catalog.stream(transaction, stream.arn())
                                            .map(current -> streams.trim(transaction, current, now))
                                            .orElse(false));
        }
    }

    private void forgetTokens() {
        for (int step = 0; step < MAX_STEPS; step++) {
            Instant now = clock.instant();
            try (Snapshot snapshot = storage.snapshot()) {
                if (!ClientToken.anyOver(snapshot, now)) {
                    return;
                }
            }
            storage.write(
                    transaction -> {
                        ClientToken.forgetOver(transaction, now, BATCH);
                        return now;
                    });
        }
    }
}
