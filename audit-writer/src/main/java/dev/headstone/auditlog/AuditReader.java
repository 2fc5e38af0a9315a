package dev.headstone.auditlog;

import dev.headstone.auditlog.AuditAnswer.Found;
import dev.headstone.auditlog.AuditAnswer.Rejected;
import dev.headstone.auditlog.AuditAnswer.Unavailable;
import dev.headstone.auditlog.AuditLog.Slice;
import dev.headstone.auditlog.LogEntry.Event;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;

/** Answers questions about the log. Thread-safe. */
public final class AuditReader {
    /** Most events of a page. */
    public static final int MOST_EVENTS = 1_000;

    /** Events of a page if nobody says otherwise. */
    public static final int USUAL_EVENTS = 100;

    private static final Pattern SMALL_NUMBER = Pattern.compile("[0-9]{1,4}");

    private final AuditLog log;
    private final LogVerifier verifier;

    /** A reader of {@code log}. */
    public AuditReader(AuditLog log) {
        this.log = log;
        verifier = new LogVerifier(log);
    }

    /**
     * A page of events, oldest first: {@code {"events": […], "cursor"?}}. With a code in the order
     * of its chain and up to date; without one in the order of recording, which may lack the last
     * seconds. There is a cursor exactly if there are more; a page of very long events may be
     * shorter than its limit.
     */
    public AuditAnswer page(AuditQuery query) {
        try {
            return Request.of(query).page(log);
        } catch (BadParameter bad) {
            return new Rejected(bad.field, bad.problem);
        } catch (AuditLogUnavailable unavailable) {
            return new Unavailable(unavailable);
        }
    }

    /**
     * Verifies the whole log or one chain: {@code {"ok", "links", "events", "faults"}}.
     *
     * @param code a link's code, or {@code :host} and the like
     */
    public AuditAnswer verify(Optional<String> code) {
        if (code.isPresent() && !Chains.isName(code.get())) {
            return new Rejected("code", "not the form of a code");
        }
        try {
            return new Found(verifier.verify(code).toJson());
        } catch (AuditLogUnavailable unavailable) {
            return new Unavailable(unavailable);
        }
    }

    /** A query whose parameters have been read. */
    private record Request(
            Optional<String> chain, Optional<Instant> since, int limit, Optional<String> cursor) {

        static Request of(AuditQuery query) throws BadParameter {
            Optional<String> chain = query.code();
            if (chain.isPresent() && !Chains.isName(chain.get())) {
                throw new BadParameter("code", "not the form of a code");
            }
            return new Request(
                    chain,
                    query.since().isPresent()
                            ? Optional.of(since(query.since().get()))
                            : Optional.empty(),
                    query.limit().isPresent() ? limit(query.limit().get()) : USUAL_EVENTS,
                    query.cursor());
        }

        private static Instant since(String text) throws BadParameter {
            try {
                Instant since = Instant.parse(text);
                TimeKey.from(since);
                return since;
            } catch (DateTimeParseException | IllegalArgumentException malformed) {
                throw new BadParameter("since", "not an RFC 3339 time with offset");
            }
        }

        private static int limit(String text) throws BadParameter {
            int limit = SMALL_NUMBER.matcher(text).matches() ? Integer.parseInt(text) : 0;
            if (limit < 1 || limit > MOST_EVENTS) {
                throw new BadParameter("limit", "not a number from 1 to " + MOST_EVENTS);
            }
            return limit;
        }

        Found page(AuditLog log) throws BadParameter {
            return chain.isPresent() ? pageOfChain(log, chain.get()) : pageOfAll(log);
        }

        private Found pageOfChain(AuditLog log, String name) throws BadParameter {
            long after = read(cursor, text -> Cursor.inChain(text, name)).orElse(0L);
            return found(log.chain(name, after, since, limit), Cursor::inChain);
        }

        private Found pageOfAll(AuditLog log) throws BadParameter {
            TimeKey start = since.map(TimeKey::from).orElse(TimeKey.START);
            TimeKey after = read(cursor, Cursor::inTime).orElse(start);
            return found(
                    log.recorded(after.compareTo(start) > 0 ? after : start, limit),
                    Cursor::inTime);
        }

        private static <T> Optional<T> read(
                Optional<String> cursor, Function<String, Optional<T>> reading)
                throws BadParameter {
            Optional<T> place = cursor.flatMap(reading);
            if (cursor.isPresent() && place.isEmpty()) {
                throw new BadParameter("cursor", "not a cursor of this list");
            }
            return place;
        }

        private static Found found(Slice slice, Function<Event, String> cursor) {
            Optional<String> next =
                    slice.more()
                            ? Optional.of(slice.events().getLast()).map(cursor)
                            : Optional.empty();
            return new Found(EventJson.page(slice, next));
        }
    }

    /** Ends the reading of a query at the first parameter that is wrong. */
    private static final class BadParameter extends Exception {
        private static final long serialVersionUID = 1;

        private final String field;
        private final String problem;

        BadParameter(String field, String problem) {
            super(field + ": " + problem);
            this.field = field;
            this.problem = problem;
        }
    }
}
