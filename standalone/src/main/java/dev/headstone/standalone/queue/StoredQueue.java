package dev.headstone.standalone.queue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.elasticmq.CreateQueueData;
import org.elasticmq.DeadLettersQueueData;
import org.elasticmq.MillisVisibilityTimeout;
import org.elasticmq.QueueData;
import scala.Option;
import scala.Some;
import scala.jdk.javaapi.CollectionConverters;
import scala.jdk.javaapi.OptionConverters;

/**
 * One queue as it is stored.
 *
 * @param name its name
 * @param deadLetters the name of the queue that takes what nobody could process, if there is one
 * @param mostReceives after how many receives it does
 * @param json all of its attributes
 */
record StoredQueue(
        String name, Optional<String> deadLetters, Optional<Integer> mostReceives, String json) {
    private static final ObjectMapper JSON = new ObjectMapper();

    static StoredQueue of(QueueData queue) {
        ObjectNode json = JSON.createObjectNode();
        json.put("name", queue.name());
        json.put("visibility_millis", queue.defaultVisibilityTimeout().millis());
        json.put("delay", queue.delay().toString());
        json.put("wait", queue.receiveMessageWait().toString());
        json.put("created", queue.created().toString());
        json.put("modified", queue.lastModified().toString());
        json.put("fifo", queue.isFifo());
        json.put("content_deduplication", queue.hasContentBasedDeduplication());
        OptionConverters.toJava(queue.deadLettersQueue())
                .ifPresent(
                        dead ->
                                json.putObject("dead_letters")
                                        .put("name", dead.name())
                                        .put("receives", dead.maxReceiveCount()));
        ObjectNode tags = json.putObject("tags");
        CollectionConverters.asJava(queue.tags()).forEach(tags::put);
        return parse(json.toString());
    }

    static StoredQueue parse(String json) {
        JsonNode queue = read(json);
        Optional<JsonNode> dead = queue.optional("dead_letters");
        return new StoredQueue(
                queue.path("name").asText(),
                dead.map(policy -> policy.path("name").asText()),
                dead.map(policy -> policy.path("receives").asInt()),
                json);
    }

    /** Whether {@code other} takes what nobody could process here. */
    boolean sendsDeadLettersTo(StoredQueue other) {
        return deadLetters.filter(other.name::equals).isPresent();
    }

    /** How to create it again as it was. */
    CreateQueueData restore() {
        JsonNode queue = read(json);
        Map<String, String> tags = new TreeMap<>();
        queue.path("tags")
                .properties()
                .forEach(tag -> tags.put(tag.getKey(), tag.getValue().asText()));
        return new CreateQueueData(
                name,
                some(new MillisVisibilityTimeout(queue.path("visibility_millis").asLong())),
                some(Duration.parse(queue.path("delay").asText())),
                some(Duration.parse(queue.path("wait").asText())),
                some(OffsetDateTime.parse(queue.path("created").asText())),
                some(OffsetDateTime.parse(queue.path("modified").asText())),
                OptionConverters.toScala(
                        deadLetters.map(
                                dead ->
                                        new DeadLettersQueueData(
                                                dead, mostReceives.orElseThrow()))),
                queue.path("fifo").asBoolean(),
                queue.path("content_deduplication").asBoolean(),
                Option.empty(),
                Option.empty(),
                scala.collection.immutable.Map.from(CollectionConverters.asScala(tags)));
    }

    private static <T> Option<T> some(T value) {
        return Some.apply(value);
    }

    private static JsonNode read(String json) {
        try {
            return JSON.readTree(json);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a stored queue is not JSON", e);
        }
    }
}
