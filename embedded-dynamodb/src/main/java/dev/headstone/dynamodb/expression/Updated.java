package dev.headstone.dynamodb.expression;

import dev.headstone.dynamodb.value.Item;
import java.util.List;

/**
 * What an update made of an item.
 *
 * @param before the item before; {@link Item#EMPTY} if there was none
 * @param item the item after
 * @param touched the paths the update names as changed, whether or not their values differ
 */
public record Updated(Item before, Item item, List<DocumentPath> touched) {
    /** Copies the list. */
    public Updated {
        touched = List.copyOf(touched);
    }

    /** What {@code UPDATED_OLD} returns: the touched parts of the item before. */
    public Item updatedOld() {
        return new PathTree(touched).takeFrom(before);
    }

    /**
     * What {@code UPDATED_NEW} returns: the touched parts of the item after. As at the service, a
     * position is looked up in the list as it is now, wherever an element was put or removed.
     */
    public Item updatedNew() {
        return new PathTree(touched).takeFrom(item);
    }
}
