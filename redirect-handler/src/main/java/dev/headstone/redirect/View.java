package dev.headstone.redirect;

import java.util.Locale;
import java.util.Map;

/** What a link can show of itself instead of leading on. None of it is a visit. */
public enum View {
    /** The page that says where the link leads. */
    PREVIEW("text/html; charset=utf-8", Outcome.PREVIEW),
    /** The short URL as a QR code, drawn. */
    QR_SVG("image/svg+xml", Outcome.QR),
    /** The same as pixels. */
    QR_PNG("image/png", Outcome.QR);

    private final String type;
    private final Outcome outcome;

    View(String type, Outcome outcome) {
        this.type = type;
        this.outcome = outcome;
    }

    /** Its media type. */
    String type() {
        return type;
    }

    /** What every answer with it says of itself. */
    Map<String, String> headers() {
        return switch (this) {
            case PREVIEW -> PreviewPage.HEADERS;
            case QR_SVG, QR_PNG -> QrCode.HEADERS;
        };
    }

    /** As the metrics of answers say it. */
    Outcome outcome() {
        return outcome;
    }

    /** Whether it shows the short URL, which somebody has to know then. */
    boolean needsShortUrl() {
        return this != PREVIEW;
    }

    /** The name that keys and metrics have for it. */
    String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
