package dev.headstone.link;

import java.util.Optional;

/**
 * The part of a short URL after the host: 3 to 32 characters of {@code [0-9A-Za-z_-]},
 * case-sensitive and never rewritten.
 */
public record ShortCode(String value) implements Comparable<ShortCode> {
    /** Fewest characters of a code. */
    public static final int SHORTEST = 3;

    /** Most characters of a code. */
    public static final int LONGEST = 32;

    /**
     * @throws IllegalArgumentException if {@code value} has not the form of a code
     */
    public ShortCode {
        if (!hasForm(value)) {
            throw new IllegalArgumentException(
                    "a short code is 3 to 32 characters of [A-Za-z0-9_-]");
        }
    }

    /** The code that {@code text} spells, or empty if it spells none. */
    public static Optional<ShortCode> parse(String text) {
        return hasForm(text) ? Optional.of(new ShortCode(text)) : Optional.empty();
    }

    /** Whether {@code text} has the form of a code. No regular expression: every click asks. */
    public static boolean hasForm(String text) {
        int length = text.length();
        if (length < SHORTEST || length > LONGEST) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (!allowed(text.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    private static boolean allowed(char c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || c == '-'
                || c == '_';
    }

    @Override
    public int compareTo(ShortCode other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
