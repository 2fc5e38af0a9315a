package dev.headstone.dynamodb.storage;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A range of keys in their unsigned order: from one key, inclusive, to another, exclusive. */
public final class KeyRange {
    /** All keys. */
    public static final KeyRange ALL = new KeyRange(new byte[0], null);

    private final byte[] from;
    private final byte @Nullable [] to;

    private KeyRange(byte[] from, byte @Nullable [] to) {
        this.from = from;
        this.to = to;
    }

    /** The keys from {@code from}, inclusive. */
    public static KeyRange from(byte[] from) {
        return new KeyRange(from, null);
    }

    /** The keys from {@code from}, inclusive, to {@code to}, exclusive. */
    public static KeyRange between(byte[] from, byte[] to) {
        return new KeyRange(from, to);
    }

    /** The keys that start with {@code prefix}. */
    public static KeyRange startingWith(byte[] prefix) {
        return new KeyRange(prefix, behindAllWith(prefix));
    }

    /** The part of this range that is also in {@code other}. */
    public KeyRange and(KeyRange other) {
        byte[] later = Arrays.compareUnsigned(from, other.from) >= 0 ? from : other.from;
        byte[] mine = to;
        byte[] others = other.to;
        if (mine == null || others == null) {
            return new KeyRange(later, mine == null ? others : mine);
        }
        return new KeyRange(later, Arrays.compareUnsigned(mine, others) <= 0 ? mine : others);
    }

    /** The part of this range that lies behind {@code key}. */
    public KeyRange after(byte[] key) {
        return and(from(next(key)));
    }

    /** The part of this range that lies before {@code key}. */
    public KeyRange before(byte[] key) {
        return and(new KeyRange(new byte[0], key));
    }

    /** The part of this range that lies before the end of {@code other}. */
    public KeyRange andUpTo(KeyRange other) {
        return and(new KeyRange(new byte[0], other.to));
    }

    /** The keys behind all of {@code other}. */
    public static KeyRange behind(KeyRange other) {
        byte[] end = other.to;
        return end == null ? between(new byte[0], new byte[0]) : from(end);
    }

    /** The first key behind {@code key}. */
    public static byte[] next(byte[] key) {
        return Arrays.copyOf(key, key.length + 1);
    }

    /** The first key behind all that start with {@code prefix}; null if there is none. */
    public static byte @Nullable [] behindAllWith(byte[] prefix) {
        for (int last = prefix.length - 1; last >= 0; last--) {
            if (prefix[last] != (byte) 0xFF) {
                byte[] behind = Arrays.copyOf(prefix, last + 1);
                behind[last]++;
                return behind;
            }
        }
        return null;
    }

    byte[] from() {
        return from;
    }

    byte @Nullable [] to() {
        return to;
    }

    /** Whether {@code key} is in this range. */
    public boolean contains(byte[] key) {
        return Arrays.compareUnsigned(key, from) >= 0
                && (to == null || Arrays.compareUnsigned(key, to) < 0);
    }
}
