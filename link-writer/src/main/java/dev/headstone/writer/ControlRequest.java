package dev.headstone.writer;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A request to the control API, whichever way it came.
 *
 * <p>Names of headers do not depend on case; a header that was sent several times has its values
 * joined by commas. Treated as immutable: nobody writes into the body.
 */
public final class ControlRequest {
    private final String method;
    private final String path;
    private final Map<String, String> headers;
    private final byte[] body;

    /**
     * @param method as sent, upper case for what HTTP defines
     * @param path as sent, without query, percent escapes left as they are
     * @param body empty if there is none; of a body that is too large, one byte more than is
     *     allowed will do
     */
    public ControlRequest(String method, String path, Map<String, String> headers, byte[] body) {
        this.method = method;
        this.path = path;
        this.headers = new TreeMap<>();
        headers.forEach((name, value) -> this.headers.put(name.toLowerCase(Locale.ROOT), value));
        this.body = body.clone();
    }

    /** As sent. */
    public String method() {
        return method;
    }

    /** As sent, without query. */
    public String path() {
        return path;
    }

    /** The header's value, or its values joined by commas. */
    public Optional<String> header(String name) {
        return Optional.ofNullable(headers.get(name.toLowerCase(Locale.ROOT)));
    }

    byte[] body() {
        return body.clone();
    }
}
