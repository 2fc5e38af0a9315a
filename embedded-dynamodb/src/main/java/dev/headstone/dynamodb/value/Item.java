package dev.headstone.dynamodb.value;

import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * An item: attribute values by name. Immutable.
 *
 * @param attributes in the order of {@link String}
 */
public record Item(Map<String, AttributeValue> attributes) {
    /** The item without attributes. */
    public static final Item EMPTY = new Item(Map.of());

    /** Copies the map. */
    public Item {
        attributes = Collections.unmodifiableMap(new TreeMap<>(attributes));
    }

    /** The value of the attribute {@code name}, if the item has it. */
    public Optional<AttributeValue> get(String name) {
        return Optional.ofNullable(attributes.get(name));
    }

    /** Whether the item has an attribute {@code name}. */
    public boolean has(String name) {
        return attributes.containsKey(name);
    }

    /** Whether the item has no attribute at all. */
    public boolean isEmpty() {
        return attributes.isEmpty();
    }

    /** This item with {@code name} set to {@code value}. */
    public Item with(String name, AttributeValue value) {
        Map<String, AttributeValue> changed = new TreeMap<>(attributes);
        changed.put(name, value);
        return new Item(changed);
    }

    /** This item with all of {@code added}, which win over its own. */
    public Item withAll(Map<String, AttributeValue> added) {
        Map<String, AttributeValue> changed = new TreeMap<>(attributes);
        changed.putAll(added);
        return new Item(changed);
    }

    /** This item without the attribute {@code name}; the item itself if it had none. */
    public Item without(String name) {
        if (!has(name)) {
            return this;
        }
        Map<String, AttributeValue> changed = new TreeMap<>(attributes);
        changed.remove(name);
        return new Item(changed);
    }

    /** Only those of this item's attributes that are in {@code names}. */
    public Item only(Collection<String> names) {
        Map<String, AttributeValue> kept = new TreeMap<>(attributes);
        kept.keySet().retainAll(names);
        return new Item(kept);
    }
}
