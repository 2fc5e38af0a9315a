package dev.headstone.standalone.source;

import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;

/**
 * One stream record, ready to be sent.
 *
 * @param createdAt when the table took the change, as exactly as the stream says
 * @param json the record as it stands in the {@code Records} of an event
 */
record StreamEntry(String sequenceNumber, Instant createdAt, String json) {
    /** The event that carries these records. */
    static String event(List<StreamEntry> entries) {
        return entries.stream()
                .map(StreamEntry::json)
                .collect(Collectors.joining(",", "{\"Records\":[", "]}"));
    }
}
