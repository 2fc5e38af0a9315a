package dev.headstone.auditlog;

import dev.headstone.auditlog.LogEntry.Event;
import dev.headstone.auditlog.LogEntry.Marker;
import dev.headstone.auditlog.LogEntry.Place;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The items of the log's table. Reading is total: of an item that somebody spoilt, what is missing
 * is read as empty, so that a verification can name it.
 */
final class AuditItems {
    /** The service's limit for one item, names of attributes included. */
    static final int MOST_BYTES = 400 * 1024;

    static final String CHAIN = AuditTables.CHAIN;
    static final String SEQ = AuditTables.SEQ;
    static final String RECORDED_AT = "recorded_at";

    /** In a marker: the chain of its event. */
    static final String EVENT_CHAIN = "chain";

    /** Hash key of the days on which something was recorded; the range key is the epoch day. */
    static final String DAYS = "#days";

    private static final String MARKER_PREFIX = "#id:";
    private static final String EVENT_SEQ = "chain_seq";
    private static final String BODY = "body";
    private static final String BODY_HASH = "body_sha256";
    private static final String PREV_HASH = "prev_hash";
    private static final String HASH = "hash";

    private AuditItems() {}

    static Map<String, AttributeValue> key(Place place) {
        return Map.of(CHAIN, text(place.chain()), SEQ, number(place.seq()));
    }

    static Place markerPlace(String eventId) {
        return new Place(MARKER_PREFIX + eventId, 0);
    }

    static Map<String, AttributeValue> day(long epochDay) {
        return key(new Place(DAYS, epochDay));
    }

    static Map<String, AttributeValue> item(Event event) {
        TimeKey time = TimeKey.of(event);
        return Map.of(
                CHAIN,
                text(event.chain()),
                SEQ,
                number(event.seq()),
                BODY,
                text(event.body()),
                PREV_HASH,
                text(event.prevHash()),
                HASH,
                text(event.hash()),
                RECORDED_AT,
                text(TimeKey.text(event.recordedAt())),
                AuditTables.DAY,
                text(time.day()),
                AuditTables.AT_KEY,
                text(time.text()));
    }

    static Map<String, AttributeValue> item(Marker marker) {
        Place place = markerPlace(marker.eventId());
        return Map.of(
                CHAIN, text(place.chain()),
                SEQ, number(place.seq()),
                EVENT_CHAIN, text(marker.chain()),
                EVENT_SEQ, number(marker.seq()),
                BODY_HASH, text(marker.bodyHash()));
    }

    /** An entry of the log, or empty for what only helps to find entries. */
    static Optional<LogEntry> entry(Map<String, AttributeValue> item) {
        String chain = textOf(item, CHAIN);
        if (chain.startsWith(MARKER_PREFIX)) {
            return Optional.of(marker(item));
        }
        return chain.equals(DAYS) ? Optional.empty() : Optional.of(event(item));
    }

    static Event event(Map<String, AttributeValue> item) {
        return new Event(
                textOf(item, CHAIN),
                numberOf(item, SEQ),
                textOf(item, BODY),
                textOf(item, PREV_HASH),
                textOf(item, HASH),
                timeOf(item));
    }

    static Marker marker(Map<String, AttributeValue> item) {
        return new Marker(
                textOf(item, CHAIN).substring(MARKER_PREFIX.length()),
                textOf(item, EVENT_CHAIN),
                numberOf(item, EVENT_SEQ),
                textOf(item, BODY_HASH));
    }

    static Place place(Map<String, AttributeValue> item) {
        return new Place(textOf(item, CHAIN), numberOf(item, SEQ));
    }

    /**
     * How much an item of texts and numbers takes, counted as the service counts, and never less.
     */
    static int bytes(Map<String, AttributeValue> item) {
        return item.entrySet().stream()
                .mapToInt(entry -> utf8(entry.getKey()) + bytes(entry.getValue()))
                .sum();
    }

    private static int bytes(AttributeValue value) {
        int longestNumber = 21;
        return value.s() == null ? longestNumber : utf8(value.s());
    }

    private static int utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    static AttributeValue text(String value) {
        return AttributeValue.fromS(value);
    }

    static AttributeValue number(long value) {
        return AttributeValue.fromN(Long.toString(value));
    }

    private static String textOf(Map<String, AttributeValue> item, String name) {
        AttributeValue value = item.get(name);
        return value == null || value.s() == null ? "" : value.s();
    }

    private static long numberOf(Map<String, AttributeValue> item, String name) {
        AttributeValue value = item.get(name);
        try {
            return value == null || value.n() == null ? 0 : Long.parseLong(value.n());
        } catch (NumberFormatException spoilt) {
            return 0;
        }
    }

    private static Instant timeOf(Map<String, AttributeValue> item) {
        try {
            return Instant.parse(textOf(item, RECORDED_AT));
        } catch (DateTimeParseException spoilt) {
            return Instant.EPOCH;
        }
    }
}
