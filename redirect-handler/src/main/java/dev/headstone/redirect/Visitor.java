package dev.headstone.redirect;

import java.util.Locale;

/**
 * What a request's headers say of who sent it; an absent header is an empty text.
 *
 * @param userAgent {@code User-Agent}
 * @param secPurpose {@code Sec-Purpose}, by which browsers announce a prefetch
 * @param purpose {@code Purpose}, the older name of it
 * @param xMoz {@code X-Moz}, Firefox's own
 */
public record Visitor(String userAgent, String secPurpose, String purpose, String xMoz) {
    /** A request without any of these headers. */
    public static final Visitor UNKNOWN = new Visitor("", "", "", "");

    /** Whether a browser asks in advance: nobody may ever look at the answer. */
    boolean asksInAdvance() {
        return announces(secPurpose) || announces(purpose) || announces(xMoz);
    }

    private static boolean announces(String header) {
        if (header.isEmpty()) {
            return false;
        }
        String said = header.toLowerCase(Locale.ROOT);
        return said.contains("prefetch") || said.contains("prerender") || said.contains("preview");
    }
}
