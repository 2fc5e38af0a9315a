package dev.headstone.dynamodb.expression;

import dev.headstone.dynamodb.value.AttributeValue;
import dev.headstone.dynamodb.value.Item;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Several paths that do not overlap, to take from items what they lead to. What is taken keeps its
 * place in maps; of a list the elements taken close up, in the list's order.
 */
final class PathTree {
    /** What the paths go on to below one value; a node with nothing below takes the value whole. */
    private static final class Node {
        private final Map<String, Node> entries = new LinkedHashMap<>();
        private final TreeMap<Integer, Node> elements = new TreeMap<>();

        Node below(DocumentPath.Step step) {
            return switch (step) {
                case DocumentPath.Entry(String name) ->
                        entries.computeIfAbsent(name, _ -> new Node());
                case DocumentPath.Element(int index) ->
                        elements.computeIfAbsent(index, _ -> new Node());
            };
        }

        Optional<AttributeValue> takeFrom(AttributeValue value) {
            if (entries.isEmpty() && elements.isEmpty()) {
                return Optional.of(value);
            }
            if (value instanceof AttributeValue.M(var content)) {
                return Optional.of(takeFrom(content))
                        .filter(taken -> !taken.isEmpty())
                        .map(AttributeValue.M::new);
            }
            if (value instanceof AttributeValue.L(var content)) {
                return Optional.of(takeFrom(content))
                        .filter(taken -> !taken.isEmpty())
                        .map(AttributeValue.L::new);
            }
            return Optional.empty();
        }

        Map<String, AttributeValue> takeFrom(Map<String, AttributeValue> content) {
            Map<String, AttributeValue> taken = new LinkedHashMap<>();
            entries.forEach(
                    (name, node) ->
                            Optional.ofNullable(content.get(name))
                                    .flatMap(node::takeFrom)
                                    .ifPresent(value -> taken.put(name, value)));
            return taken;
        }

        private List<AttributeValue> takeFrom(List<AttributeValue> content) {
            List<AttributeValue> taken = new ArrayList<>();
            elements.headMap(content.size())
                    .forEach(
                            (index, node) ->
                                    node.takeFrom(content.get(index)).ifPresent(taken::add));
            return taken;
        }
    }

    private final Node root = new Node();

    PathTree(Collection<DocumentPath> paths) {
        for (DocumentPath path : paths) {
            Node node = root.below(new DocumentPath.Entry(path.attribute()));
            for (DocumentPath.Step step : path.steps()) {
                node = node.below(step);
            }
        }
    }

    /** What the paths lead to in {@code item}; paths that lead nowhere in it take nothing. */
    Item takeFrom(Item item) {
        return new Item(root.takeFrom(item.attributes()));
    }
}
