package dev.headstone.auditlog;

import dev.headstone.auditlog.LogEntry.Event;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A place in the order in which the log was written: {@code 2026-11-30T12:00:00.123Z#abc#} and the
 * sequence number in 19 digits, compared as text. A time alone lies before everything that was
 * recorded in its millisecond.
 */
public record TimeKey(String text) implements Comparable<TimeKey> {
    private static final DateTimeFormatter MILLISECONDS =
            new DateTimeFormatterBuilder().appendInstant(3).toFormatter(Locale.ROOT);
    private static final Pattern FORM =
            Pattern.compile(
                    "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z#[:A-Za-z0-9_-]{1,33}#\\d{19}");
    private static final Instant END = Instant.parse("+10000-01-01T00:00:00Z");
    private static final Instant BEGINNING = Instant.parse("0000-01-01T00:00:00Z");

    /** Before everything. */
    public static final TimeKey START = from(BEGINNING);

    /** Where {@code event} stands. */
    public static TimeKey of(Event event) {
        return new TimeKey(
                "%s#%s#%s"
                        .formatted(
                                text(event.recordedAt()),
                                event.chain(),
                                nineteenDigits(event.seq())));
    }

    /**
     * Just before what was recorded at {@code instant}.
     *
     * @throws IllegalArgumentException if its year has not four digits
     */
    public static TimeKey from(Instant instant) {
        if (instant.isBefore(BEGINNING) || !instant.isBefore(END)) {
            throw new IllegalArgumentException("a time outside the years 0000 to 9999");
        }
        return new TimeKey(text(instant));
    }

    /** The place of an event that {@code text} spells, or empty. */
    static Optional<TimeKey> parse(String text) {
        if (!FORM.matcher(text).matches()) {
            return Optional.empty();
        }
        try {
            LocalDate.parse(text.substring(0, 10));
            return Optional.of(new TimeKey(text));
        } catch (DateTimeParseException noDay) {
            return Optional.empty();
        }
    }

    /** The UTC day, as {@code 2026-11-30}. */
    String day() {
        return text.substring(0, 10);
    }

    /** The UTC day in days since 1970-01-01. */
    long epochDay() {
        return LocalDate.parse(day()).toEpochDay();
    }

    /** Just before everything of {@code epochDay}. */
    static TimeKey ofDay(long epochDay) {
        return from(LocalDate.ofEpochDay(epochDay).atStartOfDay(ZoneOffset.UTC).toInstant());
    }

    /** RFC 3339 in UTC with milliseconds. */
    static String text(Instant instant) {
        return MILLISECONDS.format(instant.truncatedTo(ChronoUnit.MILLIS));
    }

    private static String nineteenDigits(long number) {
        String digits = Long.toString(number);
        return "0".repeat(19 - digits.length()) + digits;
    }

    @Override
    public int compareTo(TimeKey other) {
        return text.compareTo(other.text);
    }
}
