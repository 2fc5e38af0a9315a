package dev.headstone.dynamodb.operation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.headstone.dynamodb.value.Item;
import dev.headstone.dynamodb.value.ItemJson;
import dev.headstone.dynamodb.value.SerializationException;
import dev.headstone.dynamodb.value.ValidationException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The parameters of a request, or a structure among them. It remembers which ones were asked for,
 * so that {@link #requireNoOthers} can refuse the rest: a parameter is never ignored. A null counts
 * as absent, as at the service.
 */
final class Parameters {
    private final String path;
    private final ObjectNode json;
    private final Set<String> known = new HashSet<>();

    /**
     * @param path what comes before the names in messages: empty, or a path that ends with a dot
     */
    Parameters(String path, ObjectNode json) {
        this.path = path;
        this.json = json;
    }

    static Parameters of(ObjectNode body) {
        return new Parameters("", body);
    }

    Optional<String> text(String name) {
        return value(name).map(Parameters::text);
    }

    String requiredText(String name) {
        return text(name).orElseThrow(() -> missing(name));
    }

    /** A text that is one of {@code allowed}. */
    Optional<String> choice(String name, List<String> allowed) {
        Optional<String> text = text(name);
        text.filter(chosen -> !allowed.contains(chosen))
                .ifPresent(
                        chosen -> {
                            throw violated(
                                    name,
                                    "'" + chosen + "'",
                                    "Member must satisfy enum value set: [%s]"
                                            .formatted(String.join(", ", allowed)));
                        });
        return text;
    }

    Optional<Boolean> truth(String name) {
        return value(name).map(Parameters::truth);
    }

    /** A number from {@code least} to {@code most}. */
    Optional<Integer> number(String name, int least, int most) {
        return value(name)
                .map(Parameters::number)
                .map(
                        number -> {
                            if (number < least) {
                                throw violated(
                                        name,
                                        "'" + number + "'",
                                        "Member must have value greater than or equal to " + least);
                            }
                            if (number > most) {
                                throw violated(
                                        name,
                                        "'" + number + "'",
                                        "Member must have value less than or equal to " + most);
                            }
                            return Math.toIntExact(number);
                        });
    }

    Optional<Item> item(String name) {
        return value(name).map(ItemJson::decodeItem);
    }

    Item requiredItem(String name) {
        return item(name).orElseThrow(() -> missing(name));
    }

    Optional<List<String>> textList(String name) {
        return value(name).map(node -> elements(node).stream().map(Parameters::text).toList());
    }

    Optional<Parameters> structure(String name) {
        return value(name).map(node -> new Parameters(at(name) + ".", requireObject(node)));
    }

    Parameters requiredStructure(String name) {
        return structure(name).orElseThrow(() -> missing(name));
    }

    /** The structures in a list. */
    Optional<List<Parameters>> structures(String name) {
        return value(name)
                .map(
                        node -> {
                            List<Parameters> structures = new ArrayList<>();
                            for (JsonNode element : elements(node)) {
                                structures.add(
                                        new Parameters(
                                                "%s.%d.member."
                                                        .formatted(at(name), structures.size() + 1),
                                                requireObject(element)));
                            }
                            return structures;
                        });
    }

    /** A list of {@code least} to {@code most} structures. */
    List<Parameters> requiredStructures(String name, int least, int most) {
        List<Parameters> structures = structures(name).orElseThrow(() -> missing(name));
        requireLength(name, structures.size(), least, most);
        return structures;
    }

    /** A map from table names to structures. */
    Map<String, Parameters> requiredStructureMap(String name) {
        ObjectNode map = requireObject(value(name).orElseThrow(() -> missing(name)));
        Map<String, Parameters> structures = new LinkedHashMap<>();
        map.properties()
                .forEach(
                        entry ->
                                structures.put(
                                        entry.getKey(),
                                        new Parameters(
                                                "%s.%s.member.".formatted(at(name), entry.getKey()),
                                                requireObject(entry.getValue()))));
        return structures;
    }

    /** A map from table names to lists of structures. */
    Map<String, List<Parameters>> requiredStructureLists(String name) {
        ObjectNode map = requireObject(value(name).orElseThrow(() -> missing(name)));
        Parameters inner = new Parameters(at(name) + ".", map);
        Map<String, List<Parameters>> lists = new LinkedHashMap<>();
        map.properties()
                .forEach(
                        entry ->
                                lists.put(
                                        entry.getKey(),
                                        inner.structures(entry.getKey()).orElseGet(List::of)));
        return lists;
    }

    void requireLength(String name, int length, int least, int most) {
        if (length < least) {
            throw violated(
                    name, "'[]'", "Member must have length greater than or equal to " + least);
        }
        if (length > most) {
            throw violated(
                    name,
                    "'[%d members]'".formatted(length),
                    "Member must have length less than or equal to " + most);
        }
    }

    /** A parameter as it came; a missing node if it is absent. */
    JsonNode raw(String name) {
        return value(name).orElseGet(MissingNode::getInstance);
    }

    /** All of them, as they came. */
    ObjectNode json() {
        return json;
    }

    /**
     * Refuses parameters that nobody has asked for.
     *
     * @throws ValidationException naming one
     */
    void requireNoOthers() {
        for (Map.Entry<String, JsonNode> parameter : json.properties()) {
            if (!known.contains(parameter.getKey()) && !parameter.getValue().isNull()) {
                throw new ValidationException(
                        "The parameter '%s' is not supported".formatted(path + parameter.getKey()));
            }
        }
    }

    ValidationException missing(String name) {
        return violated(name, "null", "Member must not be null");
    }

    ValidationException violated(String name, String value, String constraint) {
        return new ValidationException(
                "1 validation error detected: Value %s at '%s' failed to satisfy constraint: %s"
                        .formatted(value, at(name), constraint));
    }

    private String at(String name) {
        return path + Character.toLowerCase(name.charAt(0)) + name.substring(1);
    }

    private Optional<JsonNode> value(String name) {
        known.add(name);
        return Optional.ofNullable(json.get(name)).filter(node -> !node.isNull());
    }

    private static String text(JsonNode node) {
        return switch (node.getNodeType()) {
            case STRING -> node.textValue();
            case NUMBER -> throw unconvertible("NUMBER_VALUE", "String");
            case BOOLEAN ->
                    throw unconvertible(
                            node.booleanValue() ? "TRUE_VALUE" : "FALSE_VALUE", "String");
            case ARRAY, OBJECT, NULL, MISSING, BINARY, POJO ->
                    throw new SerializationException("Unexpected token received from parser");
        };
    }

    private static boolean truth(JsonNode node) {
        if (!node.isBoolean()) {
            throw new SerializationException("Unexpected token received from parser");
        }
        return node.booleanValue();
    }

    private static long number(JsonNode node) {
        if (node.isTextual()) {
            throw unconvertible("STRING_VALUE", "Integer");
        }
        if (!node.isIntegralNumber() || !node.canConvertToLong()) {
            throw new SerializationException("Unexpected token received from parser");
        }
        return node.longValue();
    }

    private static List<JsonNode> elements(JsonNode node) {
        if (!node.isArray()) {
            throw new SerializationException(
                    node.isObject()
                            ? "Start of structure or map found where not expected"
                            : "Unexpected field type");
        }
        List<JsonNode> elements = new ArrayList<>(node.size());
        node.forEach(elements::add);
        return elements;
    }

    private static ObjectNode requireObject(JsonNode node) {
        if (node instanceof ObjectNode object) {
            return object;
        }
        throw new SerializationException(
                node.isArray()
                        ? "Start of list found where not expected"
                        : "Unexpected value type in payload");
    }

    private static SerializationException unconvertible(String what, String type) {
        return new SerializationException("%s cannot be converted to %s".formatted(what, type));
    }
}
