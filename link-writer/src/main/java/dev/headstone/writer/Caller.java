package dev.headstone.writer;

import dev.headstone.audit.AuditEvent;
import dev.headstone.link.Link;

/**
 * Who makes a request: always from the authentication, never from what the request says.
 *
 * @param name the actor in receipts and in the audit log, 1 to 256 characters
 */
public record Caller(String name, Role role) {
    /**
     * @throws IllegalArgumentException if the name is empty or longer than the audit log takes
     */
    public Caller {
        if (name.isEmpty() || name.length() > AuditEvent.LONGEST_ACTOR) {
            throw new IllegalArgumentException("a caller's name has 1 to 256 characters");
        }
    }

    boolean mayCreate() {
        return role != Role.READER;
    }

    boolean isOperator() {
        return role == Role.OPERATOR;
    }

    /** Whether the caller may change {@code link}, short of what only operators may. */
    boolean mayChange(Link link) {
        return isOperator() || owns(link);
    }

    /** A dead link's destination is shown only to who could have ended it. */
    boolean maySeeDestinationOfDead(Link link) {
        return mayChange(link);
    }

    private boolean owns(Link link) {
        return role == Role.OWNER && link.owner().filter(name::equals).isPresent();
    }
}
