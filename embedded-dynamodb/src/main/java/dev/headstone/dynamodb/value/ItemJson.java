package dev.headstone.dynamodb.value;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Items and attribute values in the wire protocol's JSON, where a value is an object like <code>
 * {"S": "text"}</code>.
 */
public final class ItemJson {
    /**
     * How deep values may nest: an attribute of an item is at level 1, what a list or map holds one
     * level below it.
     */
    public static final int MAX_NESTING = 32;

    private static final Pattern OUTSIDE_BASE64 = Pattern.compile("[^a-zA-Z0-9+/=]|=[^=]");
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private ItemJson() {}

    /**
     * Reads an item, or any map from names to values.
     *
     * @throws SerializationException if the JSON does not have the shape of the protocol
     * @throws ValidationException if a value breaks a rule of the service
     */
    public static Item decodeItem(JsonNode json) {
        return new Item(entries(json, 1));
    }

    /**
     * Reads one value.
     *
     * @throws SerializationException if the JSON does not have the shape of the protocol
     * @throws ValidationException if the value breaks a rule of the service
     */
    public static AttributeValue decode(JsonNode json) {
        return value(json, 1);
    }

    /**
     * Reads a string.
     *
     * @throws SerializationException if the JSON is anything else
     */
    public static String decodeText(JsonNode json) {
        return text(json);
    }

    /** The item as a JSON object. */
    public static ObjectNode encode(Item item) {
        return encodeEntries(item.attributes());
    }

    /** The value as a JSON object. */
    public static ObjectNode encode(AttributeValue value) {
        ObjectNode json = NODES.objectNode();
        String type = value.type().name();
        switch (value) {
            case AttributeValue.S(String text) -> json.put(type, text);
            case AttributeValue.N(DynamoNumber number) -> json.put(type, number.text());
            case AttributeValue.B(Bytes bytes) -> json.put(type, bytes.base64());
            case AttributeValue.Bool(boolean truth) -> json.put(type, truth);
            case AttributeValue.Null _ -> json.put(type, true);
            case AttributeValue.SS(var members) -> members.forEach(json.putArray(type)::add);
            case AttributeValue.NS(var members) -> {
                ArrayNode array = json.putArray(type);
                members.forEach(member -> array.add(member.text()));
            }
            case AttributeValue.BS(var members) -> {
                ArrayNode array = json.putArray(type);
                members.forEach(member -> array.add(member.base64()));
            }
            case AttributeValue.L(var elements) -> {
                ArrayNode array = json.putArray(type);
                elements.forEach(element -> array.add(encode(element)));
            }
            case AttributeValue.M(var entries) -> json.set(type, encodeEntries(entries));
        }
        return json;
    }

    /** Writes the item as {@link #encode(Item)} forms it, without building a tree. */
    public static void write(Item item, JsonGenerator out) throws IOException {
        writeEntries(item.attributes(), out);
    }

    /** Writes the value as {@link #encode(AttributeValue)} forms it, without building a tree. */
    public static void write(AttributeValue value, JsonGenerator out) throws IOException {
        out.writeStartObject();
        out.writeFieldName(value.type().name());
        switch (value) {
            case AttributeValue.S(String text) -> out.writeString(text);
            case AttributeValue.N(DynamoNumber number) -> out.writeString(number.text());
            case AttributeValue.B(Bytes bytes) -> out.writeString(bytes.base64());
            case AttributeValue.Bool(boolean truth) -> out.writeBoolean(truth);
            case AttributeValue.Null _ -> out.writeBoolean(true);
            case AttributeValue.SS(var members) -> writeTexts(members, out);
            case AttributeValue.NS(var members) ->
                    writeTexts(members.stream().map(DynamoNumber::text).toList(), out);
            case AttributeValue.BS(var members) ->
                    writeTexts(members.stream().map(Bytes::base64).toList(), out);
            case AttributeValue.L(var elements) -> {
                out.writeStartArray();
                for (AttributeValue element : elements) {
                    write(element, out);
                }
                out.writeEndArray();
            }
            case AttributeValue.M(var entries) -> writeEntries(entries, out);
        }
        out.writeEndObject();
    }

    private static ObjectNode encodeEntries(Map<String, AttributeValue> entries) {
        ObjectNode json = NODES.objectNode();
        entries.forEach((name, value) -> json.set(name, encode(value)));
        return json;
    }

    private static void writeEntries(Map<String, AttributeValue> entries, JsonGenerator out)
            throws IOException {
        out.writeStartObject();
        for (Map.Entry<String, AttributeValue> entry : entries.entrySet()) {
            out.writeFieldName(entry.getKey());
            write(entry.getValue(), out);
        }
        out.writeEndObject();
    }

    private static void writeTexts(Iterable<String> texts, JsonGenerator out) throws IOException {
        out.writeStartArray();
        for (String text : texts) {
            out.writeString(text);
        }
        out.writeEndArray();
    }

