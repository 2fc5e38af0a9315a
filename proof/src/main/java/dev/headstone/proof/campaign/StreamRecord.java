package dev.headstone.proof.campaign;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent;
import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import com.amazonaws.services.lambda.runtime.events.models.dynamodb.AttributeValue;
import dev.headstone.link.Link;
import dev.headstone.table.LinkItem;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One change as the table's stream tells of it.
 *
 * @param sequence its place, from 1
 * @param before the item before it, empty if there was none
 */
record StreamRecord(int sequence, Optional<Link> before, Link after) {
    /** A batch as Lambda hands it over. */
    static DynamodbEvent batch(List<StreamRecord> records) {
        DynamodbEvent event = new DynamodbEvent();
        event.setRecords(records.stream().map(StreamRecord::handedOver).toList());
        return event;
    }

    private DynamodbStreamRecord handedOver() {
        var change =
                new com.amazonaws.services.lambda.runtime.events.models.dynamodb.StreamRecord();
        change.setSequenceNumber(Integer.toString(sequence));
        change.setApproximateCreationDateTime(Date.from(after.lastChange().at()));
        change.setKeys(Map.of("short_code", new AttributeValue().withS(after.code().value())));
        before.ifPresent(link -> change.setOldImage(image(link)));
        change.setNewImage(image(after));
        DynamodbStreamRecord record = new DynamodbStreamRecord();
        record.setEventName(before.isEmpty() ? "INSERT" : "MODIFY");
        record.setDynamodb(change);
        return record;
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
            converted.setL(value.l().stream().map(StreamRecord::converted).toList());
        }
        return converted;
    }
}
