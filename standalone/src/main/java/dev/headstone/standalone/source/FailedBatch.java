package dev.headstone.standalone.source;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.Optional;

/**
 * A batch that was given up, with its records, so that it can be looked at and handled again.
 *
 * @param shardId with the two sequence numbers, what identifies the batch: giving up the same batch
 *     again replaces it
 * @param at when it was given up
 * @param invocations how often the handler was called with exactly these records
 * @param fault the kind of the last error; empty when the handler only reported the record, or
 *     never saw it
 * @param size how many records
 * @param event the whole event, as the handler got it
 */
public record FailedBatch(
        String streamArn,
        String shardId,
        String firstSequenceNumber,
        String lastSequenceNumber,
        Instant firstArrival,
        Instant lastArrival,
        int size,
        Condition condition,
        Instant at,
        int invocations,
        Optional<String> fault,
        String event) {
    private static final JsonFactory JSON = new JsonFactory();

    /** Why a batch was given up. */
    public enum Condition {
        /** The maximum of retries was reached. */
        RETRY_ATTEMPTS_EXHAUSTED("RetryAttemptsExhausted"),
        /** The records are older than the maximum. */
        RECORD_AGE_EXCEEDED("RecordAgeExceeded");

        private final String name;

        Condition(String name) {
            this.name = name;
        }
    }

    /**
     * The batch as JSON, in the shape in which Lambda writes an invocation record to an on-failure
     * destination that takes the whole event.
     *
     * @see <a
     *     href="https://docs.aws.amazon.com/lambda/latest/dg/services-dynamodb-errors.html">Retain
     *     discarded records for a DynamoDB event source in Lambda</a>
     */
    public String toJson() {
        StringWriter text = new StringWriter(event.length() + 1024);
        try (JsonGenerator json = JSON.createGenerator(text)) {
            json.writeStartObject();
            json.writeObjectFieldStart("requestContext");
            json.writeStringField("condition", condition.name);
            json.writeNumberField("approximateInvokeCount", invocations);
            json.writeEndObject();
            json.writeObjectFieldStart("responseContext");
            json.writeNumberField("statusCode", 200);
            json.writeStringField("executedVersion", "$LATEST");
            if (fault.isPresent()) {
                json.writeStringField("functionError", fault.get());
            }
            json.writeEndObject();
            json.writeStringField("version", "1.0");
            json.writeStringField("timestamp", DateTimeFormatter.ISO_INSTANT.format(at));
            json.writeObjectFieldStart("DDBStreamBatchInfo");
            json.writeStringField("shardId", shardId);
            json.writeStringField("startSequenceNumber", firstSequenceNumber);
            json.writeStringField("endSequenceNumber", lastSequenceNumber);
            json.writeStringField(
                    "approximateArrivalOfFirstRecord",
                    DateTimeFormatter.ISO_INSTANT.format(firstArrival));
            json.writeStringField(
                    "approximateArrivalOfLastRecord",
                    DateTimeFormatter.ISO_INSTANT.format(lastArrival));
            json.writeNumberField("batchSize", size);
            json.writeStringField("streamArn", streamArn);
            json.writeEndObject();
            json.writeStringField("payload", event);
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException("a string writer failed", e);
        }
        return text.toString();
    }
}
