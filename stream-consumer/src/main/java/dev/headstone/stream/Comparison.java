package dev.headstone.stream;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.headstone.freshness.Freshness;
import dev.headstone.link.ShortCode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * One comparison that is to come, as a message of the queue in which it waits.
 *
 * @param changed when the code changed, as far as is known
 * @param after how long after that: one of {@link Freshness#COMPARED_AFTER}
 */
record Comparison(ShortCode code, Instant changed, Duration after) {
    /**
     * The longest that SQS delays a message.
     *
     * @see <a
     *     href="https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SendMessage.html">
     *     SendMessage</a>
     */
    private static final Duration LONGEST_DELAY = Duration.ofMinutes(15);

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String CODE = "short_code";
    private static final String CHANGED = "changed_at";
    private static final String AFTER = "after_seconds";

    /** The first of a change. */
    static Comparison first(ShortCode code, Instant changed) {
        return new Comparison(code, changed, Freshness.COMPARED_AFTER.getFirst());
    }

    /** The one that follows; empty after the last. */
    Optional<Comparison> next() {
        List<Duration> all = Freshness.COMPARED_AFTER;
        int following = all.indexOf(after) + 1;
        return following < all.size()
                ? Optional.of(new Comparison(code, changed, all.get(following)))
                : Optional.empty();
    }

    /** Whole seconds to wait from {@code now} on, never too few. */
    int delaySeconds(Instant now) {
        Duration left = Duration.between(now, changed.plus(after));
        if (!left.isPositive()) {
            return 0;
        }
        Duration wait = left.compareTo(LONGEST_DELAY) < 0 ? left : LONGEST_DELAY;
        return (int) wait.plusMillis(999).toSeconds();
    }

    String encode() {
        return JSON.createObjectNode()
                .put(CODE, code.value())
                .put(CHANGED, changed.toEpochMilli())
                .put(AFTER, after.toSeconds())
                .toString();
    }

    /** Empty if nobody sent that. */
    static Optional<Comparison> read(String body) {
        try {
            JsonNode json = JSON.readTree(body);
            Duration after = Duration.ofSeconds(json.path(AFTER).asLong());
            return ShortCode.parse(json.path(CODE).asText())
                    .filter(_ -> json.path(CHANGED).canConvertToLong())
                    .filter(_ -> Freshness.COMPARED_AFTER.contains(after))
                    .map(
                            code ->
                                    new Comparison(
                                            code,
                                            Instant.ofEpochMilli(json.path(CHANGED).asLong()),
                                            after));
        } catch (JsonProcessingException e) {
            return Optional.empty();
        }
    }
}
