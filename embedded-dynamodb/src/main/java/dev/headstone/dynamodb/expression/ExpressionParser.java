package dev.headstone.dynamodb.expression;

import com.fasterxml.jackson.databind.JsonNode;
import dev.headstone.dynamodb.value.AttributeValue;
import dev.headstone.dynamodb.value.ItemJson;
import dev.headstone.dynamodb.value.ItemSize;
import dev.headstone.dynamodb.value.SerializationException;
import dev.headstone.dynamodb.value.ValidationException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.regex.Pattern;

/**
 * Reads the expressions of requests. What it has parsed it remembers, as requests differ in their
 * values far more than in their expressions: {@value #MAX_REMEMBERED} of each sort, after which it
 * starts anew. Safe for use by several threads.
 *
 * @see <a
 *     href="https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ServiceQuotas.html">the
 *     service's limits</a>
 */
public final class ExpressionParser {
    private static final int MAX_REMEMBERED = 512;
    private static final int MAX_EXPRESSION_BYTES = 4096;
    private static final int MAX_PLACEHOLDER_BYTES = 255;
    private static final int MAX_ATTRIBUTE_NAME_BYTES = 65535;
    private static final int MAX_SUBSTITUTION_BYTES = 2 * 1024 * 1024;

    private static final Pattern NAME = Pattern.compile("#[0-9a-zA-Z_]+");
    private static final Pattern VALUE = Pattern.compile(":[0-9a-zA-Z_]+");

    private final Map<String, Syntax> conditions = new ConcurrentHashMap<>();
    private final Map<String, UpdateSyntax> updates = new ConcurrentHashMap<>();
    private final Map<String, List<PathSyntax>> projections = new ConcurrentHashMap<>();

    /** A parser that remembers nothing yet. */
    public ExpressionParser() {}

    /**
     * What one request gives for its expressions, as it stands in the request's JSON.
     *
     * @param names the request's ExpressionAttributeNames; null or missing if it has none
     * @param values the request's ExpressionAttributeValues; null or missing if it has none
     * @throws ValidationException if a name or value breaks a rule or a limit of the service
     * @throws SerializationException if the JSON does not have the shape of the protocol
     */
    public ExpressionContext context(JsonNode names, JsonNode values) {
        return context(names(names), values(values));
    }

    /**
     * What one request gives for its expressions.
     *
     * @param names attribute names by their placeholder, such as {@code #name}
     * @param values values by their placeholder, such as {@code :value}
     * @throws ValidationException if a name or value breaks a rule or a limit of the service
     */
    public ExpressionContext context(
            Map<String, String> names, Map<String, AttributeValue> values) {
        names.forEach(ExpressionParser::checkName);
        values.keySet().forEach(ExpressionParser::checkValueKey);
        long size = 0;
        for (Map.Entry<String, String> name : names.entrySet()) {
            size += ItemSize.utf8Length(name.getKey()) + ItemSize.utf8Length(name.getValue());
        }
        if (size + ItemSize.ofAttributes(values) > MAX_SUBSTITUTION_BYTES) {
            throw new ValidationException(
                    "Combined size of ExpressionAttributeNames and ExpressionAttributeValues exceeds max size");
        }
        return new ExpressionContext(
                this, new Placeholders(new LinkedHashMap<>(names), new LinkedHashMap<>(values)));
    }

    Syntax condition(ExpressionKind kind, String source) {
        return parsed(conditions, kind, source, ConditionParser::parse);
    }

    UpdateSyntax update(String source) {
        return parsed(
                updates, ExpressionKind.UPDATE, source, (_, text) -> UpdateParser.parse(text));
    }

    List<PathSyntax> projection(String source) {
        return parsed(
                projections,
                ExpressionKind.PROJECTION,
                source,
                (_, text) -> ProjectionParser.parse(text));
    }

    private static <T> T parsed(
            Map<String, T> remembered,
            ExpressionKind kind,
            String source,
            BiFunction<ExpressionKind, String, T> parser) {
        T known = remembered.get(source);
        if (known != null) {
            return known;
        }
        if (source.isEmpty()) {
            throw kind.invalid("The expression can not be empty;");
        }
        int bytes = ItemSize.utf8Length(source);
        if (bytes > MAX_EXPRESSION_BYTES) {
            throw kind.invalid(
                    "Expression size has exceeded the maximum allowed size; expression size: "
                            + bytes);
        }
        T parsed = parser.apply(kind, source);
        if (remembered.size() >= MAX_REMEMBERED) {
            remembered.clear();
        }
        remembered.put(source, parsed);
        return parsed;
    }

    private static Map<String, String> names(JsonNode json) {
        Map<String, String> names = new LinkedHashMap<>();
        entries("ExpressionAttributeNames", json)
                .forEach((key, name) -> names.put(key, ItemJson.decodeText(name)));
        return names;
    }

    private static Map<String, AttributeValue> values(JsonNode json) {
        Map<String, JsonNode> entries = entries("ExpressionAttributeValues", json);
        entries.keySet().forEach(ExpressionParser::checkValueKey);
        Map<String, AttributeValue> values = new LinkedHashMap<>();
        entries.forEach((key, value) -> values.put(key, value(key, value)));
        return values;
    }

    private static AttributeValue value(String key, JsonNode json) {
        try {
            return ItemJson.decode(json);
        } catch (ValidationException e) {
            throw new ValidationException(
                    "ExpressionAttributeValues contains invalid value: %s for key %s"
                            .formatted(e.getMessage(), key));
        }
    }

    private static Map<String, JsonNode> entries(String parameter, JsonNode json) {
        Map<String, JsonNode> entries = new LinkedHashMap<>();
        if (json.isMissingNode() || json.isNull()) {
            return entries;
        }
        if (!json.isObject()) {
            throw new SerializationException("Unexpected field type");
        }
        json.properties().forEach(entry -> entries.put(entry.getKey(), entry.getValue()));
        if (entries.isEmpty()) {
            throw new ValidationException(parameter + " must not be empty");
        }
        return entries;
    }

    private static void checkName(String key, String name) {
        int bytes = ItemSize.utf8Length(key);
        if (bytes > MAX_PLACEHOLDER_BYTES) {
            throw new ValidationException(
                    "ExpressionAttributeNames contains invalid key: The expression attribute map contains a key that is too long; size of key: "
                            + bytes);
        }
        if (!NAME.matcher(key).matches()) {
            throw new ValidationException(
                    "ExpressionAttributeNames contains invalid key: Syntax error; key: \"%s\""
                            .formatted(key));
        }
        if (name.isEmpty()) {
            throw new ValidationException(
                    "ExpressionAttributeNames contains invalid value: Empty attribute name for key "
                            + key);
        }
        if (ItemSize.utf8Length(name) > MAX_ATTRIBUTE_NAME_BYTES) {
            throw new ValidationException(
                    "ExpressionAttributeNames contains invalid value: Attribute name is too large, must be less than 65536 bytes for key "
                            + key);
        }
    }

    private static void checkValueKey(String key) {
        if (ItemSize.utf8Length(key) > MAX_PLACEHOLDER_BYTES) {
            throw new ValidationException(
                    "ExpressionAttributeValues contains invalid key: The expression attribute map contains a key that is too long;");
        }
        if (!VALUE.matcher(key).matches()) {
            throw new ValidationException(
                    "ExpressionAttributeValues contains invalid key: Syntax error; key: \"%s\""
                            .formatted(key));
        }
    }
}
