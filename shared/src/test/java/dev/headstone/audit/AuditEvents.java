package dev.headstone.audit;

import dev.headstone.link.ShortCode;
import java.time.Instant;
import java.util.Optional;

/** Events for tests that do not care which. */
public final class AuditEvents {
    /** When they happen. */
    public static final Instant AT = Instant.parse("2026-11-30T12:00:00.123Z");

    private AuditEvents() {}

    /** A reported takedown of {@code code}. */
    public static AuditEvent takedown(String eventId, String code, long version) {
        return AuditEvent.attempt(
                eventId,
                AuditType.LINK_TAKEN_DOWN,
                AuditOutcome.SUCCESS,
                new ShortCode(code),
                1_790_000_000_000L,
                version,
                "alice",
                Optional.of("phishing"),
                AT,
                AuditDetail.none());
    }
}
