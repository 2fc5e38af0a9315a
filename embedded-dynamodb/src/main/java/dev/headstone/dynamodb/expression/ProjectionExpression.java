package dev.headstone.dynamodb.expression;

import dev.headstone.dynamodb.value.Item;
import java.util.List;

/**
 * A selection of attributes, and of parts of them. Immutable and safe for use by several threads.
 */
public final class ProjectionExpression {
    private final List<DocumentPath> paths;
    private final PathTree tree;

    ProjectionExpression(List<DocumentPath> paths) {
        this.paths = List.copyOf(paths);
        this.tree = new PathTree(paths);
    }

    /**
     * Only what is selected of {@code item}. Selected elements of a list close up, in the list's
     * order.
     */
    public Item of(Item item) {
        return tree.takeFrom(item);
    }

    /** The selected paths, in the order they were written. */
    public List<DocumentPath> paths() {
        return paths;
    }
}
