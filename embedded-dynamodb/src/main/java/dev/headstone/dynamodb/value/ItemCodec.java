package dev.headstone.dynamodb.value;

import java.io.ByteArrayOutputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Items as compact bytes for storage. Equal items give equal bytes. */
public final class ItemCodec {
    // Stored with every value: a tag, once used, keeps its meaning.
    private static final int STRING = 'S';
    private static final int NUMBER = 'N';
    private static final int BINARY = 'B';
    private static final int TRUE = 'T';
    private static final int FALSE = 'F';
    private static final int NULL = '0';
    private static final int STRING_SET = 's';
    private static final int NUMBER_SET = 'n';
    private static final int BINARY_SET = 'b';
    private static final int LIST = 'L';
    private static final int MAP = 'M';

    private ItemCodec() {}

    /** The item as bytes. */
    public static byte[] encode(Item item) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(256);
        writeEntries(item.attributes(), out);
        return out.toByteArray();
    }

    /**
     * The item that was {@link #encode encoded}.
     *
     * @throws IllegalArgumentException if the bytes are not those of an item
     */
    public static Item decode(byte[] encoded) {
        ByteBuffer in = ByteBuffer.wrap(encoded);
        try {
            Item item = new Item(readEntries(in));
            if (in.hasRemaining()) {
                throw new IllegalArgumentException(
                        "%d bytes behind the item".formatted(in.remaining()));
            }
            return item;
        } catch (BufferUnderflowException | NumberFormatException | ValidationException e) {
            throw new IllegalArgumentException("not an encoded item", e);
        }
    }

    private static void writeEntries(
            Map<String, AttributeValue> entries, ByteArrayOutputStream out) {
        writeCount(entries.size(), out);
        entries.forEach(
                (name, value) -> {
                    writeText(name, out);
                    write(value, out);
                });
    }

    private static void write(AttributeValue value, ByteArrayOutputStream out) {
        switch (value) {
            case AttributeValue.S(String text) -> {
                out.write(STRING);
                writeText(text, out);
            }
            case AttributeValue.N(DynamoNumber number) -> {
                out.write(NUMBER);
                KeyEncoding.write(number, out);
            }
            case AttributeValue.B(Bytes bytes) -> {
                out.write(BINARY);
                writeBytes(bytes.unsafe(), out);
            }
            case AttributeValue.Bool(boolean truth) -> out.write(truth ? TRUE : FALSE);
            case AttributeValue.Null _ -> out.write(NULL);
            case AttributeValue.SS(var members) -> {
                writeStart(STRING_SET, members.size(), out);
                members.forEach(member -> writeText(member, out));
            }
            case AttributeValue.NS(var members) -> {
                writeStart(NUMBER_SET, members.size(), out);
                members.forEach(member -> KeyEncoding.write(member, out));
            }
            case AttributeValue.BS(var members) -> {
                writeStart(BINARY_SET, members.size(), out);
                members.forEach(member -> writeBytes(member.unsafe(), out));
            }
            case AttributeValue.L(var elements) -> {
                writeStart(LIST, elements.size(), out);
                elements.forEach(element -> write(element, out));
            }
            case AttributeValue.M(var entries) -> {
                out.write(MAP);
                writeEntries(entries, out);
            }
        }
    }

    private static void writeStart(int tag, int count, ByteArrayOutputStream out) {
        out.write(tag);
        writeCount(count, out);
    }

    private static Map<String, AttributeValue> readEntries(ByteBuffer in) {
        int count = readCount(in);
        Map<String, AttributeValue> entries = new TreeMap<>();
        for (int i = 0; i < count; i++) {
            entries.put(readText(in), read(in));
        }
        return entries;
    }

    private static AttributeValue read(ByteBuffer in) {
        int tag = in.get();
        return switch (tag) {
            case STRING -> new AttributeValue.S(readText(in));
            case NUMBER -> new AttributeValue.N(KeyEncoding.readNumber(in));
            case BINARY -> new AttributeValue.B(Bytes.owning(readBytes(in)));
            case TRUE -> new AttributeValue.Bool(true);
            case FALSE -> new AttributeValue.Bool(false);
            case NULL -> new AttributeValue.Null();
            case STRING_SET -> AttributeValue.SS.of(readList(in, ItemCodec::readText));
            case NUMBER_SET -> AttributeValue.NS.of(readList(in, KeyEncoding::readNumber));
            case BINARY_SET ->
                    AttributeValue.BS.of(readList(in, buffer -> Bytes.owning(readBytes(buffer))));
            case LIST -> new AttributeValue.L(readList(in, ItemCodec::read));
            case MAP -> new AttributeValue.M(readEntries(in));
            default -> throw new IllegalArgumentException("no type of value has the tag " + tag);
        };
    }

    private interface Reading<T> {
        T from(ByteBuffer in);
    }

    private static <T> List<T> readList(ByteBuffer in, Reading<T> reading) {
        int count = readCount(in);
        List<T> list = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            list.add(reading.from(in));
        }
        return list;
    }

    private static void writeText(String text, ByteArrayOutputStream out) {
        writeBytes(text.getBytes(StandardCharsets.UTF_8), out);
    }

    private static String readText(ByteBuffer in) {
        int length = readLength(in);
        String text =
                new String(
                        in.array(),
                        in.arrayOffset() + in.position(),
                        length,
                        StandardCharsets.UTF_8);
        in.position(in.position() + length);
        return text;
    }

    private static void writeBytes(byte[] content, ByteArrayOutputStream out) {
        writeCount(content.length, out);
        out.write(content, 0, content.length);
    }

    private static byte[] readBytes(ByteBuffer in) {
        byte[] content = new byte[readLength(in)];
        in.get(content);
        return content;
    }

    private static int readLength(ByteBuffer in) {
        int length = readCount(in);
        if (length > in.remaining()) {
            throw new BufferUnderflowException();
        }
        return length;
    }

    /** Seven bits a byte, the lowest first; the highest bit says that more follow. */
    private static void writeCount(int count, ByteArrayOutputStream out) {
        int rest = count;
        for (; rest > 0x7F; rest >>>= 7) {
            out.write((rest & 0x7F) | 0x80);
        }
        out.write(rest);
    }

    private static int readCount(ByteBuffer in) {
        long count = 0;
        int shift = 0;
        byte b;
        do {
            b = in.get();
            count |= (long) (b & 0x7F) << shift;
            shift += 7;
        } while (b < 0 && shift < 35);
        if (b < 0 || count > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("a count beyond 31 bits");
        }
        return (int) count;
    }
}
