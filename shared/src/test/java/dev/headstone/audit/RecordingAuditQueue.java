package dev.headstone.audit;

import dev.headstone.link.ShortCode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * An {@link AuditQueue} in memory: keeps events in the order of acceptance, one for each id, and
 * can be made to fail. Safe for use by several threads.
 */
public final class RecordingAuditQueue implements AuditQueue {
    private final List<AuditEvent> events = new ArrayList<>();
    private final Set<String> ids = new HashSet<>();
    private Predicate<AuditEvent> lost = _ -> false;
    private Predicate<AuditEvent> unanswered = _ -> false;

    /** Nothing is accepted any more. */
    public synchronized void unreachable() {
        lost = _ -> true;
    }

    /** Nothing about these codes is accepted any more. */
    public synchronized void unreachableFor(ShortCode... codes) {
        lost = about(codes);
    }

    /** Everything is accepted, but the reply is lost: the sender must take it for a failure. */
    public synchronized void acceptsWithoutAnswering() {
        unanswered = _ -> true;
    }

    /** The same, for events about these codes. */
    public synchronized void acceptsWithoutAnsweringFor(ShortCode... codes) {
        unanswered = about(codes);
    }

    /** All is well again; what was accepted stays. */
    public synchronized void recovers() {
        lost = _ -> false;
        unanswered = _ -> false;
    }

    @Override
    public synchronized Acceptance send(AuditEvent event) {
        if (lost.test(event)) {
            return new Acceptance.NotAccepted(new IOException("the queue cannot be reached"));
        }
        if (ids.add(event.eventId())) {
            events.add(event);
        }
        return unanswered.test(event)
                ? new Acceptance.NotAccepted(new IOException("the queue's reply was lost"))
                : new Acceptance.Accepted();
    }

    /** What was accepted so far, in order. */
    public synchronized List<AuditEvent> events() {
        return List.copyOf(events);
    }

    /** What was accepted so far about {@code code}, in order. */
    public List<AuditEvent> eventsOf(ShortCode code) {
        return events().stream().filter(about(code)).toList();
    }

    private static Predicate<AuditEvent> about(ShortCode... codes) {
        Set<ShortCode> named = Set.of(codes);
        return event -> event.shortCode().filter(named::contains).isPresent();
    }
}
