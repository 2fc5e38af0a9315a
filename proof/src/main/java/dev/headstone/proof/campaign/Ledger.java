package dev.headstone.proof.campaign;

import dev.headstone.audit.AuditEvent;
import dev.headstone.audit.AuditOutcome;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What the audit queue of one trial has: of several copies of one event, one, as the log keeps it.
 * Safe for use by several threads.
 */
final class Ledger {
    private final Map<String, AuditEvent> events = new LinkedHashMap<>();
    private final List<String> forks = new ArrayList<>();

    synchronized void store(AuditEvent event) {
        AuditEvent first = events.putIfAbsent(event.eventId(), event);
        if (first != null && !first.equals(event)) {
            forks.add(event.eventId());
        }
    }

    /** What is wrong, at the end: each committed change has its event, and no event lies. */
    synchronized Optional<String> fault(List<String> committed) {
        if (!forks.isEmpty()) {
            return Optional.of("two events have the id " + forks.getFirst());
        }
        for (String id : committed) {
            if (!events.containsKey(id)) {
                return Optional.of("no event " + id);
            }
        }
        Set<String> due = new HashSet<>(committed);
        return events.values().stream()
                .filter(event -> event.outcome() == AuditOutcome.COMMITTED)
                .map(AuditEvent::eventId)
                .filter(id -> !due.contains(id))
                .findFirst()
                .map(id -> "nothing was committed that is event " + id);
    }

    /** What is wrong with what one request stored, of which {@code outcome} was reported. */
    static Optional<String> faultOf(
            List<AuditEvent> stored, AuditOutcome outcome, Optional<String> reportedId) {
        Set<String> ids = new HashSet<>();
        for (AuditEvent event : stored) {
            if (event.outcome() == outcome) {
                ids.add(event.eventId());
            }
        }
        if (ids.size() != 1) {
            return Optional.of(
                    "%s was reported, and %d such events are in the queue"
                            .formatted(outcome.wireName(), ids.size()));
        }
        return reportedId
                .filter(id -> !ids.contains(id))
                .map(id -> "the receipt names an event that is not in the queue: " + id);
    }
}
