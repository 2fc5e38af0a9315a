package dev.headstone.dynamodb.stream;

import dev.headstone.dynamodb.value.ValidationException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.OptionalLong;
import java.util.zip.CRC32C;

/**
 * A place in a shard, as a text that says it all, so that it survives a restart.
 *
 * @param shardFirst the first number of the shard
 * @param next the number of the record to read next; empty for the oldest there is
 * @param issuedAt from when on it is valid for 15 minutes
 */
record ShardIterator(String streamArn, long shardFirst, OptionalLong next, Instant issuedAt) {
    private static final String SEPARATOR = "|1|";
    private static final long OLDEST = -1;
    private static final int LENGTH = 3 * Long.BYTES + Integer.BYTES;

    String text() {
        ByteBuffer out = ByteBuffer.allocate(LENGTH);
        out.putLong(issuedAt.toEpochMilli()).putLong(next.orElse(OLDEST)).putLong(shardFirst);
        out.putInt(checksum(streamArn, out.array(), out.position()));
        return streamArn + SEPARATOR + Base64.getUrlEncoder().encodeToString(out.array());
    }

    static ShardIterator parse(String text) {
        int end = text.indexOf(SEPARATOR);
        if (end < 0) {
            throw invalid();
        }
        String arn = text.substring(0, end);
        try {
            byte[] bytes = Base64.getUrlDecoder().decode(text.substring(end + SEPARATOR.length()));
            ByteBuffer in = ByteBuffer.wrap(bytes);
            Instant issuedAt = Instant.ofEpochMilli(in.getLong());
            long next = in.getLong();
            long shardFirst = in.getLong();
            if (in.getInt() != checksum(arn, bytes, LENGTH - Integer.BYTES) || in.hasRemaining()) {
                throw invalid();
            }
            return new ShardIterator(
                    arn,
                    shardFirst,
                    next == OLDEST ? OptionalLong.empty() : OptionalLong.of(next),
                    issuedAt);
        } catch (IllegalArgumentException | BufferUnderflowException _) {
            throw invalid();
        }
    }

    private static int checksum(String arn, byte[] bytes, int length) {
        CRC32C crc = new CRC32C();
        crc.update(arn.getBytes(StandardCharsets.UTF_8));
        crc.update(bytes, 0, length);
        return (int) crc.getValue();
    }

    private static ValidationException invalid() {
        return new ValidationException("Invalid ShardIterator");
    }
}
