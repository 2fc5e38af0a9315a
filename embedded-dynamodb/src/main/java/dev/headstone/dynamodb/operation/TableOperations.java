package dev.headstone.dynamodb.operation;

import dev.headstone.dynamodb.error.ErrorType;
import dev.headstone.dynamodb.error.ServiceException;
import dev.headstone.dynamodb.schema.Catalog;
import dev.headstone.dynamodb.schema.Index;
import dev.headstone.dynamodb.schema.Stream;
import dev.headstone.dynamodb.schema.Table;
import dev.headstone.dynamodb.schema.TimeToLive;
import dev.headstone.dynamodb.storage.Snapshot;
import dev.headstone.dynamodb.storage.Storage;
import dev.headstone.dynamodb.storage.Transaction;
import dev.headstone.dynamodb.storage.Tree;
import dev.headstone.dynamodb.stream.Streams;
import dev.headstone.dynamodb.table.Items;
import dev.headstone.dynamodb.value.ValidationException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

/** The operations on tables. They take effect at once: a table is ACTIVE when it is created. */
final class TableOperations {
    private static final int MAX_TABLES_LISTED = 100;

    private final Storage storage;
    private final Catalog catalog;
    private final Tables tables;
    private final Streams streams;
    private final InstantSource clock;
    private final Supplier<UUID> ids;

    TableOperations(
            Storage storage,
            Catalog catalog,
            Streams streams,
            InstantSource clock,
            Supplier<UUID> ids) {
        this.storage = storage;
        this.catalog = catalog;
        this.tables = new Tables(catalog);
        this.streams = streams;
        this.clock = clock;
        this.ids = ids;
    }

    Answer createTable(Parameters parameters) {
        TableCreation wanted = TableCreation.from(parameters);
        Table table = storage.write(transaction -> create(transaction, wanted));
        return described("TableDescription", table, "ACTIVE", TableDescriptions.Count.NOTHING);
    }

    private Table create(Transaction transaction, TableCreation wanted) {
        if (catalog.table(transaction, wanted.name()).isPresent()) {
            throw new ServiceException(
                    ErrorType.RESOURCE_IN_USE, "Table already exists: " + wanted.name());
        }
        Instant now = clock.instant();
        Optional<Stream> stream =
                wanted.stream()
                        .map(
                                view ->
                                        streams.create(
                                                transaction,
                                                wanted.name(),
                                                wanted.key(),
                                                view,
                                                now));
        List<Index> indexes = new ArrayList<>();
        for (TableCreation.NewIndex index : wanted.indexes()) {
            indexes.add(
                    new Index(
                            index.name(),
                            index.key(),
                            index.projection(),
                            catalog.newTree(transaction)));
        }
        Table table =
                new Table(
                        wanted.name(),
                        ids.get().toString(),
                        now,
                        wanted.key(),
                        wanted.attributes(),
                        indexes,
                        wanted.billing(),
                        wanted.deletionProtected(),
                        Optional.empty(),
                        stream,
                        catalog.newTree(transaction));
        catalog.put(transaction, table);
        return table;
    }

    Answer describeTable(Parameters parameters) {
        String name = Tables.name(parameters);
        parameters.requireNoOthers();
        try (Snapshot snapshot = storage.snapshot()) {
            Table table = tables.itself(snapshot, name);
            Map<Tree, Long> counts = new HashMap<>();
            counts.put(table.items(), snapshot.count(table.items()));
            for (Index index : table.indexes()) {
                counts.put(index.entries(), snapshot.count(index.entries()));
            }
            return described("Table", table, "ACTIVE", tree -> counts.getOrDefault(tree, 0L));
        }
    }

    Answer deleteTable(Parameters parameters) {
        String name = Tables.name(parameters);
        parameters.requireNoOthers();
        Table deleted =
                storage.write(
                        transaction -> {
                            Table table = tables.itself(transaction, name);
                            if (table.deletionProtected()) {
                                throw new ValidationException(
                                        "Resource cannot be deleted as it is currently protected against deletion. Disable deletion protection first.");
                            }
                            table.stream()
                                    .ifPresent(
                                            stream ->
                                                    streams.disable(
                                                            transaction, stream, clock.instant()));
                            catalog.remove(transaction, table);
                            return table;
                        });
        return described("TableDescription", deleted, "DELETING", TableDescriptions.Count.NOTHING);
    }

