package dev.headstone.audit;

/**
 * The way to the audit log. Events of one link arrive in the order in which they were accepted;
 * several copies of one event may arrive, the log keeps one.
 *
 * <p>Implementations may be called from any thread.
 */
@FunctionalInterface
public interface AuditQueue {
    /**
     * Offers an event, once. Returns within the implementation's own deadline; a queue that cannot
     * be reached, refuses or is slow is an outcome, never an exception.
     */
    Acceptance send(AuditEvent event);
}
