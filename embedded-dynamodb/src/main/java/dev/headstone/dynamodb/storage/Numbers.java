package dev.headstone.dynamodb.storage;

import java.nio.ByteBuffer;

/** Numbers as bytes in the order of keys. */
public final class Numbers {
    private Numbers() {}

    /** Eight bytes that order as the numbers do, as long as those are not negative. */
    public static byte[] ofLong(long number) {
        return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
    }

    /** The number that {@code bytes} start with. */
    public static long readLong(byte[] bytes) {
        return ByteBuffer.wrap(bytes).getLong();
    }
}
