package dev.headstone.auditlog;

import dev.headstone.auditlog.LogEntry.Event;
import dev.headstone.auditlog.LogEntry.Marker;
import dev.headstone.auditlog.LogEntry.Place;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The log of what happened to links: it grows, and nothing in it changes. Each link has a chain of
 * its own, and so has what is about no one link.
 *
 * <p>Implementations may be called from any thread, and several processes may write at once. Each
 * call of the store has a deadline. A write that fails is an outcome; reading methods throw {@link
 * AuditLogUnavailable} when the store cannot be read.
 */
public interface AuditLog {
    /** Most entries that {@link #present} and {@link #markers} are asked for at once. */
    int MOST_AT_ONCE = 100;

    /** Puts an event at the end of its chain, once. */
    Appended append(ReceivedEvent event);

    /**
     * A chain in its order, read consistently.
     *
     * @param after the sequence number after which to begin; 0 for the beginning
     * @param since leaves out what was recorded earlier
     * @param limit most events, from 1
     */
    Slice chain(String chain, long after, Optional<Instant> since, int limit);

    /**
     * All chains in the order in which they were recorded. May miss what was written in the last
     * seconds.
     *
     * @param after where to begin, exclusive
     * @param limit most events, from 1
     */
    Slice recorded(TimeKey after, int limit);

    /**
     * Hands every entry to {@code each}, the events of a chain in their order; what is written
     * meanwhile may be among them or not.
     *
     * @param chain restricts the sweep to the events and markers of one chain
     */
    void sweep(Optional<String> chain, Consumer<LogEntry> each);

    /** Which of 1 to {@value #MOST_AT_ONCE} places hold an event, read consistently. */
    Set<Place> present(Set<Place> places);

    /** The markers that exist for 1 to {@value #MOST_AT_ONCE} event ids, read consistently. */
    Map<String, Marker> markers(Set<String> eventIds);

    /** The sequence number of the last event of a chain, 0 if there is none, read consistently. */
    long lastSeq(String chain);

    /**
     * Some events, in order.
     *
     * @param more whether others follow; a slice may end before its limit when it grows large
     */
    record Slice(List<Event> events, boolean more) {}
}
