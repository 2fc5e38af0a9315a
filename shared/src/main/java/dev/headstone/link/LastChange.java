package dev.headstone.link;

import java.time.Instant;
import java.util.Optional;

/**
 * Who made the present version of a link.
 *
 * @param at when, to the millisecond
 * @param by the authenticated actor
 * @param reason what the actor gave as reason, if one was asked for
 * @param id the request that did it; a repeated request finds its own change by it
 * @param trace the id of the trace that the request belonged to, if it is known
 */
public record LastChange(
        Instant at, String by, Optional<String> reason, String id, Optional<String> trace) {
    /** A change whose request nobody traced. */
    public LastChange(Instant at, String by, Optional<String> reason, String id) {
        this(at, by, reason, id, Optional.empty());
    }
}
