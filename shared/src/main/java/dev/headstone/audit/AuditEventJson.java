package dev.headstone.audit;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.headstone.link.ShortCode;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** The JSON form of audit events: written in one way only, read as leniently as is safe. */
public final class AuditEventJson {
    /** RFC 3339, UTC, always three digits after the second. */
    private static final DateTimeFormatter MILLISECONDS =
            new DateTimeFormatterBuilder().appendInstant(3).toFormatter(Locale.ROOT);

    private static final Pattern DOTTED_NAME = Pattern.compile("[a-z]{1,32}\\.[a-z_]{1,32}");
    private static final Pattern NAME = Pattern.compile("[a-z_]{1,64}");

    /** ASCII only: SQS refuses a message that holds U+FFFF or half a surrogate pair. */
    private static final JsonFactory WRITER =
            JsonFactory.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

    private static final ObjectReader READER =
            JsonMapper.builder()
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                    .build()
                    .readerFor(JsonNode.class);

    private AuditEventJson() {}

    /**
     * The one text of {@code event}: fixed order of fields, no white space, what is absent left
     * out.
     */
    public static String encode(AuditEvent event) {
        StringWriter text = new StringWriter(512);
        try (JsonGenerator json = WRITER.createGenerator(text)) {
            json.writeStartObject();
            json.writeStringField("event_id", event.eventId());
            json.writeStringField("type", event.type().wireName());
            json.writeStringField("outcome", event.outcome().wireName());
            if (event.shortCode().isPresent()) {
                json.writeStringField("short_code", event.shortCode().get().value());
            }
            json.writeNumberField("epoch", event.epoch());
            json.writeNumberField("version", event.version());
            json.writeStringField("actor", event.actor());
            if (event.reason().isPresent()) {
                json.writeStringField("reason", event.reason().get());
            }
            json.writeStringField("at", MILLISECONDS.format(event.at()));
            if (!event.detail().isEmpty()) {
                writeDetail(json, event.detail());
            }
            json.writeEndObject();
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return text.toString();
    }

    private static void writeDetail(JsonGenerator json, AuditDetail detail) throws IOException {
        json.writeObjectFieldStart("detail");
        for (Map.Entry<String, Object> entry : detail.entries().entrySet()) {
            json.writeObjectField(entry.getKey(), entry.getValue());
        }
        json.writeEndObject();
    }

    /**
     * Reads what the log must know. Fields it does not know, and types and outcomes of a newer
     * producer, are let pass; what would make the event unfindable or ambiguous is not.
     *
     * @throws IllegalArgumentException naming the field at fault; also for anything that is not
     *     exactly one JSON object, and for a field that stands there twice
     */
    public static AuditEnvelope read(String text) {
        JsonNode event = parse(text);
        String eventId = text(event, "event_id");
        require(AuditEvent.isEventId(eventId), "event_id: 1 to 128 visible ASCII characters");
        String type = text(event, "type");
        require(DOTTED_NAME.matcher(type).matches(), "type: no name of an event");
        String outcome = text(event, "outcome");
        require(NAME.matcher(outcome).matches(), "outcome: no name of an outcome");
        Optional<ShortCode> code = shortCode(event, type);
        requireCount(event, "epoch");
        requireCount(event, "version");
        require(!text(event, "actor").isEmpty(), "actor: empty");
        JsonNode reason = event.path("reason");
        require(reason.isTextual() || isAbsent(reason), "reason: not a string");
        return new AuditEnvelope(eventId, type, outcome, code, instant(event));
    }

    private static JsonNode parse(String text) {
        JsonNode event;
        try {
            event = READER.readTree(text);
        } catch (JsonProcessingException malformed) {
            // its own message quotes the text, which belongs in no log
            throw new IllegalArgumentException("not one well-formed JSON object", malformed);
        }
        require(event.isObject(), "not a JSON object");
        return event;
    }

    private static Optional<ShortCode> shortCode(JsonNode event, String type) {
        JsonNode code = event.path("short_code");
        if (isAbsent(code)) {
            require(!AuditType.concernsOneLink(type), "short_code: missing");
            return Optional.empty();
        }
        require(code.isTextual(), "short_code: not a string");
        Optional<ShortCode> parsed = ShortCode.parse(code.textValue());
        require(parsed.isPresent(), "short_code: not the form of a code");
        return parsed;
    }

    private static Instant instant(JsonNode event) {
        try {
            return Instant.parse(text(event, "at"));
        } catch (DateTimeParseException malformed) {
            throw new IllegalArgumentException("at: not an RFC 3339 time with offset", malformed);
        }
    }

    private static String text(JsonNode event, String field) {
        JsonNode value = event.path(field);
        require(value.isTextual(), field + (isAbsent(value) ? ": missing" : ": not a string"));
        return value.textValue();
    }

    private static void requireCount(JsonNode event, String field) {
        JsonNode value = event.path(field);
        require(
                value.isIntegralNumber() && value.canConvertToLong() && value.longValue() >= 0,
                field + ": not a whole number from 0 that fits 64 bits");
    }

    private static boolean isAbsent(JsonNode value) {
        return value.isMissingNode() || value.isNull();
    }

    private static void require(boolean condition, String message) {
        if (!condition) {
            throw new IllegalArgumentException(message);
        }
    }
}
