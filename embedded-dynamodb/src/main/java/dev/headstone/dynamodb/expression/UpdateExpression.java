package dev.headstone.dynamodb.expression;

import dev.headstone.dynamodb.value.AttributeValue;
import dev.headstone.dynamodb.value.Bytes;
import dev.headstone.dynamodb.value.DynamoNumber;
import dev.headstone.dynamodb.value.Item;
import dev.headstone.dynamodb.value.ValidationException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A change to an item. Immutable and safe for use by several threads. */
public final class UpdateExpression {
    private final List<Change> changes;
    private final List<DocumentPath> paths;

    UpdateExpression(List<Change> changes, Collection<DocumentPath> paths) {
        this.changes = List.copyOf(changes);
        this.paths = List.copyOf(paths);
    }

    /** Every path the update reads or changes. */
    public List<DocumentPath> paths() {
        return paths;
    }

    /** The paths the update changes, in the order they were written. */
    public List<DocumentPath> targets() {
        return changes.stream().map(Change::target).toList();
    }

    /**
     * Refuses an update of an attribute that is part of the table's key.
     *
     * @throws ValidationException naming the attribute
     */
    public void refuseTargets(Collection<String> keyAttributes) {
        for (DocumentPath target : targets()) {
            if (keyAttributes.contains(target.attribute())) {
                throw new ValidationException(
                        "One or more parameter values were invalid: Cannot update attribute %s. This attribute is part of the key"
                                .formatted(target.attribute()));
            }
        }
    }

    /**
     * Changes an item that exists. All values are read from the item as it is, all positions in
     * lists count as they do before the update.
     *
     * @throws ValidationException if the update does not fit the item
     */
    public Updated apply(Item item) {
        return new Updated(item, changed(item, item, changes), targets());
    }

    /**
     * Makes the item of that key, which does not exist yet. An update that only removes and deletes
     * makes none.
     *
     * @return empty if the item still does not exist
     * @throws ValidationException if the update needs what is not there
     */
    public Optional<Updated> create(Item key) {
        // The service ignores what is to be removed from an item that does not exist, whatever its
        // path.
        List<Change> additions =
                changes.stream()
                        .filter(
                                change ->
                                        !(change instanceof Change.Remove
                                                || change instanceof Change.Delete))
                        .toList();
        return additions.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        new Updated(Item.EMPTY, changed(Item.EMPTY, key, additions), targets()));
    }

    private record Assignment(DocumentPath target, AttributeValue value) {}

    /** Works the changes out from {@code item} and makes them in {@code start}. */
    private static Item changed(Item item, Item start, List<Change> changes) {
        List<Assignment> assignments = new ArrayList<>();
        List<DocumentPath> removals = new ArrayList<>();
        for (Change change : changes) {
            switch (change) {
                case Change.Set(DocumentPath target, Assigned value) ->
                        assignments.add(new Assignment(target, value.from(item)));
                case Change.Add(DocumentPath target, AttributeValue operand) ->
                        assignments.add(new Assignment(target, sum(target.valueIn(item), operand)));
                case Change.Delete(DocumentPath target, AttributeValue operand) ->
                        target.valueIn(item)
                                .flatMap(value -> difference(value, operand))
                                .ifPresentOrElse(
                                        left -> assignments.add(new Assignment(target, left)),
                                        () -> removals.add(target));
                case Change.Remove(DocumentPath target) -> removals.add(target);
            }
        }
        Draft draft = new Draft(start);
        // What is set beyond a list's end is appended in the order of its positions, not in that of
        // the expression.
        assignments.stream()
                .sorted(Comparator.comparing(Assignment::target, DocumentPath.ORDER))
                .forEach(assignment -> draft.set(assignment.target(), assignment.value()));
        // Last, and from the back, so that every position is still what it was when the update was
        // written.
        removals.stream().sorted(DocumentPath.ORDER.reversed()).forEach(draft::remove);
        return draft.item();
    }

    private static AttributeValue sum(Optional<AttributeValue> before, AttributeValue operand) {
        if (before.isEmpty()) {
            return operand;
        }
        AttributeValue value = before.get();
        if (value instanceof AttributeValue.N(DynamoNumber a)
                && operand instanceof AttributeValue.N(DynamoNumber b)) {
            return new AttributeValue.N(a.plus(b));
        }
        if (value instanceof AttributeValue.SS(var a)
                && operand instanceof AttributeValue.SS(var b)) {
            return new AttributeValue.SS(union(a, b));
        }
        if (value instanceof AttributeValue.NS(var a)
                && operand instanceof AttributeValue.NS(var b)) {
            return new AttributeValue.NS(union(a, b));
        }
        if (value instanceof AttributeValue.BS(var a)
                && operand instanceof AttributeValue.BS(var b)) {
            return new AttributeValue.BS(union(a, b));
        }
        throw Assigned.incorrectType();
    }

    /** The members of a set without some; empty if none is left. */
    private static Optional<AttributeValue> difference(
            AttributeValue value, AttributeValue operand) {
        if (value instanceof AttributeValue.SS(var a)
                && operand instanceof AttributeValue.SS(var b)) {
            Set<String> left = without(a, b);
            return left.isEmpty() ? Optional.empty() : Optional.of(new AttributeValue.SS(left));
        }
        if (value instanceof AttributeValue.NS(var a)
                && operand instanceof AttributeValue.NS(var b)) {
            Set<DynamoNumber> left = without(a, b);
            return left.isEmpty() ? Optional.empty() : Optional.of(new AttributeValue.NS(left));
        }
        if (value instanceof AttributeValue.BS(var a)
                && operand instanceof AttributeValue.BS(var b)) {
            Set<Bytes> left = without(a, b);
            return left.isEmpty() ? Optional.empty() : Optional.of(new AttributeValue.BS(left));
        }
        throw Assigned.incorrectType();
    }

    private static <T> Set<T> union(Set<T> a, Set<T> b) {
        Set<T> union = new HashSet<>(a);
        union.addAll(b);
        return union;
    }

    private static <T> Set<T> without(Set<T> a, Set<T> b) {
        Set<T> left = new HashSet<>(a);
        left.removeAll(b);
        return left;
    }
}
