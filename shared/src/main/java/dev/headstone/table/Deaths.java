package dev.headstone.table;

import dev.headstone.link.ShortCode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The keys of the index of deaths: by hour and shard, in it by time and code. A sweep reads a few
 * partitions, consistently; the shards keep a wave of takedowns off one partition.
 */
public final class Deaths {
    /** How many partitions an hour has. */
    public static final int SHARDS = 8;

    /** The hash key's name. */
    static final String BUCKET = "bucket";

    /** The range key's name. */
    static final String ENTRY = "entry";

    private static final long MILLIS_PER_HOUR = 3_600_000;

    private Deaths() {}

    /** The key under which the death of {@code code} at {@code deletedAt} is entered. */
    public static Map<String, AttributeValue> key(ShortCode code, Instant deletedAt) {
        long millis = deletedAt.toEpochMilli();
        return Map.of(
                BUCKET,
                        AttributeValue.fromS(
                                bucket(millis, Math.floorMod(code.hashCode(), SHARDS))),
                ENTRY, AttributeValue.fromS(padded(millis) + "#" + code.value()));
    }

    /** The partitions in which deaths from {@code first} to {@code last} lie, oldest first. */
    public static List<DeathPartition> partitions(Instant first, Instant last) {
        List<DeathPartition> partitions = new ArrayList<>();
        for (long hour = hourOf(first.toEpochMilli());
                hour <= hourOf(last.toEpochMilli());
                hour++) {
            for (int shard = 0; shard < SHARDS; shard++) {
                partitions.add(new DeathPartition(hour, shard));
            }
        }
        return List.copyOf(partitions);
    }

    /** One partition: the hour that {@code epochMilli} lies in, and a shard of it. */
    public static String bucket(long epochMilli, int shard) {
        return new DeathPartition(hourOf(epochMilli), shard).bucket();
    }

    private static long hourOf(long epochMilli) {
        return epochMilli / MILLIS_PER_HOUR;
    }

    static String padded(long millis) {
        String digits = Long.toString(millis);
        return "0".repeat(Math.max(0, 13 - digits.length())) + digits;
    }
}
