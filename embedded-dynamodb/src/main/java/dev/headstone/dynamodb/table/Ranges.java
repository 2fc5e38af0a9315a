package dev.headstone.dynamodb.table;

import dev.headstone.dynamodb.expression.QueriedKeys;
import dev.headstone.dynamodb.expression.SortCondition;
import dev.headstone.dynamodb.storage.KeyRange;
import dev.headstone.dynamodb.value.AttributeValue;

/** Where in a tree the keys lie that a read asks for. */
public final class Ranges {
    private Ranges() {}

    /** The keys that meet a query's condition. */
    public static KeyRange of(QueriedKeys keys) {
        AttributeValue hash = keys.hash();
        KeyRange partition = KeyRange.startingWith(StoredKeys.partition(hash));
        return keys.sort()
                .map(condition -> partition.and(range(hash, condition)))
                .orElse(partition);
    }

    /** The keys of a segment, counted from 0, of {@code total}. */
    public static KeyRange segment(int segment, int total) {
        return StoredKeys.segment(segment, total);
    }

    private static KeyRange range(AttributeValue hash, SortCondition condition) {
        return switch (condition) {
            case SortCondition.Equal(AttributeValue value) -> exactly(hash, value);
            case SortCondition.Less(AttributeValue bound) -> upToExcluding(hash, bound);
            case SortCondition.LessOrEqual(AttributeValue bound) -> upTo(hash, bound);
            case SortCondition.Greater(AttributeValue bound) -> behind(hash, bound);
            case SortCondition.GreaterOrEqual(AttributeValue bound) -> from(hash, bound);
            case SortCondition.Between(AttributeValue lower, AttributeValue upper) ->
                    from(hash, lower).and(upTo(hash, upper));
            case SortCondition.BeginsWith(AttributeValue prefix) ->
                    KeyRange.startingWith(StoredKeys.beginning(hash, prefix));
        };
    }

    private static KeyRange exactly(AttributeValue hash, AttributeValue value) {
        return KeyRange.startingWith(StoredKeys.exactly(hash, value));
    }

    private static KeyRange from(AttributeValue hash, AttributeValue bound) {
        return KeyRange.from(StoredKeys.exactly(hash, bound));
    }

    private static KeyRange upToExcluding(AttributeValue hash, AttributeValue bound) {
        return KeyRange.ALL.before(StoredKeys.exactly(hash, bound));
    }

    private static KeyRange upTo(AttributeValue hash, AttributeValue bound) {
        return KeyRange.ALL.andUpTo(exactly(hash, bound));
    }

    private static KeyRange behind(AttributeValue hash, AttributeValue bound) {
        return KeyRange.behind(exactly(hash, bound));
    }
}