    private static Map<String, AttributeValue> entries(JsonNode json, int level) {
        if (json.isArray()) {
            throw new SerializationException(
                    "Unrecognized collection type java.util.Map<java.lang.String,"
                            + " com.amazonaws.dynamodb.v20120810.AttributeValue>");
        }
        if (!json.isObject()) {
            throw new SerializationException("Unexpected field type");
        }
        Map<String, AttributeValue> entries = new TreeMap<>();
        json.properties()
                .forEach(entry -> entries.put(entry.getKey(), value(entry.getValue(), level)));
        return entries;
    }

    private static AttributeValue value(JsonNode json, int level) {
        if (json.isArray()) {
            throw new SerializationException(
                    "Unrecognized collection type class com.amazonaws.dynamodb.v20120810.AttributeValue");
        }
        if (json.isValueNode() && !json.isNull()) {
            throw new SerializationException("Unexpected value type in payload");
        }
        if (level > MAX_NESTING) {
            throw new ValidationException(
                    "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond"
                            + " supported limit");
        }
        // Unknown members are ignored by the protocol, null ones count as absent.
        List<AttributeType> types =
                Arrays.stream(AttributeType.values())
                        .filter(type -> json.hasNonNull(type.name()))
                        .toList();
        return switch (types.size()) {
            case 0 ->
                    throw new ValidationException(
                            "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes");
            case 1 -> value(types.getFirst(), json.path(types.getFirst().name()), level);
            default ->
                    throw new ValidationException(
                            "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the"
                                    + " supported datatypes");
        };
    }

    private static AttributeValue value(AttributeType type, JsonNode json, int level) {
        return switch (type) {
            case S -> new AttributeValue.S(text(json));
            case N -> AttributeValue.N.parse(text(json));
            case B -> new AttributeValue.B(bytes(json));
            case BOOL -> new AttributeValue.Bool(truth(json));
            case NULL -> {
                truth(json); // the service takes either for null
                yield new AttributeValue.Null();
            }
            case SS -> AttributeValue.SS.of(list(json, ItemJson::text));
            case NS -> AttributeValue.NS.of(list(json, member -> DynamoNumber.parse(text(member))));
            case BS -> AttributeValue.BS.of(list(json, ItemJson::bytes));
            case L -> new AttributeValue.L(list(json, element -> value(element, level + 1)));
            case M -> new AttributeValue.M(entries(json, level + 1));
        };
    }

    private interface Reading<T> {
        T from(JsonNode json);
    }

    private static <T> List<T> list(JsonNode json, Reading<T> reading) {
        if (json.isObject()) {
            throw new SerializationException("Start of structure or map found where not expected");
        }
        if (!json.isArray()) {
            throw new SerializationException("Unexpected field type");
        }
        List<T> list = new ArrayList<>(json.size());
        for (JsonNode element : json) {
            list.add(reading.from(element));
        }
        return list;
    }

    private static String text(JsonNode json) {
        return switch (json.getNodeType()) {
            case STRING -> json.textValue();
            case NUMBER ->
                    throw new SerializationException("NUMBER_VALUE cannot be converted to String");
            case BOOLEAN ->
                    throw new SerializationException(
                            (json.booleanValue() ? "TRUE_VALUE" : "FALSE_VALUE")
                                    + " cannot be converted to String");
            case ARRAY ->
                    throw new SerializationException(
                            "Unrecognized collection type class java.lang.String");
            default ->
                    throw new SerializationException(
                            "Start of structure or map found where not expected");
        };
    }

    private static boolean truth(JsonNode json) {
        return switch (json.getNodeType()) {
            case BOOLEAN -> json.booleanValue();
            case ARRAY ->
                    throw new SerializationException(
                            "Unrecognized collection type class java.lang.Boolean");
            case OBJECT ->
                    throw new SerializationException(
                            "Start of structure or map found where not expected");
            default -> throw new SerializationException("Unexpected token received from parser");
        };
    }

    private static Bytes bytes(JsonNode json) {
        return switch (json.getNodeType()) {
            case STRING -> bytes(json.textValue());
            case ARRAY ->
                    throw new SerializationException(
                            "Unrecognized collection type class java.nio.ByteBuffer");
            case OBJECT ->
                    throw new SerializationException(
                            "Start of structure or map found where not expected");
            default ->
                    throw new SerializationException(
                            "only base-64-encoded strings are convertible to bytes");
        };
    }

    private static Bytes bytes(String base64) {
        if (base64.length() % 4 != 0) {
            throw notBase64(
                    base64,
                    "Base64 encoded length is expected a multiple of 4 bytes but found: "
                            + base64.length());
        }
        try {
            Bytes bytes = Bytes.owning(Base64.getDecoder().decode(base64));
            if (!bytes.base64().equals(base64)) {
                throw notBase64(base64, "Invalid last non-pad Base64 character dectected");
            }
            return bytes;
        } catch (IllegalArgumentException _) {
            throw notBase64(
                    base64, "Invalid Base64 character: '%s'".formatted(firstOutsideBase64(base64)));
        }
    }

    private static char firstOutsideBase64(String text) {
        Matcher matcher = OUTSIDE_BASE64.matcher(text);
        return matcher.find() ? matcher.group().charAt(0) : '=';
    }

    private static SerializationException notBase64(String text, String why) {
        return new SerializationException(
                "'%s' can not be converted to a Blob: %s".formatted(text, why));
    }
}
