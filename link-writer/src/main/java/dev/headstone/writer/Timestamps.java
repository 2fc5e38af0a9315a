package dev.headstone.writer;

import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.Locale;

/** Times as answers write them: RFC 3339, UTC, always three digits after the second. */
final class Timestamps {
    private static final DateTimeFormatter MILLISECONDS =
            new DateTimeFormatterBuilder().appendInstant(3).toFormatter(Locale.ROOT);

    private Timestamps() {}

    static String text(Instant instant) {
        return MILLISECONDS.format(instant);
    }
}
