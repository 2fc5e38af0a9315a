package dev.headstone.dynamodb.stream;

import dev.headstone.dynamodb.schema.Catalog;
import dev.headstone.dynamodb.schema.Stream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.zip.CRC32C;

/**
 * A part of a stream. Of a stream's shards only the last one is open; each is the parent of the
 * next.
 *
 * @param first the number of its first record, or of the first it will have
 * @param last the number of its last record; empty while it is open
 */
record Shard(String id, Optional<String> parent, long first, OptionalLong last, Instant createdAt) {

    static Shard open(Stream stream, Optional<Shard> parent, long first, Instant now) {
        CRC32C hash = new CRC32C();
        hash.update(stream.arn().getBytes(StandardCharsets.UTF_8));
        hash.update(ByteBuffer.allocate(Long.BYTES).putLong(0, first));
        String id =
                String.format(
                        Locale.ROOT, "shardId-%020d-%08x", now.toEpochMilli(), hash.getValue());
        return new Shard(id, parent.map(Shard::id), first, OptionalLong.empty(), now);
    }

    Shard closed(long lastNumber) {
        return new Shard(id, parent, first, OptionalLong.of(lastNumber), createdAt);
    }

    /** The key of a shard in {@link Catalog#SHARDS}: those of one stream lie together, in order. */
    static byte[] key(Stream stream, long first) {
        return ByteBuffer.allocate(Integer.BYTES + Long.BYTES)
                .put(keyPrefix(stream))
                .putLong(first)
                .array();
    }

    static byte[] keyPrefix(Stream stream) {
        return ByteBuffer.allocate(Integer.BYTES).putInt(stream.records().id()).array();
    }

    byte[] encode() {
        byte[] idBytes = id.getBytes(StandardCharsets.UTF_8);
        byte[] parentBytes = parent.orElse("").getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(
                        3 * Long.BYTES + 2 * Integer.BYTES + idBytes.length + parentBytes.length)
                .putLong(first)
                .putLong(last.orElse(-1))
                .putLong(createdAt.toEpochMilli())
                .putInt(idBytes.length)
                .put(idBytes)
                .putInt(parentBytes.length)
                .put(parentBytes)
                .array();
    }

    static Shard decode(byte[] encoded) {
        ByteBuffer in = ByteBuffer.wrap(encoded);
        long first = in.getLong();
        long last = in.getLong();
        Instant createdAt = Instant.ofEpochMilli(in.getLong());
        String id = text(in);
        String parent = text(in);
        return new Shard(
                id,
                parent.isEmpty() ? Optional.empty() : Optional.of(parent),
                first,
                last < 0 ? OptionalLong.empty() : OptionalLong.of(last),
                createdAt);
    }

    private static String text(ByteBuffer in) {
        byte[] bytes = new byte[in.getInt()];
        in.get(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
