package dev.headstone.dynamodb.storage;

import java.util.Arrays;
import org.h2.mvstore.Cursor;
import org.h2.mvstore.RootReference;
import org.jspecify.annotations.Nullable;

/**
 * Walks over the entries of a range. Starts before the first one. Not thread-safe, and of use only
 * as long as the view it came from.
 */
public final class Entries {
    private final KeyRange range;
    private final @Nullable Cursor<byte[], byte[]> cursor;
    private byte[] key = new byte[0];
    private byte[] value = new byte[0];

    Entries(@Nullable RootReference<byte[], byte[]> root, KeyRange range, Direction direction) {
        this.range = range;
        boolean backward = direction == Direction.BACKWARD;
        this.cursor =
                root == null
                        ? null
                        : new Cursor<>(root, backward ? range.to() : range.from(), null, backward);
    }

    /**
     * Moves to the next entry.
     *
     * @return whether there is one
     */
    public boolean next() {
        if (cursor == null) {
            return false;
        }
        while (cursor.hasNext()) {
            byte[] candidate = cursor.next();
            if (range.contains(candidate)) {
                key = candidate;
                value = cursor.getValue();
                return true;
            }
            if (!isUpperEnd(candidate)) {
                return false;
            }
        }
        return false;
    }

    /** The key of the entry moved to. Not to be changed. */
    public byte[] key() {
        return key;
    }

    /** The value of the entry moved to. Not to be changed. */
    public byte[] value() {
        return value;
    }

    /** Walking backward, the first candidate may be the end itself, which is not in the range. */
    private boolean isUpperEnd(byte[] candidate) {
        byte[] to = range.to();
        return to != null && Arrays.equals(candidate, to);
    }
}
