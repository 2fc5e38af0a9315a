package dev.headstone.dynamodb.schema;

import dev.headstone.dynamodb.storage.Tree;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A global secondary index. It holds the items that have all of its key attributes.
 *
 * @param entries maps keys of the index to keys of the table
 */
public record Index(String name, KeySchema key, Projection projection, Tree entries) {
    /** The names of the attributes it shows of an item; empty if all. */
    public Optional<Set<String>> shown(KeySchema tableKey) {
        return switch (projection) {
            case Projection.All _ -> Optional.empty();
            case Projection.KeysOnly _ -> Optional.of(keysAnd(tableKey, List.of()));
            case Projection.Include(var names) -> Optional.of(keysAnd(tableKey, names));
        };
    }

    private Set<String> keysAnd(KeySchema tableKey, List<String> others) {
        Set<String> names = new LinkedHashSet<>(tableKey.names());
        names.addAll(key.names());
        names.addAll(others);
        return names;
    }
}
