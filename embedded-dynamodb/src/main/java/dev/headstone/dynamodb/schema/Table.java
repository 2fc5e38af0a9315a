package dev.headstone.dynamodb.schema;

import dev.headstone.dynamodb.storage.Tree;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A table.
 *
 * @param attributes the attributes that are declared, all of them part of some key
 * @param items maps the keys of items to items
 */
public record Table(
        String name,
        String id,
        Instant createdAt,
        KeySchema key,
        List<KeyAttribute> attributes,
        List<Index> indexes,
        Billing billing,
        boolean deletionProtected,
        Optional<TimeToLive> timeToLive,
        Optional<Stream> stream,
        Tree items) {
    /** Copies the lists. */
    public Table {
        attributes = List.copyOf(attributes);
        indexes = List.copyOf(indexes);
    }

    /** The index called {@code name}. */
    public Optional<Index> index(String name) {
        return indexes.stream().filter(index -> index.name().equals(name)).findFirst();
    }

    /** This table with another time to live. */
    public Table with(Optional<TimeToLive> changed) {
        return new Table(
                name,
                id,
                createdAt,
                key,
                attributes,
                indexes,
                billing,
                deletionProtected,
                changed,
                stream,
                items);
    }
}
