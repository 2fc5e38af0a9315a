package dev.headstone.writer;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.regex.Pattern;

/** Times as requests write them. */
final class Rfc3339 {
    /** Lower-case t and z are allowed, since RFC 3339 (section 5.6) does. */
    private static final Pattern FORM =
            Pattern.compile(
                    "[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}(?:\\.[0-9]{1,9})?"
                            + "(?:[Zz]|[+-][0-9]{2}:[0-9]{2})");

    private Rfc3339() {}

    /**
     * The instant that a time with an offset names, cut to whole milliseconds; empty if it has no
     * offset or is none. Leap seconds are none, as no clock of ours has them; offsets go up to 18
     * hours, as those of the JDK do.
     */
    static Optional<Instant> parse(String text) {
        if (!FORM.matcher(text).matches()) {
            return Optional.empty();
        }
        try {
            return Optional.of(
                    OffsetDateTime.parse(text, DateTimeFormatter.ISO_OFFSET_DATE_TIME)
                            .toInstant()
                            .truncatedTo(ChronoUnit.MILLIS));
        } catch (DateTimeException e) {
            return Optional.empty(); // right in form, but no such day, hour or offset
        }
    }
}
