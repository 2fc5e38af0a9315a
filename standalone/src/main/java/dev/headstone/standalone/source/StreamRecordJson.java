package dev.headstone.standalone.source;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.Record;
import software.amazon.awssdk.services.dynamodb.model.StreamRecord;

/**
 * Writes a stream record as Lambda sends it. Total: whatever the stream holds becomes JSON, so that
 * no record is stuck before its handler has seen it.
 *
 * @see <a href="https://docs.aws.amazon.com/lambda/latest/dg/with-ddb.html">Using Lambda with
 *     DynamoDB: the event</a>
 */
final class StreamRecordJson {
    private static final JsonFactory JSON = new JsonFactory();

    private final String streamArn;
    private final String region;
    private final InstantSource clock;

    StreamRecordJson(String streamArn, InstantSource clock) {
        this.streamArn = streamArn;
        this.region = Arns.region(streamArn);
        this.clock = clock;
    }

    StreamEntry entry(Record record) {
        StreamRecord change = record.dynamodb();
        Instant createdAt =
                change.approximateCreationDateTime() == null
                        ? clock.instant()
                        : change.approximateCreationDateTime();
        return new StreamEntry(change.sequenceNumber(), createdAt, json(record, createdAt));
    }

    private String json(Record record, Instant createdAt) {
        StringWriter text = new StringWriter(1024);
        try (JsonGenerator json = JSON.createGenerator(text)) {
            json.writeStartObject();
            json.writeStringField("eventID", record.eventID());
            json.writeStringField("eventName", record.eventNameAsString());
            json.writeStringField("eventVersion", "1.1");
            json.writeStringField("eventSource", "aws:dynamodb");
            json.writeStringField("awsRegion", region);
            json.writeObjectFieldStart("dynamodb");
            writeChange(json, record.dynamodb(), createdAt);
            json.writeEndObject();
            json.writeStringField("eventSourceARN", streamArn);
            if (record.userIdentity() != null) {
                json.writeObjectFieldStart("userIdentity");
                json.writeStringField("type", record.userIdentity().type());
                json.writeStringField("principalId", record.userIdentity().principalId());
                json.writeEndObject();
            }
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException("a string writer failed", e);
        }
        return text.toString();
    }

    private static void writeChange(JsonGenerator json, StreamRecord change, Instant createdAt)
            throws IOException {
        // Whole seconds, rounded down, is all that the service promises.
        json.writeNumberField("ApproximateCreationDateTime", createdAt.getEpochSecond());
        if (change.hasKeys()) {
            writeItem(json, "Keys", change.keys());
        }
        if (change.hasNewImage()) {
            writeItem(json, "NewImage", change.newImage());
        }
        if (change.hasOldImage()) {
            writeItem(json, "OldImage", change.oldImage());
        }
        json.writeStringField("SequenceNumber", change.sequenceNumber());
        if (change.sizeBytes() != null) {
            json.writeNumberField("SizeBytes", change.sizeBytes());
        }
        if (change.streamViewTypeAsString() != null) {
            json.writeStringField("StreamViewType", change.streamViewTypeAsString());
        }
    }

    private static void writeItem(
            JsonGenerator json, String name, Map<String, AttributeValue> attributes)
            throws IOException {
        json.writeFieldName(name);
        writeMap(json, attributes);
    }

    private static void writeMap(JsonGenerator json, Map<String, AttributeValue> attributes)
            throws IOException {
        json.writeStartObject();
        for (Map.Entry<String, AttributeValue> attribute : attributes.entrySet()) {
            json.writeFieldName(attribute.getKey());
            writeValue(json, attribute.getValue());
        }
        json.writeEndObject();
    }

    private static void writeValue(JsonGenerator json, AttributeValue value) throws IOException {
        json.writeStartObject();
        switch (value.type()) {
            case S -> json.writeStringField("S", value.s());
            case N -> json.writeStringField("N", value.n());
            case B -> json.writeBinaryField("B", value.b().asByteArrayUnsafe());
            case BOOL -> json.writeBooleanField("BOOL", value.bool());
            case NUL -> json.writeBooleanField("NULL", value.nul());
            case SS -> writeStrings(json, "SS", value.ss());
            case NS -> writeStrings(json, "NS", value.ns());
            case BS -> {
                json.writeArrayFieldStart("BS");
                for (SdkBytes bytes : value.bs()) {
                    json.writeBinary(bytes.asByteArrayUnsafe());
                }
                json.writeEndArray();
            }
            case L -> {
                json.writeArrayFieldStart("L");
                for (AttributeValue element : value.l()) {
                    writeValue(json, element);
                }
                json.writeEndArray();
            }
            case M -> {
                json.writeFieldName("M");
                writeMap(json, value.m());
            }
            // A type of tomorrow: an empty object, which the handler sees and sets aside.
            case UNKNOWN_TO_SDK_VERSION -> {}
        }
        json.writeEndObject();
    }

    private static void writeStrings(JsonGenerator json, String type, Iterable<String> values)
            throws IOException {
        json.writeArrayFieldStart(type);
        for (String value : values) {
            json.writeString(value);
        }
        json.writeEndArray();
    }
}
