package dev.headstone.auditlog;

import dev.headstone.auditlog.LogEntry.Event;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Where the next page begins; opaque to whoever carries it. */
final class Cursor {
    private static final int LONGEST = 256;
    private static final Pattern IN_CHAIN = Pattern.compile("chain (\\S{1,33}) (\\d{1,18})");
    private static final String IN_TIME = "time ";

    private Cursor() {}

    static String inChain(Event last) {
        return encode("chain %s %s".formatted(last.chain(), Long.toString(last.seq())));
    }

    static String inTime(Event last) {
        return encode(IN_TIME + TimeKey.of(last).text());
    }

    /** The sequence number after which to go on in {@code chain}, or empty if it is none of it. */
    static Optional<Long> inChain(String cursor, String chain) {
        return decode(cursor)
                .map(IN_CHAIN::matcher)
                .filter(Matcher::matches)
                .filter(place -> place.group(1).equals(chain))
                .map(place -> Long.parseLong(place.group(2)));
    }

    /** The place after which to go on in the whole log, or empty if it is none. */
    static Optional<TimeKey> inTime(String cursor) {
        return decode(cursor)
                .filter(text -> text.startsWith(IN_TIME))
                .flatMap(text -> TimeKey.parse(text.substring(IN_TIME.length())));
    }

    private static String encode(String place) {
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(place.getBytes(StandardCharsets.US_ASCII));
    }

    private static Optional<String> decode(String cursor) {
        if (cursor.length() > LONGEST) {
            return Optional.empty();
        }
        try {
            return Optional.of(
                    new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.US_ASCII));
        } catch (IllegalArgumentException notBase64) {
            return Optional.empty();
        }
    }
}
