package dev.headstone.stream;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent;
import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import com.amazonaws.services.lambda.runtime.events.models.dynamodb.AttributeValue;
import com.amazonaws.services.lambda.runtime.events.models.dynamodb.Identity;
import com.amazonaws.services.lambda.runtime.events.models.dynamodb.StreamRecord;
import com.amazonaws.services.lambda.runtime.serialization.events.LambdaEventSerializers;
import dev.headstone.link.Link;
import dev.headstone.link.ShortCode;
import dev.headstone.stream.StreamEntry.Operation;
import dev.headstone.table.LinkItem;
import dev.headstone.table.TableRead;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.SdkBytes;

/**
 * Reads records as Lambda hands them over. Total: whatever a record holds, it becomes an entry, and
 * one bad record does not fail the good ones before it.
 */
final class StreamRecords {
    private static final String SERVICE = "dynamodb.amazonaws.com";

    private StreamRecords() {}

    static StreamEntry read(@Nullable DynamodbStreamRecord record) {
        if (record == null || record.getDynamodb() == null) {
            return new StreamEntry.Foreign(
                    Optional.empty(), "the record is empty", Instant.EPOCH, () -> json(record));
        }
        StreamRecord change = record.getDynamodb();
        Optional<String> sequenceNumber =
                Optional.ofNullable(change.getSequenceNumber()).filter(number -> !number.isBlank());
        Optional<ShortCode> code = code(change.getKeys());
        if (code.isEmpty()) {
            return new StreamEntry.Foreign(
                    sequenceNumber,
                    "the key is no short code",
                    at(change.getApproximateCreationDateTime(), Optional.empty()),
                    () -> json(record));
        }
        Optional<Link> before = image(change.getOldImage());
        Optional<Link> after = image(change.getNewImage());
        return new StreamEntry.Change(
                sequenceNumber,
                code.get(),
                before,
                after,
                operation(record.getEventName()),
                isService(record.getUserIdentity()),
                at(change.getApproximateCreationDateTime(), after.or(() -> before)),
                () -> json(record));
    }

    private static Optional<ShortCode> code(@Nullable Map<String, AttributeValue> keys) {
        if (keys == null) {
            return Optional.empty();
        }
        AttributeValue key = keys.get("short_code");
        return key == null || key.getS() == null ? Optional.empty() : ShortCode.parse(key.getS());
    }

    /** An image that is absent, empty or no link costs its audit event, not the repair. */
    private static Optional<Link> image(@Nullable Map<String, AttributeValue> image) {
        if (image == null || image.isEmpty()) {
            return Optional.empty();
        }
        Map<String, software.amazon.awssdk.services.dynamodb.model.AttributeValue> item =
                new HashMap<>();
        image.forEach((name, value) -> item.put(name, value(value)));
        return LinkItem.read(item) instanceof TableRead.Found(Link link)
                ? Optional.of(link)
                : Optional.empty();
    }

    private static software.amazon.awssdk.services.dynamodb.model.AttributeValue value(
            @Nullable AttributeValue value) {
        var converted = software.amazon.awssdk.services.dynamodb.model.AttributeValue.builder();
        if (value == null || Boolean.TRUE.equals(value.getNULL())) {
            return converted.nul(true).build();
        }
        if (value.getB() != null) {
            converted.b(SdkBytes.fromByteBuffer(value.getB()));
        }
        if (value.getL() != null) {
            converted.l(value.getL().stream().map(StreamRecords::value).toList());
        }
        if (value.getSS() != null) {
            converted.ss(value.getSS());
        }
        return converted.s(value.getS()).n(value.getN()).bool(value.getBOOL()).build();
    }

    private static Operation operation(@Nullable String name) {
        return switch (name) {
            case "INSERT" -> Operation.INSERT;
            case "REMOVE" -> Operation.REMOVE;
            case null, default -> Operation.MODIFY; // the repair is the same, whatever it was
        };
    }

    private static boolean isService(@Nullable Identity identity) {
        return identity != null && SERVICE.equals(identity.getPrincipalId());
    }

    private static Instant at(@Nullable Date created, Optional<Link> image) {
        return created != null
                ? created.toInstant()
                : image.map(link -> link.lastChange().at()).orElse(Instant.EPOCH);
    }

    /** The record as Lambda's own mapping writes it: an event that may be sent in again. */
    private static String json(@Nullable DynamodbStreamRecord record) {
        DynamodbEvent event = new DynamodbEvent();
        event.setRecords(record == null ? List.of() : List.of(record));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        LambdaEventSerializers.serializerFor(
                        DynamodbEvent.class, StreamRecords.class.getClassLoader())
                .toJson(event, bytes);
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
