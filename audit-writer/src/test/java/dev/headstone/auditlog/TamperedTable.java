package dev.headstone.auditlog;

import dev.headstone.auditlog.LogEntry.Event;
import dev.headstone.auditlog.LogEntry.Marker;
import dev.headstone.auditlog.LogEntry.Place;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Somebody with a console. */
record TamperedTable(DynamoDbClient client, String table) implements Tampering {
    @Override
    public void put(LogEntry entry) {
        Map<String, AttributeValue> item =
                switch (entry) {
                    case Event event -> AuditItems.item(event);
                    case Marker marker -> AuditItems.item(marker);
                };
        client.putItem(request -> request.tableName(table).item(item));
    }

    @Override
    public void remove(Place place) {
        client.deleteItem(request -> request.tableName(table).key(AuditItems.key(place)));
    }

    @Override
    public void removeMarker(String eventId) {
        remove(AuditItems.markerPlace(eventId));
    }
}
