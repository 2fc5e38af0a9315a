package dev.headstone.audit;

import dev.headstone.link.ShortCode;
import java.time.Instant;
import java.util.Optional;

/**
 * What the log must know of an event to keep it, read from its JSON. Type and outcome are names and
 * not constants: a producer that is newer than the log may send one that the log has never heard
 * of.
 *
 * @param eventId 1 to 128 visible ASCII characters
 * @param type for example {@code link.taken_down}
 * @param at when it happened, as precise as it was sent
 */
public record AuditEnvelope(
        String eventId, String type, String outcome, Optional<ShortCode> shortCode, Instant at) {}
