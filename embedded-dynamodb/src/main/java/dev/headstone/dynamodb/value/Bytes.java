package dev.headstone.dynamodb.value;

import java.util.Arrays;
import java.util.Base64;

/** An immutable byte string, ordered by its bytes as unsigned numbers. */
public final class Bytes implements Comparable<Bytes> {
    private final byte[] content;

    private Bytes(byte[] content) {
        this.content = content;
    }

    /** A byte string with a copy of {@code content}. */
    public static Bytes of(byte... content) {
        return new Bytes(content.clone());
    }

    /** The number of bytes. */
    public int length() {
        return content.length;
    }

    /** A copy of the bytes. */
    public byte[] toArray() {
        return content.clone();
    }

    /** Whether this starts with all of {@code prefix}. */
    public boolean startsWith(Bytes prefix) {
        return content.length >= prefix.content.length
                && Arrays.equals(
                        content,
                        0,
                        prefix.content.length,
                        prefix.content,
                        0,
                        prefix.content.length);
    }

    /**
     * Whether {@code part} occurs anywhere in this; the empty byte string occurs in every other.
     */
    public boolean contains(Bytes part) {
        int length = part.content.length;
        for (int from = 0; from <= content.length - length; from++) {
            if (Arrays.equals(content, from, from + length, part.content, 0, length)) {
                return true;
            }
        }
        return false;
    }

    /** The bytes in base64 with padding, as on the wire. */
    public String base64() {
        return Base64.getEncoder().encodeToString(content);
    }

    byte[] unsafe() {
        return content;
    }

    static Bytes owning(byte[] content) {
        return new Bytes(content);
    }

    @Override
    public int compareTo(Bytes other) {
        return Arrays.compareUnsigned(content, other.content);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Bytes bytes && Arrays.equals(content, bytes.content);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(content);
    }

    @Override
    public String toString() {
        return base64();
    }
}