    Answer listTables(Parameters parameters) {
        Optional<String> after = parameters.text("ExclusiveStartTableName");
        int limit = parameters.number("Limit", 1, MAX_TABLES_LISTED).orElse(MAX_TABLES_LISTED);
        parameters.requireNoOthers();
        List<String> found;
        try (Snapshot snapshot = storage.snapshot()) {
            found = catalog.names(snapshot, after, limit + 1);
        }
        List<String> page = found.size() > limit ? found.subList(0, limit) : found;
        return out -> {
            out.writeArrayFieldStart("TableNames");
            for (String name : page) {
                out.writeString(name);
            }
            out.writeEndArray();
            if (found.size() > limit) {
                out.writeStringField("LastEvaluatedTableName", page.getLast());
            }
        };
    }

    Answer updateTimeToLive(Parameters parameters) {
        String name = Tables.name(parameters);
        Parameters specification = parameters.requiredStructure("TimeToLiveSpecification");
        String attribute = specification.requiredText("AttributeName");
        boolean enabled =
                specification.truth("Enabled").orElseThrow(() -> specification.missing("Enabled"));
        specification.requireLength("AttributeName", attribute.length(), 1, 255);
        specification.requireNoOthers();
        parameters.requireNoOthers();
        storage.write(
                transaction -> {
                    Table table = tables.itself(transaction, name);
                    if (enabled) {
                        enable(transaction, table, attribute);
                    } else {
                        disable(transaction, table, attribute);
                    }
                    return table;
                });
        return out -> {
            out.writeObjectFieldStart("TimeToLiveSpecification");
            out.writeStringField("AttributeName", attribute);
            out.writeBooleanField("Enabled", enabled);
            out.writeEndObject();
        };
    }

    private void enable(Transaction transaction, Table table, String attribute) {
        if (table.timeToLive().isPresent()) {
            String current = table.timeToLive().get().attribute();
            throw new ValidationException(
                    current.equals(attribute)
                            ? "TimeToLive is already enabled"
                            : "TimeToLive is active on a different AttributeName: current AttributeName is "
                                    + current);
        }
        TimeToLive ttl = new TimeToLive(attribute, catalog.newTree(transaction));
        Items.enterExpiry(transaction, table, ttl);
        catalog.put(transaction, table.with(Optional.of(ttl)));
    }

    private void disable(Transaction transaction, Table table, String attribute) {
        TimeToLive ttl =
                table.timeToLive()
                        .orElseThrow(
                                () -> new ValidationException("TimeToLive is already disabled"));
        if (!ttl.attribute().equals(attribute)) {
            throw new ValidationException(
                    "TimeToLive is active on a different AttributeName: current AttributeName is "
                            + ttl.attribute());
        }
        transaction.clear(ttl.byExpiry());
        catalog.put(transaction, table.with(Optional.empty()));
    }

    Answer describeTimeToLive(Parameters parameters) {
        String name = Tables.name(parameters);
        parameters.requireNoOthers();
        Optional<TimeToLive> ttl;
        try (Snapshot snapshot = storage.snapshot()) {
            ttl = tables.itself(snapshot, name).timeToLive();
        }
        return out -> {
            out.writeObjectFieldStart("TimeToLiveDescription");
            out.writeStringField("TimeToLiveStatus", ttl.isPresent() ? "ENABLED" : "DISABLED");
            if (ttl.isPresent()) {
                out.writeStringField("AttributeName", ttl.get().attribute());
            }
            out.writeEndObject();
        };
    }

    private static Answer described(
            String field, Table table, String status, TableDescriptions.Count count) {
        return out -> {
            out.writeFieldName(field);
            TableDescriptions.write(table, status, count, out);
        };
    }
}
