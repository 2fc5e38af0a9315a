package dev.headstone.dynamodb.expression;

import dev.headstone.dynamodb.value.Item;
import java.util.List;
import java.util.Set;

/**
 * A condition on an item, of a write or of a filter. Immutable and safe for use by several threads.
 */
public final class ConditionExpression {
    private final Condition condition;
    private final Set<DocumentPath> paths;

    ConditionExpression(Condition condition, Set<DocumentPath> paths) {
        this.condition = condition;
        this.paths = Set.copyOf(paths);
    }

    /**
     * Whether {@code item} meets the condition. An item that does not exist is {@link Item#EMPTY}.
     */
    public boolean holds(Item item) {
        return condition.holds(item);
    }

    /** Every path the condition looks at. */
    public List<DocumentPath> paths() {
        return List.copyOf(paths);
    }
}
