package dev.headstone.dynamodb.value;

import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * Key values as bytes whose unsigned order is the service's order of keys: strings by UTF-8,
 * numbers by value, binary by unsigned bytes. Each value marks its own end, so that several in a
 * row order by the first, then by the second, and the encoding of the leading ones is a prefix that
 * only their own keys share.
 */
public final class KeyEncoding {
    private static final int NEGATIVE = 1;
    private static final int ZERO = 2;
    private static final int POSITIVE = 3;
    private static final int EXPONENT_BIAS = 130;

    /** Digits go in pairs, 1 above their value, so that the end sorts below every pair. */
    private static final int END_OF_DIGITS = 0;

    /**
     * A zero byte inside a value is followed by ESCAPED, the zero byte at its end by END: a prefix
     * sorts first.
     */
    private static final int END = 1;

    private static final int ESCAPED = 0xFF;

    private KeyEncoding() {}

    /**
     * The bytes of a key of one or more values.
     *
     * @throws IllegalArgumentException if a value is not a string, a number or binary
     */
    public static byte[] of(AttributeValue... values) {
        return of(List.of(values));
    }

    /** As {@link #of(AttributeValue...)}. */
    public static byte[] of(List<AttributeValue> values) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(64);
        for (AttributeValue value : values) {
            write(value, out);
        }
        return out.toByteArray();
    }

    /**
     * What the bytes of all keys start with whose first values are {@code leading} and whose next
     * value, a string or binary, begins with {@code beginning}.
     *
     * @throws IllegalArgumentException if {@code beginning} is neither a string nor binary
     */
    public static byte[] prefix(List<AttributeValue> leading, AttributeValue beginning) {
        byte[] raw =
                switch (beginning) {
                    case AttributeValue.S(String text) -> text.getBytes(StandardCharsets.UTF_8);
                    case AttributeValue.B(Bytes bytes) -> bytes.unsafe();
                    case AttributeValue.N _,
                            AttributeValue.Bool _,
                            AttributeValue.Null _,
                            AttributeValue.SS _,
                            AttributeValue.NS _,
                            AttributeValue.BS _,
                            AttributeValue.L _,
                            AttributeValue.M _ ->
                            throw new IllegalArgumentException(
                                    "no prefix of type " + beginning.type());
                };
        ByteArrayOutputStream out = new ByteArrayOutputStream(64);
        for (AttributeValue value : leading) {
            write(value, out);
        }
        writeEscaped(raw, out);
        return out.toByteArray();
    }

    private static void write(AttributeValue value, ByteArrayOutputStream out) {
        switch (value) {
            case AttributeValue.S(String text) ->
                    writeEnded(text.getBytes(StandardCharsets.UTF_8), out);
            case AttributeValue.B(Bytes bytes) -> writeEnded(bytes.unsafe(), out);
            case AttributeValue.N(DynamoNumber number) -> write(number, out);
            case AttributeValue.Bool _,
                    AttributeValue.Null _,
                    AttributeValue.SS _,
                    AttributeValue.NS _,
                    AttributeValue.BS _,
                    AttributeValue.L _,
                    AttributeValue.M _ ->
                    throw new IllegalArgumentException("no key of type " + value.type());
        }
    }

    private static void writeEnded(byte[] content, ByteArrayOutputStream out) {
        writeEscaped(content, out);
        out.write(0);
        out.write(END);
    }

    private static void writeEscaped(byte[] content, ByteArrayOutputStream out) {
        for (byte b : content) {
            out.write(b);
            if (b == 0) {
                out.write(ESCAPED);
            }
        }
    }

    /** Writes 1 to 22 bytes that order as the numbers do. */
    static void write(DynamoNumber number, ByteArrayOutputStream out) {
        int sign = number.value().signum();
        if (sign == 0) {
            out.write(ZERO);
            return;
        }
        out.write(sign < 0 ? NEGATIVE : POSITIVE);
        int flip = sign < 0 ? 0xFF : 0;
        out.write((number.exponent() + EXPONENT_BIAS) ^ flip);
        String digits = number.value().unscaledValue().abs().toString();
        for (int i = 0; i < digits.length(); i += 2) {
            int tens = digits.charAt(i) - '0';
            int ones = i + 1 < digits.length() ? digits.charAt(i + 1) - '0' : 0;
            out.write((tens * 10 + ones + 1) ^ flip);
        }
        out.write(END_OF_DIGITS ^ flip);
    }

    /** Reads what {@link #write(DynamoNumber, ByteArrayOutputStream)} wrote. */
    static DynamoNumber readNumber(ByteBuffer in) {
        int sign = in.get();
        if (sign == ZERO) {
            return DynamoNumber.ZERO;
        }
        int flip = sign == NEGATIVE ? 0xFF : 0;
        int exponent = (Byte.toUnsignedInt(in.get()) ^ flip) - EXPONENT_BIAS;
        StringBuilder digits = new StringBuilder();
        for (int pair = pair(in, flip); pair != END_OF_DIGITS; pair = pair(in, flip)) {
            digits.append((char) ('0' + (pair - 1) / 10)).append((char) ('0' + (pair - 1) % 10));
        }
        BigInteger unscaled = new BigInteger(digits.toString());
        int scale = digits.length() - 1 - exponent;
        return new DynamoNumber(new BigDecimal(flip == 0 ? unscaled : unscaled.negate(), scale));
    }

    private static int pair(ByteBuffer in, int flip) {
        return Byte.toUnsignedInt(in.get()) ^ flip;
    }

    /** Whether {@code key} starts with {@code prefix}. */
    public static boolean startsWith(byte[] key, byte[] prefix) {
        return key.length >= prefix.length
                && Arrays.equals(key, 0, prefix.length, prefix, 0, prefix.length);
    }
}
