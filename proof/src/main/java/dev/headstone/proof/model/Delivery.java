package dev.headstone.proof.model;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent;
import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import com.amazonaws.services.lambda.runtime.events.models.dynamodb.AttributeValue;
import com.amazonaws.services.lambda.runtime.events.models.dynamodb.StreamRecord;
import dev.headstone.link.Link;
import dev.headstone.table.LinkItem;
import java.time.Instant;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the stream says of one change.
 *
 * @param before the item before it, empty if there was none
 * @param after the item after it, empty if there is none
 */
record Delivery(Optional<Link> before, Optional<Link> after) {
    /** As Lambda hands it over, alone in its batch. */
    DynamodbEvent event(Instant at) {
        StreamRecord change = new StreamRecord();
        change.setSequenceNumber("1");
        change.setApproximateCreationDateTime(Date.from(at));
        Link any = after.or(() -> before).orElseThrow();
        change.setKeys(Map.of("short_code", new AttributeValue().withS(any.code().value())));
        before.ifPresent(link -> change.setOldImage(image(link)));
        after.ifPresent(link -> change.setNewImage(image(link)));
        DynamodbStreamRecord record = new DynamodbStreamRecord();
        record.setEventName(before.isEmpty() ? "INSERT" : after.isEmpty() ? "REMOVE" : "MODIFY");
        record.setDynamodb(change);
        DynamodbEvent event = new DynamodbEvent();
        event.setRecords(List.of(record));
        return event;
    }

    private static Map<String, AttributeValue> image(Link link) {
        Map<String, AttributeValue> image = new HashMap<>();
        LinkItem.of(link).forEach((name, value) -> image.put(name, converted(value)));
        return image;
    }

    private static AttributeValue converted(
            software.amazon.awssdk.services.dynamodb.model.AttributeValue value) {
        AttributeValue converted = new AttributeValue();
        if (value.s() != null) {
            converted.setS(value.s());
        }
        if (value.n() != null) {
            converted.setN(value.n());
        }
        if (value.bool() != null) {
            converted.setBOOL(value.bool());
        }
        if (value.hasL()) {
            converted.setL(value.l().stream().map(Delivery::converted).toList());
        }
        return converted;
    }
}
