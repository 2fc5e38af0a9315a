package dev.headstone.auditlog;

import dev.headstone.audit.AuditDetail;
import dev.headstone.audit.AuditEvent;
import dev.headstone.audit.AuditEventJson;
import dev.headstone.audit.AuditOutcome;
import dev.headstone.audit.AuditType;
import dev.headstone.link.ShortCode;
import java.time.Instant;
import java.util.Optional;

/** Events as they come out of the queue, for tests. */
final class Bodies {
    static final Instant AT = Instant.parse("2026-11-30T12:00:00.123Z");

    private Bodies() {}

    static ReceivedEvent takedown(String eventId, String code) {
        return takedown(eventId, code, "phishing");
    }

    static ReceivedEvent takedown(String eventId, String code, String reason) {
        return ReceivedEvent.read(
                AuditEventJson.encode(
                        AuditEvent.attempt(
                                eventId,
                                AuditType.LINK_TAKEN_DOWN,
                                AuditOutcome.SUCCESS,
                                new ShortCode(code),
                                1_790_000_000_000L,
                                2,
                                "alice",
                                Optional.of(reason),
                                AT,
                                AuditDetail.none())));
    }

    static ReceivedEvent hostBlocked(String eventId) {
        return ReceivedEvent.read(
                AuditEventJson.encode(
                        AuditEvent.withoutLink(
                                eventId,
                                AuditType.HOST_BLOCKED,
                                AuditOutcome.SUCCESS,
                                "alice",
                                Optional.of("malware"),
                                AT,
                                AuditDetail.none().with("host", "evil.example"))));
    }

    /** A takedown with a field of no use that makes the text {@code characters} longer. */
    static ReceivedEvent padded(String eventId, String code, int characters) {
        String body = takedown(eventId, code).body();
        return ReceivedEvent.read(
                body.replaceFirst("}$", ",\"padding\":\"" + "x".repeat(characters) + "\"}"));
    }
}
