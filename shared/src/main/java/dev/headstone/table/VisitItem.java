package dev.headstone.table;

import dev.headstone.link.Link;
import dev.headstone.link.ShortCode;
import java.time.Duration;
import java.time.LocalDate;
import java.time.YearMonth;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The keys and attributes of the table of visits. It holds one item for each link and month in
 * which it was visited (bucket {@code code#epoch}, entry {@code 2026-12}, the days as attributes),
 * and one for each new link (bucket {@code #new#shard}, entry time and code).
 */
public final class VisitItem {
    /** How many partitions each list of links is spread over. */
    public static final int SHARDS = 16;

    /** How long a link can be among the newest. */
    public static final Duration NEW_KEPT = Duration.ofDays(90);

    static final String BUCKET = "bucket";
    static final String ENTRY = "entry";

    /** The month and a shard: the hash key of both indexes. New links have none. */
    static final String RANKING = "ranking";

    static final String VISITS = "visits";
    static final String LAST = "last_visited_at";
    static final String BY_VISITS = "by-visits";
    static final String BY_LAST = "by-last-visit";

    private VisitItem() {}

    static String bucket(ShortCode code, long epoch) {
        return code.value() + "#" + epoch;
    }

    static String entry(LocalDate day) {
        return YearMonth.from(day).toString();
    }

    static String ranking(LocalDate day, ShortCode code) {
        return ranking(YearMonth.from(day), shardOf(code));
    }

    static Stream<String> rankings(YearMonth month) {
        return IntStream.range(0, SHARDS).mapToObj(shard -> ranking(month, shard));
    }

    private static String ranking(YearMonth month, int shard) {
        return month + "#" + shard;
    }

    static String dayAttribute(LocalDate day) {
        return "d%02d".formatted(day.getDayOfMonth());
    }

    /** The entry of a link among the newest, which is forgotten with it or after a while. */
    static Map<String, AttributeValue> news(Link link) {
        long seconds = link.createdAt().plus(NEW_KEPT).getEpochSecond();
        long until =
                link.purgeAt().map(at -> Math.min(at.getEpochSecond(), seconds)).orElse(seconds);
        return Map.of(
                BUCKET,
                LinkItem.text(newBucket(shardOf(link.code()))),
                ENTRY,
                LinkItem.text(Deaths.padded(link.epoch()) + "#" + link.code().value()),
                LinkItem.CODE,
                LinkItem.text(link.code().value()),
                LinkItem.PURGE_AT,
                LinkItem.number(until));
    }

    static Stream<String> newBuckets() {
        return IntStream.range(0, SHARDS).mapToObj(VisitItem::newBucket);
    }

    /** No code begins with the sign, so that no link's bucket is taken for this one. */
    private static String newBucket(int shard) {
        return "#new#" + shard;
    }

    private static int shardOf(ShortCode code) {
        return Math.floorMod(code.value().hashCode(), SHARDS);
    }
}
