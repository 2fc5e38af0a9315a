package dev.headstone.dynamodb.expression;

import dev.headstone.dynamodb.value.AttributeValue;
import dev.headstone.dynamodb.value.Item;
import dev.headstone.dynamodb.value.ValidationException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** An item while it is being changed. */
final class Draft {
    private interface Edit {
        /** What becomes of the value at a path's end; empty removes it. */
        Optional<AttributeValue> of(Optional<AttributeValue> before);
    }

    private final Map<String, AttributeValue> attributes;

    Draft(Item item) {
        attributes = new TreeMap<>(item.attributes());
    }

    Item item() {
        return new Item(attributes);
    }

    /**
     * Sets a path. A position beyond a list's end appends to the list.
     *
     * @throws ValidationException if what holds the path's last step is missing, or is no map or
     *     list as it should be
     */
    void set(DocumentPath path, AttributeValue value) {
        edit(path, _ -> Optional.of(value));
    }

    /**
     * Removes what a path leads to, if it is there; the elements behind it in a list move up.
     *
     * @throws ValidationException if what holds the path's last step is missing, or is no map or
     *     list as it should be
     */
    void remove(DocumentPath path) {
        edit(path, _ -> Optional.empty());
    }

    private void edit(DocumentPath path, Edit edit) {
        Optional<AttributeValue> before = Optional.ofNullable(attributes.get(path.attribute()));
        Optional<AttributeValue> after = edited(before, path.steps(), edit);
        if (after.isPresent()) {
            attributes.put(path.attribute(), after.get());
        } else {
            attributes.remove(path.attribute());
        }
    }

    private static Optional<AttributeValue> edited(
            Optional<AttributeValue> before, List<DocumentPath.Step> steps, Edit edit) {
        if (steps.isEmpty()) {
            return edit.of(before);
        }
        AttributeValue holder = before.orElseThrow(Draft::invalidPath);
        List<DocumentPath.Step> rest = steps.subList(1, steps.size());
        Optional<AttributeValue> after =
                edited(DocumentPath.step(holder, steps.getFirst()), rest, edit);
        return Optional.of(
                switch (steps.getFirst()) {
                    case DocumentPath.Entry(String name) -> withEntry(holder, name, after);
                    case DocumentPath.Element(int index) -> withElement(holder, index, after);
                });
    }

    private static AttributeValue withEntry(
            AttributeValue holder, String name, Optional<AttributeValue> entry) {
        if (!(holder instanceof AttributeValue.M(var entries))) {
            throw invalidPath();
        }
        Map<String, AttributeValue> changed = new TreeMap<>(entries);
        if (entry.isPresent()) {
            changed.put(name, entry.get());
        } else {
            changed.remove(name);
        }
        return new AttributeValue.M(changed);
    }

    private static AttributeValue withElement(
            AttributeValue holder, int index, Optional<AttributeValue> element) {
        if (!(holder instanceof AttributeValue.L(var elements))) {
            throw invalidPath();
        }
        List<AttributeValue> changed = new ArrayList<>(elements);
        if (index >= changed.size()) {
            element.ifPresent(changed::add);
        } else if (element.isPresent()) {
            changed.set(index, element.get());
        } else {
            changed.remove(index);
        }
        return new AttributeValue.L(changed);
    }

    private static ValidationException invalidPath() {
        return new ValidationException(
                "The document path provided in the update expression is invalid for update");
    }
}
