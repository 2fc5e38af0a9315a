package dev.headstone.dynamodb.storage;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * One transaction in the redo log: its number, and the new values of the keys it changed. To apply
 * it twice is to apply it once.
 *
 * <p>On disk: the length of what follows the checksum, the checksum, the number, and for each tree
 * its id, whether it is cleared, and its changes, each with the length of the key, the length of
 * the value or -1 for none, and both.
 */
record LogRecord(long number, Map<Tree, Transaction.Changes> changed) {
    private static final int HEAD = 2 * Integer.BYTES;
    private static final int NO_VALUE = -1;

    byte[] encode() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(512);
        try {
            DataOutputStream out = new DataOutputStream(bytes);
            out.writeLong(0); // where the length and the checksum will go
            out.writeLong(number);
            out.writeInt(changed.size());
            for (Map.Entry<Tree, Transaction.Changes> tree : changed.entrySet()) {
                out.writeInt(tree.getKey().id());
                write(tree.getValue(), out);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("memory refused to be written to", e);
        }
        byte[] encoded = bytes.toByteArray();
        ByteBuffer.wrap(encoded)
                .putInt(encoded.length - HEAD)
                .putInt(checksum(encoded, HEAD, encoded.length - HEAD));
        return encoded;
    }

    private static void write(Transaction.Changes changes, DataOutputStream out)
            throws IOException {
        out.writeBoolean(changes.cleared);
        out.writeInt(changes.byKey.size());
        for (Map.Entry<byte[], Optional<byte[]>> change : changes.byKey.entrySet()) {
            byte[] key = change.getKey();
            out.writeInt(key.length);
            out.writeInt(change.getValue().map(value -> value.length).orElse(NO_VALUE));
            out.write(key);
            if (change.getValue().isPresent()) {
                out.write(change.getValue().get());
            }
        }
    }

    /**
     * Reads the record at the position of {@code in} and moves behind it.
     *
     * @return empty if there is no whole record: the write of it was cut short
     */
    static Optional<LogRecord> read(ByteBuffer in) {
        if (in.remaining() < HEAD) {
            return Optional.empty();
        }
        int length = in.getInt();
        int checksum = in.getInt();
        if (length <= 0
                || length > in.remaining()
                || checksum(in.array(), in.arrayOffset() + in.position(), length) != checksum) {
            return Optional.empty();
        }
        ByteBuffer body = in.slice(in.position(), length);
        in.position(in.position() + length);
        try {
            return Optional.of(decode(body));
        } catch (BufferUnderflowException e) {
            throw new StorageException("a record of the redo log has a checksum but no form", e);
        }
    }

    private static LogRecord decode(ByteBuffer in) {
        long number = in.getLong();
        int trees = in.getInt();
        Map<Tree, Transaction.Changes> changed = HashMap.newHashMap(trees);
        for (int i = 0; i < trees; i++) {
            Tree tree = new Tree(in.getInt());
            Transaction.Changes changes = new Transaction.Changes();
            changes.cleared = in.get() != 0;
            int count = in.getInt();
            for (int j = 0; j < count; j++) {
                byte[] key = new byte[in.getInt()];
                int valueLength = in.getInt();
                in.get(key);
                changes.byKey.put(key, value(valueLength, in));
            }
            changed.put(tree, changes);
        }
        return new LogRecord(number, changed);
    }

    private static Optional<byte[]> value(int length, ByteBuffer in) {
        if (length == NO_VALUE) {
            return Optional.empty();
        }
        byte[] value = new byte[length];
        in.get(value);
        return Optional.of(value);
    }

    private static int checksum(byte[] bytes, int from, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, from, length);
        return (int) crc.getValue();
    }
}
