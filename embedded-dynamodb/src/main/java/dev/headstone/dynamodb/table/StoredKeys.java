package dev.headstone.dynamodb.table;

import dev.headstone.dynamodb.schema.KeyAttribute;
import dev.headstone.dynamodb.schema.KeySchema;
import dev.headstone.dynamodb.storage.KeyRange;
import dev.headstone.dynamodb.value.AttributeValue;
import dev.headstone.dynamodb.value.Item;
import dev.headstone.dynamodb.value.KeyEncoding;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * Keys as they lie in trees. In front are two bytes of a hash of the partition key: a scan goes
 * through the partitions in no meaningful order, as at the service, and its segments are ranges.
 */
final class StoredKeys {
    private static final int BUCKETS = 1 << 16;

    private StoredKeys() {}

    static byte[] of(PrimaryKey key) {
        return behindBucket(
                key.hash(),
                key.range()
                        .map(range -> KeyEncoding.of(key.hash(), range))
                        .orElseGet(() -> KeyEncoding.of(key.hash())));
    }

    /** The key of an item in an index; empty if the item is not in it. */
    static Optional<byte[]> ofEntry(KeySchema indexKey, Item item, byte[] tableKey) {
        List<AttributeValue> values = new ArrayList<>(2);
        for (KeyAttribute attribute : indexKey.attributes()) {
            Optional<AttributeValue> value = item.get(attribute.name());
            if (value.isEmpty()) {
                return Optional.empty();
            }
            values.add(value.get());
        }
        byte[] own = behindBucket(values.getFirst(), KeyEncoding.of(values));
        return Optional.of(
                ByteBuffer.allocate(own.length + tableKey.length).put(own).put(tableKey).array());
    }

    /** What the keys of a partition start with. */
    static byte[] partition(AttributeValue hash) {
        return behindBucket(hash, KeyEncoding.of(hash));
    }

    /** What the keys with those two values start with. */
    static byte[] exactly(AttributeValue hash, AttributeValue range) {
        return behindBucket(hash, KeyEncoding.of(hash, range));
    }

    /** What the keys of a partition start with whose second value begins so. */
    static byte[] beginning(AttributeValue hash, AttributeValue beginning) {
        return behindBucket(hash, KeyEncoding.prefix(List.of(hash), beginning));
    }

    /** The keys of the segment {@code segment}, counted from 0, of {@code total} equal ones. */
    static KeyRange segment(int segment, int total) {
        byte[] from = bucket(firstBucket(segment, total));
        int end = firstBucket(segment + 1, total);
        return end == BUCKETS ? KeyRange.from(from) : KeyRange.between(from, bucket(end));
    }

    private static int firstBucket(int segment, int total) {
        return (int) ((long) segment * BUCKETS / total);
    }

    private static byte[] bucket(int bucket) {
        return ByteBuffer.allocate(Short.BYTES).putShort((short) bucket).array();
    }

    private static byte[] behindBucket(AttributeValue hash, byte[] encoded) {
        CRC32C crc = new CRC32C();
        crc.update(KeyEncoding.of(hash));
        return ByteBuffer.allocate(Short.BYTES + encoded.length)
                .putShort((short) crc.getValue())
                .put(encoded)
                .array();
    }
}
