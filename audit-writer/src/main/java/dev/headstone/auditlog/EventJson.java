package dev.headstone.auditlog;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.headstone.auditlog.AuditLog.Slice;
import dev.headstone.auditlog.LogEntry.Event;
import java.util.Optional;

/** The log's events as the interface shows them: the fields as they were sent, and their place. */
final class EventJson {
    /** Numbers that this version does not know come out as they went in. */
    private static final JsonMapper JSON =
            JsonMapper.builder()
                    .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                    .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
                    .build();

    private EventJson() {}

    static String page(Slice slice, Optional<String> cursor) {
        ObjectNode page = JSON.createObjectNode();
        var events = page.putArray("events");
        slice.events().forEach(event -> events.add(event(event)));
        cursor.ifPresent(next -> page.put("cursor", next));
        return page.toString();
    }

    private static ObjectNode event(Event event) {
        ObjectNode json = fields(event);
        json.put("seq", event.seq());
        json.put("prev_hash", event.prevHash());
        json.put("hash", event.hash());
        return json;
    }

    /** One event that somebody spoilt must not hide the others. */
    private static ObjectNode fields(Event event) {
        try {
            if (JSON.readTree(event.body()) instanceof ObjectNode fields) {
                return fields;
            }
        } catch (JsonProcessingException spoilt) {
            // its place and its hashes are shown all the same
        }
        JsonNode chain = JSON.getNodeFactory().textNode(event.chain());
        return JSON.createObjectNode().set("short_code", chain);
    }
}
