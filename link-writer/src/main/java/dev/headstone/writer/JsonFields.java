package dev.headstone.writer;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.collect.ImmutableSet;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The fields of the one JSON object that a request's body is, read strictly (RFC 8259). */
final class JsonFields {
    /** Two levels are in use, a list in the object; what is wrong two deeper can still be named. */
    private static final int MAX_DEPTH = 4;

    private static final int MAX_NUMBER_LENGTH = 64;
    private static final Pattern FIT_TO_REPEAT = Pattern.compile("[A-Za-z0-9_.-]{1,64}");

    private static final ObjectMapper JSON =
            new ObjectMapper(
                    JsonFactory.builder()
                            // Names are the caller's to choose, and interned ones stay for good.
                            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
                            .streamReadConstraints(
                                    StreamReadConstraints.builder()
                                            .maxNestingDepth(MAX_DEPTH)
                                            .maxNumberLength(MAX_NUMBER_LENGTH)
                                            .maxStringLength(RequestBodies.MAX_BYTES)
                                            .maxNameLength(RequestBodies.MAX_BYTES)
                                            .build())
                            .build());

    private final Map<String, JsonNode> values;

    private JsonFields(Map<String, JsonNode> values) {
        this.values = values;
    }

    /**
     * Reads a body: one object in UTF-8 without byte order mark, no field twice, none that is not
     * known, nothing after it.
     */
    static JsonFields read(byte[] body, ImmutableSet<String> known) throws Refusal {
        try (JsonParser parser = JSON.createParser(decode(body))) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new Refusal(null, "The body must be a JSON object.");
            }
            Map<String, JsonNode> values = new HashMap<>();
            for (String name = parser.nextFieldName();
                    name != null;
                    name = parser.nextFieldName()) {
                refuseUnlessNew(name, known, values.keySet());
                parser.nextToken();
                values.put(name, parser.readValueAsTree());
            }
            if (parser.nextToken() != null) {
                throw new Refusal(null, "Nothing may follow the JSON object in the body.");
            }
            return new JsonFields(values);
        } catch (JsonProcessingException e) {
            throw new Refusal(null, "The body is not valid JSON" + where(e.getLocation()) + ".");
        } catch (IOException e) {
            throw new UncheckedIOException("reading from memory failed", e);
        }
    }

    private static String decode(byte[] body) throws Refusal {
        try {
            String text = UTF_8.newDecoder().decode(ByteBuffer.wrap(body)).toString();
            if (text.startsWith("\ufeff")) {
                throw new Refusal(null, "The body must not begin with a byte order mark.");
            }
            return text;
        } catch (CharacterCodingException e) {
            throw new Refusal(null, "The body must be encoded in UTF-8.");
        }
    }

    private static void refuseUnlessNew(String name, ImmutableSet<String> known, Set<String> seen)
            throws Refusal {
        if (!known.contains(name)) {
            throw new Refusal(
                    FIT_TO_REPEAT.matcher(name).matches() ? name : null,
                    known.isEmpty()
                            ? "This request has no fields."
                            : "This request has no fields but " + String.join(", ", known) + ".");
        }
        if (seen.contains(name)) {
            throw new Refusal(name, "A field may be given only once.");
        }
    }

    private static String where(@Nullable JsonLocation location) {
        return location == null
                ? ""
                : " at line %d, column %d".formatted(location.getLineNr(), location.getColumnNr());
    }

    boolean isEmpty() {
        return values.isEmpty();
    }

    /** Whether the field is there, if only as null. */
    boolean has(String field) {
        return values.containsKey(field);
    }

    /** The field's value, or empty if it is not there or null. */
    private Optional<JsonNode> value(String field) {
        return Optional.ofNullable(values.get(field)).filter(value -> !value.isNull());
    }

    Optional<String> text(String field) throws Refusal {
        Optional<JsonNode> value = value(field);
        return value.isEmpty() ? Optional.empty() : Optional.of(text(field, value.get()));
    }

    private static String text(String field, JsonNode value) throws Refusal {
        if (!value.isTextual()) {
            throw new Refusal(field, "The value must be a string.");
        }
        return value.textValue();
    }

    /** The number, which must be written without fraction and exponent. */
    OptionalLong wholeNumber(String field, long least, long most) throws Refusal {
        Optional<JsonNode> value = value(field);
        if (value.isEmpty()) {
            return OptionalLong.empty();
        }
        JsonNode number = value.get();
        if (!number.isIntegralNumber()
                || !number.canConvertToLong()
                || number.longValue() < least
                || number.longValue() > most) {
            throw new Refusal(
                    field,
                    "The value must be a whole number from %d to %d, written in digits alone."
                            .formatted(least, most));
        }
        return OptionalLong.of(number.longValue());
    }

    Optional<List<String>> texts(String field, int most) throws Refusal {
        Optional<JsonNode> value = value(field);
        if (value.isEmpty()) {
            return Optional.empty();
        }
        if (!value.get().isArray() || value.get().size() > most) {
            throw new Refusal(
                    field, "The value must be a list of at most %d strings.".formatted(most));
        }
        List<String> texts = new ArrayList<>();
        for (JsonNode element : value.get()) {
            texts.add(text(element(field, texts.size()), element));
        }
        return Optional.of(texts);
    }

    /** How an element of a list is named where it is at fault. */
    static String element(String field, int at) {
        return field + "[" + at + "]";
    }
}
