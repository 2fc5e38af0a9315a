package dev.headstone.standalone.queue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.elasticmq.BinaryMessageAttribute;
import org.elasticmq.DeduplicationId;
import org.elasticmq.MessageAttribute;
import org.elasticmq.MessageContent;
import org.elasticmq.NeverReceived$;
import org.elasticmq.NumberMessageAttribute;
import org.elasticmq.StringMessageAttribute;
import org.elasticmq.TracingId;
import org.elasticmq.actor.queue.InternalMessage;
import scala.Option;
import scala.collection.mutable.ListBuffer;
import scala.jdk.javaapi.CollectionConverters;
import scala.jdk.javaapi.OptionConverters;

/**
 * One message as it is stored.
 *
 * @param id its id
 * @param queue the queue it lies in
 * @param order its place among all messages ever accepted
 * @param json everything of it that does not change
 */
record StoredMessage(String id, String queue, long order, String json) {
    private static final ObjectMapper JSON = new ObjectMapper();

    /**
     * Reads what does not change. The queue goes on delivering the message meanwhile, so that its
     * receipts and its next delivery must not be touched here.
     */
    static StoredMessage of(String queue, long order, InternalMessage message) {
        ObjectNode json = JSON.createObjectNode();
        json.put("queue", queue);
        json.put("order", order);
        json.put("id", message.id());
        json.put("body", message.content().value());
        json.put("created", message.created().toString());
        json.put("fifo", message.isFifo());
        put(json, "group", message.messageGroupId());
        put(json, "deduplication", message.messageDeduplicationId().map(DeduplicationId::id));
        put(json, "tracing", message.tracingId().map(TracingId::id));
        put(json, "sequence", message.sequenceNumber());
        put(json, "source", message.deadLetterSourceQueueName());
        ObjectNode attributes = json.putObject("attributes");
        CollectionConverters.asJava(message.messageAttributes())
                .forEach((name, attribute) -> put(attributes.putObject(name), attribute));
        return new StoredMessage(message.id(), queue, order, json.toString());
    }

    /** Reads what {@link #json} holds. */
    static StoredMessage parse(String json) {
        JsonNode message = read(json);
        return new StoredMessage(
                message.path("id").asText(),
                message.path("queue").asText(),
                message.path("order").asLong(),
                json);
    }

    /**
     * The message as the queue takes it back. Whoever had received it is gone with the process that
     * served them: it can be received at once, and counts how often it was.
     *
     * @param place its place among the messages that are taken back
     */
    InternalMessage restore(int place, int receiveCount) {
        JsonNode message = read(json);
        Map<String, MessageAttribute> attributes = new TreeMap<>();
        message.path("attributes")
                .properties()
                .forEach(entry -> attributes.put(entry.getKey(), attribute(entry.getValue())));
        return new InternalMessage(
                id,
                ListBuffer.from(CollectionConverters.asScala(List.<String>of())),
                0,
                new MessageContent(message.path("body").asText()),
                scala.collection.immutable.Map.from(CollectionConverters.asScala(attributes)),
                OffsetDateTime.parse(message.path("created").asText()),
                place,
                NeverReceived$.MODULE$,
                receiveCount,
                message.path("fifo").asBoolean(),
                OptionConverters.toScala(text(message, "group")),
                OptionConverters.toScala(text(message, "deduplication").map(DeduplicationId::new)),
                OptionConverters.toScala(text(message, "tracing").map(TracingId::new)),
                OptionConverters.toScala(text(message, "sequence")),
                OptionConverters.toScala(text(message, "source")));
    }

    private static void put(ObjectNode json, String name, Option<String> value) {
        OptionConverters.toJava(value).ifPresent(text -> json.put(name, text));
    }

    private static void put(ObjectNode json, MessageAttribute attribute) {
        put(json, "custom", attribute.customType());
        switch (attribute) {
            case StringMessageAttribute text ->
                    json.put("type", "String").put("value", text.stringValue());
            case NumberMessageAttribute number ->
                    json.put("type", "Number").put("value", number.stringValue());
            case BinaryMessageAttribute binary ->
                    json.put("type", "Binary").put("value", binary.asBase64());
            default -> throw new IllegalStateException("SQS has no other attributes");
        }
    }

    private static MessageAttribute attribute(JsonNode json) {
        String value = json.path("value").asText();
        Option<String> custom = OptionConverters.toScala(text(json, "custom"));
        return switch (json.path("type").asText()) {
            case "String" -> new StringMessageAttribute(value, custom);
            case "Number" -> new NumberMessageAttribute(value, custom);
            case "Binary" -> BinaryMessageAttribute.fromBase64(value, custom);
            default -> throw new IllegalStateException("an attribute of unknown type is stored");
        };
    }

    private static Optional<String> text(JsonNode json, String name) {
        return json.path(name).isTextual()
                ? Optional.of(json.path(name).asText())
                : Optional.empty();
    }

    private static JsonNode read(String json) {
        try {
            return JSON.readTree(json);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a stored message is not JSON", e);
        }
    }
}
