package dev.headstone.dynamodb.table;

import dev.headstone.dynamodb.schema.TimeToLive;
import dev.headstone.dynamodb.storage.KeyRange;
import dev.headstone.dynamodb.storage.Numbers;
import dev.headstone.dynamodb.value.AttributeValue;
import dev.headstone.dynamodb.value.Item;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Optional;

/**
 * When items expire: at the second that a number in them names. What is no number never does, and
 * neither does what would have expired more than five years ago.
 *
 * @see <a
 *     href="https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/howitworks-ttl.html">the
 *     service's rules</a>
 */
final class Expiry {
    private static final int YEARS = 5;
    private static final BigDecimal LATEST = BigDecimal.valueOf(Long.MAX_VALUE);

    private Expiry() {}

    /** The entry of an item in the order of expiry; empty if it does not expire. */
    static Optional<byte[]> entry(TimeToLive ttl, Item item, byte[] tableKey) {
        return second(ttl, item)
                .map(
                        second ->
                                ByteBuffer.allocate(Long.BYTES + tableKey.length)
                                        .putLong(second)
                                        .put(tableKey)
                                        .array());
    }

    /** The key of the item behind an entry. */
    static byte[] tableKey(byte[] entry) {
        return Arrays.copyOfRange(entry, Long.BYTES, entry.length);
    }

    /** The entries of what is to be removed at {@code now}. */
    static KeyRange dueAt(Instant now) {
        return KeyRange.between(
                Numbers.ofLong(Math.max(0, oldest(now))),
                Numbers.ofLong(Math.max(0, now.getEpochSecond())));
    }

    static boolean isDue(TimeToLive ttl, Item item, Instant now) {
        return second(ttl, item)
                .map(second -> second < now.getEpochSecond() && second >= oldest(now))
                .orElse(false);
    }

    private static long oldest(Instant now) {
        return now.atOffset(ZoneOffset.UTC).minusYears(YEARS).toEpochSecond();
    }

    private static Optional<Long> second(TimeToLive ttl, Item item) {
        return item.get(ttl.attribute())
                .flatMap(
                        value ->
                                value instanceof AttributeValue.N(var number)
                                        ? second(number.value())
                                        : Optional.empty());
    }

    private static Optional<Long> second(BigDecimal number) {
        boolean meaningful = number.signum() > 0 && number.compareTo(LATEST) < 0;
        return meaningful
                ? Optional.of(number.setScale(0, RoundingMode.FLOOR).longValueExact())
                : Optional.empty();
    }
}
