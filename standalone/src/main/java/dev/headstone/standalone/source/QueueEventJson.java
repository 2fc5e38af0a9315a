package dev.headstone.standalone.source;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;

/**
 * Writes the event that Lambda would send for a batch of messages.
 *
 * @see <a href="https://docs.aws.amazon.com/lambda/latest/dg/with-sqs.html">Using Lambda with
 *     Amazon SQS: the event</a>
 */
final class QueueEventJson {
    private static final JsonFactory JSON = new JsonFactory();

    private final String queueArn;
    private final String region;

    QueueEventJson(String queueArn) {
        this.queueArn = queueArn;
        this.region = Arns.region(queueArn);
    }

    byte[] event(List<Message> messages) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(1024 * messages.size());
        try (JsonGenerator json = JSON.createGenerator(bytes)) {
            json.writeStartObject();
            json.writeArrayFieldStart("Records");
            for (Message message : messages) {
                writeMessage(json, message);
            }
            json.writeEndArray();
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory failed", e);
        }
        return bytes.toByteArray();
    }

    private void writeMessage(JsonGenerator json, Message message) throws IOException {
        json.writeStartObject();
        json.writeStringField("messageId", message.messageId());
        json.writeStringField("receiptHandle", message.receiptHandle());
        json.writeStringField("body", message.body());
        json.writeObjectFieldStart("attributes");
        for (Map.Entry<String, String> attribute : message.attributesAsStrings().entrySet()) {
            json.writeStringField(attribute.getKey(), attribute.getValue());
        }
        json.writeEndObject();
        json.writeObjectFieldStart("messageAttributes");
        for (Map.Entry<String, MessageAttributeValue> attribute :
                message.messageAttributes().entrySet()) {
            json.writeObjectFieldStart(attribute.getKey());
            writeAttribute(json, attribute.getValue());
            json.writeEndObject();
        }
        json.writeEndObject();
        if (message.md5OfMessageAttributes() != null) {
            json.writeStringField("md5OfMessageAttributes", message.md5OfMessageAttributes());
        }
        json.writeStringField("md5OfBody", message.md5OfBody());
        json.writeStringField("eventSource", "aws:sqs");
        json.writeStringField("eventSourceARN", queueArn);
        json.writeStringField("awsRegion", region);
        json.writeEndObject();
    }

    private static void writeAttribute(JsonGenerator json, MessageAttributeValue value)
            throws IOException {
        if (value.stringValue() != null) {
            json.writeStringField("stringValue", value.stringValue());
        }
        if (value.binaryValue() != null) {
            json.writeBinaryField("binaryValue", value.binaryValue().asByteArrayUnsafe());
        }
        // SQS has no list values yet; Lambda writes the empty lists.
        json.writeArrayFieldStart("stringListValues");
        json.writeEndArray();
        json.writeArrayFieldStart("binaryListValues");
        json.writeEndArray();
        json.writeStringField("dataType", value.dataType());
    }
}
