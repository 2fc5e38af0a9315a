package dev.headstone.auditlog;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.headstone.audit.AuditEventJson;
import java.time.Instant;

/**
 * An event as it came out of the queue.
 *
 * @param eventId tells it from all others, for ever
 * @param chain the chain it belongs to: its link's code, or {@code :host} and the like
 * @param at when it happened, as its producer says
 * @param body the text as it was received: what is stored, and what is hashed, byte for byte
 */
public record ReceivedEvent(String eventId, String chain, Instant at, String body) {
    private static final ObjectMapper JSON = new ObjectMapper();

    /**
     * Reads a message of the queue.
     *
     * @throws IllegalArgumentException naming the field at fault, if {@code body} is no audit event
     */
    public static ReceivedEvent read(String body) {
        var envelope = AuditEventJson.read(body);
        return new ReceivedEvent(envelope.eventId(), Chains.of(envelope), envelope.at(), body);
    }

    /** Whether {@code other} says the same: order of fields and white space do not matter. */
    boolean saysTheSameAs(String other) {
        try {
            return body.equals(other) || JSON.readTree(body).equals(JSON.readTree(other));
        } catch (JsonProcessingException unreadable) {
            return false;
        }
    }
}
