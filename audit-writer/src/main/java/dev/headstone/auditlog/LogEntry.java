package dev.headstone.auditlog;

import java.time.Instant;

/** What the log consists of. Entries are put once and never changed or removed. */
public sealed interface LogEntry {
    /**
     * An event in its place.
     *
     * @param seq 1 for the first event of a chain, then without gaps
     * @param body the text as it was received
     * @param prevHash the predecessor's hash, or 64 zeros
     * @param hash over {@code prevHash}, {@code seq} and {@code body}
     * @param recordedAt when it was written, by the writer's clock, to the millisecond
     */
    record Event(
            String chain, long seq, String body, String prevHash, String hash, Instant recordedAt)
            implements LogEntry {}

    /**
     * What is left of an event's id: the same id is recognised for ever, and an event that was cut
     * off is missed.
     *
     * @param bodyHash SHA-256 of the event's body
     */
    record Marker(String eventId, String chain, long seq, String bodyHash) implements LogEntry {}

    /** Where an event stands. */
    record Place(String chain, long seq) {}
}
