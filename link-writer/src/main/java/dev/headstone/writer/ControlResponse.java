package dev.headstone.writer;

import java.util.Map;
import java.util.TreeMap;

/**
 * An answer of the control API. Immutable.
 *
 * @param headers by their usual names; what every answer carries included
 */
public record ControlResponse(int status, Map<String, String> headers, String body) {
    /** What every answer carries: nobody keeps it, frames it, or takes it for something else. */
    private static final Map<String, String> ALWAYS =
            Map.of(
                    "Cache-Control", "no-store",
                    "Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'",
                    "Cross-Origin-Resource-Policy", "same-origin",
                    "Referrer-Policy", "no-referrer",
                    "X-Content-Type-Options", "nosniff",
                    "X-Frame-Options", "DENY");

    /** Keeps a copy of the headers. */
    public ControlResponse {
        headers = Map.copyOf(headers);
    }

    /** An answer of any type. */
    public static ControlResponse of(int status, String contentType, String body) {
        Map<String, String> headers = new TreeMap<>(ALWAYS);
        headers.put("Content-Type", contentType);
        return new ControlResponse(status, headers, body);
    }

    /** An answer in JSON. */
    public static ControlResponse json(int status, String body) {
        return of(status, "application/json", body);
    }

    /** The same answer with one header more, or with another value of it. */
    public ControlResponse with(String name, String value) {
        Map<String, String> more = new TreeMap<>(headers);
        more.put(name, value);
        return new ControlResponse(status, more, body);
    }
}
