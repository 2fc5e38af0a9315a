package dev.headstone.audit;

import dev.headstone.link.ShortCode;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * One statement for the audit log, as its producer makes it; the log adds sequence number and
 * hashes.
 *
 * @param eventId tells this event from all others for ever: 1 to 128 visible ASCII characters,
 *     which is what SQS takes as a deduplication id
 * @param shortCode the link; may be absent only where the type does not concern exactly one
 * @param epoch the link's creation in epoch milliseconds, 0 without a link
 * @param version the link's version that is told of, 0 without a link
 * @param actor who did it, 1 to 256 characters, from the authentication and never from the request
 * @param reason what the actor gave as reason, 1 to 500 characters (code points)
 * @param at when it happened; kept to the millisecond
 */
public record AuditEvent(
        String eventId,
        AuditType type,
        AuditOutcome outcome,
        Optional<ShortCode> shortCode,
        long epoch,
        long version,
        String actor,
        Optional<String> reason,
        Instant at,
        AuditDetail detail) {

    /** Most characters of an event's id: SQS's limit for a deduplication id. */
    public static final int LONGEST_ID = 128;

    /** Most characters of an actor: an ARN of a role session fits. */
    public static final int LONGEST_ACTOR = 256;

    /** Most characters of a reason. */
    public static final int LONGEST_REASON = 500;

    private static final Pattern ID = Pattern.compile("[!-~]{1," + LONGEST_ID + "}");

    /**
     * @throws IllegalArgumentException naming the field that is out of bounds
     */
    public AuditEvent {
        require(isEventId(eventId), "event_id: 1 to 128 visible ASCII characters");
        require(
                shortCode.isPresent() || !type.concernsOneLink(),
                "short_code: missing, and the event is about a link");
        require(epoch >= 0, "epoch: negative");
        require(version >= 0, "version: negative");
        require(hasLength(actor, LONGEST_ACTOR), "actor: 1 to 256 characters");
        require(
                reason.isEmpty() || hasLength(reason.get(), LONGEST_REASON),
                "reason: 1 to 500 characters");
        at = at.truncatedTo(ChronoUnit.MILLIS);
    }

    /**
     * A change that the table holds. Its id follows from the link's incarnation, the version and
     * the type: whoever derives it again, however late, derives the same event.
     */
    public static AuditEvent committed(
            AuditType type,
            ShortCode code,
            long epoch,
            long version,
            String actor,
            Optional<String> reason,
            Instant at,
            AuditDetail detail) {
        return new AuditEvent(
                "committed.%s.%s.%s.%s"
                        .formatted(
                                code.value(),
                                Long.toString(epoch),
                                Long.toString(version),
                                type.wireName()),
                type,
                AuditOutcome.COMMITTED,
                Optional.of(code),
                epoch,
                version,
                actor,
                reason,
                at,
                detail);
    }

    /**
     * The outcome of one attempt upon a link.
     *
     * @param eventId random, one for each attempt, and not of the form of a committed change's
     */
    public static AuditEvent attempt(
            String eventId,
            AuditType type,
            AuditOutcome outcome,
            ShortCode code,
            long epoch,
            long version,
            String actor,
            Optional<String> reason,
            Instant at,
            AuditDetail detail) {
        return new AuditEvent(
                eventId,
                type,
                outcome,
                Optional.of(code),
                epoch,
                version,
                actor,
                reason,
                at,
                detail);
    }

    /**
     * The outcome of something that is not about exactly one link: a block, or a stream record
     * whose key is no code. What it is about stands in the detail.
     *
     * @param eventId random, or whatever tells it from all others; a parked record's sequence
     *     number lets a replay be the same event
     */
    public static AuditEvent withoutLink(
            String eventId,
            AuditType type,
            AuditOutcome outcome,
            String actor,
            Optional<String> reason,
            Instant at,
            AuditDetail detail) {
        return new AuditEvent(
                eventId, type, outcome, Optional.empty(), 0, 0, actor, reason, at, detail);
    }

    /** Whether {@code text} may be an event's id. */
    public static boolean isEventId(String text) {
        return ID.matcher(text).matches();
    }

    private static boolean hasLength(String text, int most) {
        return !text.isEmpty() && text.codePointCount(0, text.length()) <= most;
    }

    private static void require(boolean condition, String message) {
        if (!condition) {
            throw new IllegalArgumentException(message);
        }
    }
}
