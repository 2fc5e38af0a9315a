package dev.headstone.auditlog;

import java.util.Optional;

/**
 * A question for a page of the log, as its parameters were sent.
 *
 * @param code a link's code, or {@code :host} and the like; without one, all links
 * @param since RFC 3339 with offset: what was recorded then or later
 * @param limit 1 to {@value AuditReader#MOST_EVENTS}, by default {@value AuditReader#USUAL_EVENTS}
 * @param cursor from the page before
 */
public record AuditQuery(
        Optional<String> code,
        Optional<String> since,
        Optional<String> limit,
        Optional<String> cursor) {}
