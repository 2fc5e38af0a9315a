package dev.headstone.writer;

import dev.headstone.audit.Acceptance;
import dev.headstone.audit.AuditEvent;
import dev.headstone.audit.AuditQueue;
import java.time.Instant;
import java.time.InstantSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The way of outcomes to the audit queue, with a second try. Safe for use by several threads. */
final class AuditTrail {
    private static final Logger log = LoggerFactory.getLogger(AuditTrail.class);
    private static final int MOST_TRIES = 2;

    private final AuditQueue queue;
    private final InstantSource clock;

    AuditTrail(AuditQueue queue, InstantSource clock) {
        this.queue = queue;
        this.clock = clock;
    }

    /**
     * Whether the queue has the event. It is offered twice at the most, which is safe since it
     * stays the same event, and a second time only before the deadline.
     */
    boolean accepts(AuditEvent event, Instant deadline) {
        for (int tries = 1; tries <= MOST_TRIES; tries++) {
            switch (queue.send(event)) {
                case Acceptance.Accepted _ -> {
                    return true;
                }
                case Acceptance.NotAccepted(Exception cause) -> warn(event, cause);
            }
            if (!clock.instant().isBefore(deadline)) {
                return false;
            }
        }
        return false;
    }

    private static void warn(AuditEvent event, Exception cause) {
        log.atWarn()
                .addKeyValue("event_id", event.eventId())
                .addKeyValue("type", event.type().wireName())
                .addKeyValue("outcome", event.outcome().wireName())
                .addKeyValue("cause", cause.toString())
                .log("audit event was not accepted");
    }
}
