package dev.headstone.redirect;

import java.util.Locale;

/** What a click got, as the metrics say it. */
enum Outcome {
    /** The destination. */
    REDIRECT,
    /** A dead link's answer. */
    GONE,
    /** The answer of a link whose time is over. */
    EXPIRED,
    /** There is no such link. */
    UNKNOWN,
    /** There is a limited link, and it was kept from a program that only looked. */
    WITHHELD,
    /** The page that says where the link leads. */
    PREVIEW,
    /** The QR code of the link. */
    QR,
    /** Nobody could say. */
    FAILED,
    /** Too many clicks waited already. */
    SHED;

    /** The metrics' name for it. */
    String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
