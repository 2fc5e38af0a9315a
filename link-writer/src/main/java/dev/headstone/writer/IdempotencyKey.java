package dev.headstone.writer;

import java.util.regex.Pattern;

/** The value of an {@code Idempotency-Key} header: 1 to 255 visible ASCII characters. */
public record IdempotencyKey(String value) {
    /** The header's name. */
    public static final String HEADER = "Idempotency-Key";

    private static final Pattern FORM = Pattern.compile("[!-~]{1,255}");
    private static final String RULE =
            "An idempotency key must be 1 to 255 visible ASCII characters.";

    /**
     * @throws IllegalArgumentException if it has not that form
     */
    public IdempotencyKey {
        if (!FORM.matcher(value).matches()) {
            throw new IllegalArgumentException(RULE);
        }
    }

    /** Reads a header's value; it is valid or rejected, never too large. */
    public static Reading<IdempotencyKey> read(String header) {
        return FORM.matcher(header).matches()
                ? new Reading.Valid<>(new IdempotencyKey(header))
                : new Reading.Rejected<>(HEADER, RULE);
    }
}
