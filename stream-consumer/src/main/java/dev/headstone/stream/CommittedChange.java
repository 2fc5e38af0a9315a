package dev.headstone.stream;

import dev.headstone.audit.AuditDetail;
import dev.headstone.audit.AuditEvent;
import dev.headstone.audit.AuditType;
import dev.headstone.link.Cause;
import dev.headstone.link.LastChange;
import dev.headstone.link.Link;
import dev.headstone.link.Standing.Alive;
import dev.headstone.link.Standing.Dead;
import java.time.Instant;
import java.util.Optional;

/**
 * What a change of an item means to the audit log. The event's id follows from code, epoch, version
 * and type, so that a record that is delivered again sends the same event.
 */
final class CommittedChange {
    /** The actor of what the table's own expiry does. */
    private static final String SERVICE = "dynamodb";

    /** The actor of a removal that nobody of ours does. */
    private static final String UNKNOWN = "unknown";

    private CommittedChange() {}

    /** The event of {@code change}, or empty if its images do not tell what it was. */
    static Optional<AuditEvent> eventOf(StreamEntry.Change change) {
        return switch (change.operation()) {
            case INSERT -> change.after().map(link -> event(AuditType.LINK_CREATED, link));
            case MODIFY -> change.after().map(link -> event(type(change.before(), link), link));
            case REMOVE -> change.before().map(link -> purged(link, change));
        };
    }

    private static AuditType type(Optional<Link> before, Link after) {
        return switch (after.standing()) {
            case Dead(Cause cause, Instant _) -> death(cause);
            case Alive _ -> before.map(CommittedChange::revival).orElse(AuditType.LINK_CHANGED);
        };
    }

    private static AuditType death(Cause cause) {
        return switch (cause) {
            case TAKEDOWN -> AuditType.LINK_TAKEN_DOWN;
            case DEACTIVATED -> AuditType.LINK_DEACTIVATED;
            case EXHAUSTED -> AuditType.LINK_EXHAUSTED;
        };
    }

    /**
     * What it is that a link lives again: what its owner switched off, or what was ended for it.
     */
    private static AuditType revival(Link before) {
        return switch (before.standing()) {
            case Alive _ -> AuditType.LINK_CHANGED;
            case Dead(Cause cause, Instant _) ->
                    switch (cause) {
                        case DEACTIVATED -> AuditType.LINK_REACTIVATED;
                        case TAKEDOWN, EXHAUSTED -> AuditType.LINK_RESTORED;
                    };
        };
    }

    private static AuditEvent event(AuditType type, Link link) {
        LastChange change = link.lastChange();
        return AuditEvent.committed(
                type,
                link.code(),
                link.epoch(),
                link.version(),
                bounded(change.by(), AuditEvent.LONGEST_ACTOR).orElse(UNKNOWN),
                change.reason().flatMap(text -> bounded(text, AuditEvent.LONGEST_REASON)),
                change.at(),
                change.trace()
                        .map(id -> AuditDetail.none().with("trace_id", id))
                        .orElse(AuditDetail.none()));
    }

    private static AuditEvent purged(Link last, StreamEntry.Change change) {
        return AuditEvent.committed(
                AuditType.LINK_PURGED,
                last.code(),
                last.epoch(),
                last.version(),
                change.byService() ? SERVICE : UNKNOWN,
                Optional.empty(),
                change.at(),
                AuditDetail.none());
    }

    /** What somebody wrote into the table past us must not make an event that nobody accepts. */
    private static Optional<String> bounded(String text, int most) {
        return text.isEmpty()
                ? Optional.empty()
                : Optional.of(text.substring(0, endOf(text, most)));
    }

    /**
     * Where {@code text} ends, or its first {@code most} characters (code points) if it has more.
     */
    private static int endOf(String text, int most) {
        return text.codePointCount(0, text.length()) <= most
                ? text.length()
                : text.offsetByCodePoints(0, most);
    }
}
