package dev.headstone.auditlog;

import java.util.Optional;

/** What became of an event that was offered to the log. */
public sealed interface Appended {
    /** It is in the log now. */
    record Written(LogEntry.Event event) implements Appended {}

    /** It was there already, with the same content. */
    record AlreadyWritten(LogEntry.Place place) implements Appended {}

    /** Its id is there already with other content, which stays. */
    record Conflicting(LogEntry.Place place) implements Appended {}

    /** The log cannot hold an entry of that size, now or later. */
    record TooLarge(int bytes) implements Appended {}

    /** Nobody knows whether it is in the log; offering it again is safe. */
    record Failed(Exception cause) implements Appended {}

    /**
     * The outcome for an id that the log has already.
     *
     * @param stored the text under that id, if it is still there
     */
    static Appended repeated(ReceivedEvent event, LogEntry.Marker marker, Optional<String> stored) {
        LogEntry.Place place = new LogEntry.Place(marker.chain(), marker.seq());
        boolean same =
                ChainHash.sha256(event.body()).equals(marker.bodyHash())
                        || stored.filter(event::saysTheSameAs).isPresent();
        return same ? new AlreadyWritten(place) : new Conflicting(place);
    }
}
