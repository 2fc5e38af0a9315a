package dev.headstone.link;

import java.util.Comparator;
import java.util.Optional;

/**
 * The total order of everything that may lie in the cache under one code: first the epoch (which
 * incarnation of the code), then the version, and between equal versions the tombstone wins.
 *
 * <p>Its text has a fixed width, so that text order is stamp order; Lua's numbers fail above 2^53.
 *
 * @param epoch creation of the incarnation, epoch milliseconds, at most 13 digits
 * @param version version of the item, not negative
 * @param deleted whether it is a tombstone's
 */
public record Stamp(long epoch, long version, boolean deleted) implements Comparable<Stamp> {
    private static final int EPOCH_DIGITS = 13;
    private static final int VERSION_DIGITS = 19;
    private static final int LENGTH = EPOCH_DIGITS + 1 + VERSION_DIGITS + 2;
    private static final long LARGEST_EPOCH = 9_999_999_999_999L;
    private static final Comparator<Stamp> ORDER =
            Comparator.comparingLong(Stamp::epoch)
                    .thenComparingLong(Stamp::version)
                    .thenComparing(Stamp::deleted);

    /**
     * @throws IllegalArgumentException if a number does not fit its digits
     */
    public Stamp {
        if (epoch < 0 || epoch > LARGEST_EPOCH) {
            throw new IllegalArgumentException("epoch must have at most 13 digits: " + epoch);
        }
        if (version < 0) {
            throw new IllegalArgumentException("version must not be negative: " + version);
        }
    }

    /** The stamp that {@code text} spells, or empty if it is not of exactly that form. */
    public static Optional<Stamp> parse(String text) {
        if (text.length() != LENGTH
                || text.charAt(EPOCH_DIGITS) != '.'
                || text.charAt(LENGTH - 2) != '.') {
            return Optional.empty();
        }
        char last = text.charAt(LENGTH - 1);
        long epoch = digits(text, 0, EPOCH_DIGITS);
        long version = digits(text, EPOCH_DIGITS + 1, LENGTH - 2);
        if (epoch < 0 || version < 0 || (last != '0' && last != '1')) {
            return Optional.empty();
        }
        return Optional.of(new Stamp(epoch, version, last == '1'));
    }

    /** The number in {@code text[from, to)}, or a negative one if it is none or exceeds a long. */
    private static long digits(String text, int from, int to) {
        long number = 0;
        for (int i = from; i < to; i++) {
            int digit = text.charAt(i) - '0';
            if (digit < 0 || digit > 9 || number > (Long.MAX_VALUE - digit) / 10) {
                return -1;
            }
            number = number * 10 + digit;
        }
        return number;
    }

    /** The fixed-width text, 35 characters. */
    public String text() {
        StringBuilder text = new StringBuilder(LENGTH);
        pad(text, epoch, EPOCH_DIGITS);
        text.append('.');
        pad(text, version, VERSION_DIGITS);
        return text.append(deleted ? ".1" : ".0").toString();
    }

    private static void pad(StringBuilder text, long number, int width) {
        String digits = Long.toString(number);
        text.repeat('0', width - digits.length()).append(digits);
    }

    /** Whether this one wins over {@code other}. */
    public boolean isNewerThan(Stamp other) {
        return compareTo(other) > 0;
    }

    @Override
    public int compareTo(Stamp other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return text();
    }
}
