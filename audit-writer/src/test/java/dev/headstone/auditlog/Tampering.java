package dev.headstone.auditlog;

import dev.headstone.auditlog.LogEntry.Place;

/** What nobody should do to a log, for those who must notice it. */
public interface Tampering {
    /** Puts an entry in its place, whatever is there. */
    void put(LogEntry entry);

    /** Removes an event and leaves its marker. */
    void remove(Place place);

    /** Removes the marker of an event and leaves the event. */
    void removeMarker(String eventId);
}
