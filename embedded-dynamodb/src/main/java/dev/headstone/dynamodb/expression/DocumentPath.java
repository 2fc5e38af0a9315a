package dev.headstone.dynamodb.expression;

import dev.headstone.dynamodb.value.AttributeValue;
import dev.headstone.dynamodb.value.Item;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Where a value stands in an item: an attribute's name, then names of map entries and positions in
 * lists.
 *
 * @param attribute the name of the item's attribute
 * @param steps from that attribute down, empty for the attribute itself
 */
public record DocumentPath(String attribute, List<Step> steps) {
    /** A step down into a map or a list. */
    public sealed interface Step {}

    /** To the entry of a map. */
    public record Entry(String name) implements Step {
        @Override
        public String toString() {
            return name;
        }
    }

    /** To the element of a list, counted from 0. */
    public record Element(int index) implements Step {
        @Override
        public String toString() {
            return "[" + index + "]";
        }
    }

    /** Paths in the order of what they lead to: the elements of one list by position. */
    static final Comparator<DocumentPath> ORDER =
            Comparator.comparing(DocumentPath::attribute).thenComparing(DocumentPath::compareSteps);

    /** Copies the steps. */
    public DocumentPath {
        steps = List.copyOf(steps);
    }

    /** The path of an attribute of an item. */
    public static DocumentPath of(String attribute) {
        return new DocumentPath(attribute, List.of());
    }

    /** Whether this leads into an attribute rather than to it. */
    public boolean isNested() {
        return !steps.isEmpty();
    }

    /** The value in {@code item} this leads to, if there is one. */
    public Optional<AttributeValue> valueIn(Item item) {
        Optional<AttributeValue> value = item.get(attribute);
        for (Step step : steps) {
            if (value.isEmpty()) {
                return value;
            }
            value = step(value.get(), step);
        }
        return value;
    }

    static Optional<AttributeValue> step(AttributeValue from, Step step) {
        return switch (step) {
            case Entry(String name) ->
                    from instanceof AttributeValue.M(var entries)
                            ? Optional.ofNullable(entries.get(name))
                            : Optional.empty();
            case Element(int index) ->
                    from instanceof AttributeValue.L(var elements) && index < elements.size()
                            ? Optional.of(elements.get(index))
                            : Optional.empty();
        };
    }

    private static int compareSteps(DocumentPath a, DocumentPath b) {
        int shared = Math.min(a.steps.size(), b.steps.size());
        for (int i = 0; i < shared; i++) {
            int order = compare(a.steps.get(i), b.steps.get(i));
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(a.steps.size(), b.steps.size());
    }

    private static int compare(Step a, Step b) {
        return switch (a) {
            case Entry(String name) ->
                    b instanceof Entry(String other) ? name.compareTo(other) : -1;
            case Element(int index) ->
                    b instanceof Element(int other) ? Integer.compare(index, other) : 1;
        };
    }

    /** The path as the service's error texts show it, such as {@code [a, b, [0]]}. */
    @Override
    public String toString() {
        return Stream.concat(Stream.of(attribute), steps.stream().map(Step::toString))
                .collect(Collectors.joining(", ", "[", "]"));
    }
}
