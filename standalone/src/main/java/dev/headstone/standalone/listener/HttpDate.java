package dev.headstone.standalone.listener;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** The {@code Date} of answers, written once a second. Belongs to one event loop. */
final class HttpDate {
    private static final DateTimeFormatter FORM =
            DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH)
                    .withZone(ZoneOffset.UTC);

    private long second = Long.MIN_VALUE;
    private String text = "";

    /** As RFC 9110 wants it. */
    String at(Instant now) {
        if (now.getEpochSecond() != second) {
            second = now.getEpochSecond();
            text = FORM.format(now);
        }
        return text;
    }
}
