package dev.headstone.dynamodb.operation;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.headstone.dynamodb.schema.Arns;
import dev.headstone.dynamodb.schema.Catalog;
import dev.headstone.dynamodb.schema.Stream;
import dev.headstone.dynamodb.storage.Snapshot;
import dev.headstone.dynamodb.storage.Storage;
import dev.headstone.dynamodb.stream.Author;
import dev.headstone.dynamodb.stream.IteratorStart;
import dev.headstone.dynamodb.stream.RecordPage;
import dev.headstone.dynamodb.stream.StreamDescription;
import dev.headstone.dynamodb.stream.StreamRecord;
import dev.headstone.dynamodb.stream.Streams;
import dev.headstone.dynamodb.value.Item;
import dev.headstone.dynamodb.value.ItemJson;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The operations on streams. */
final class StreamOperations {
    private static final int MAX_STREAMS = 100;
    private static final int MAX_SHARDS = 100;
    private static final int MAX_RECORDS = 1000;

    private final Storage storage;
    private final Catalog catalog;
    private final Streams streams;
    private final InstantSource clock;

    StreamOperations(Storage storage, Catalog catalog, Streams streams, InstantSource clock) {
        this.storage = storage;
        this.catalog = catalog;
        this.streams = streams;
        this.clock = clock;
    }

    Answer listStreams(Parameters parameters) {
        Optional<String> table = parameters.text("TableName").map(Arns::tableName);
        Optional<String> after = parameters.text("ExclusiveStartStreamArn");
        int limit = parameters.number("Limit", 1, MAX_STREAMS).orElse(MAX_STREAMS);
        parameters.requireNoOthers();
        List<Stream> all;
        try (Snapshot snapshot = storage.snapshot()) {
            all = catalog.streams(snapshot);
        }
        List<Stream> found =
                all.stream()
                        .filter(stream -> table.isEmpty() || table.get().equals(stream.tableName()))
                        .dropWhile(stream -> after.isPresent() && !after.get().equals(stream.arn()))
                        .skip(after.isPresent() ? 1 : 0)
                        .toList();
        List<Stream> page = found.stream().limit(limit).toList();
        return out -> {
            out.writeArrayFieldStart("Streams");
            for (Stream stream : page) {
                out.writeStartObject();
                out.writeStringField("StreamArn", stream.arn());
                out.writeStringField("TableName", stream.tableName());
                out.writeStringField("StreamLabel", stream.label());
                out.writeEndObject();
            }
            out.writeEndArray();
            if (found.size() > limit) {
                out.writeStringField("LastEvaluatedStreamArn", page.getLast().arn());
            }
        };
    }

    Answer describeStream(Parameters parameters) {
        String arn = parameters.requiredText("StreamArn");
        Optional<String> after = parameters.text("ExclusiveStartShardId");
        int limit = parameters.number("Limit", 1, MAX_SHARDS).orElse(MAX_SHARDS);
        Optional<String> parent =
                parameters.structure("ShardFilter").map(StreamOperations::parentOfChildren);
        parameters.requireNoOthers();
        StreamDescription description;
        try (Snapshot snapshot = storage.snapshot()) {
            description = streams.describe(snapshot, arn, after, parent, limit);
        }
        return out -> write(description, out);
    }

    private static String parentOfChildren(Parameters filter) {
        filter.requiredText("Type");
        filter.choice("Type", List.of("CHILD_SHARDS"));
        String parent = filter.requiredText("ShardId");
        filter.requireNoOthers();
        return parent;
    }

    private static void write(StreamDescription description, JsonGenerator out) throws IOException {
        Stream stream = description.stream();
        out.writeObjectFieldStart("StreamDescription");
        out.writeStringField("StreamArn", stream.arn());
        out.writeStringField("StreamLabel", stream.label());
        out.writeStringField(
                "StreamStatus", stream.disabledAt().isPresent() ? "DISABLED" : "ENABLED");
        out.writeStringField("StreamViewType", stream.viewType().name());
        out.writeStringField("TableName", stream.tableName());
        TableDescriptions.writeInstant("CreationRequestDateTime", stream.createdAt(), out);
        TableDescriptions.writeKey(stream.key(), out);
        out.writeArrayFieldStart("Shards");
        for (StreamDescription.ShardDescription shard : description.shards()) {
            write(shard, out);
        }
        out.writeEndArray();
        if (description.lastEvaluatedShardId().isPresent()) {
            out.writeStringField("LastEvaluatedShardId", description.lastEvaluatedShardId().get());
        }
        out.writeEndObject();
    }

    private static void write(StreamDescription.ShardDescription shard, JsonGenerator out)
            throws IOException {
        out.writeStartObject();
        out.writeStringField("ShardId", shard.id());
        if (shard.parentId().isPresent()) {
            out.writeStringField("ParentShardId", shard.parentId().get());
        }
        out.writeObjectFieldStart("SequenceNumberRange");
        out.writeStringField("StartingSequenceNumber", shard.startingSequenceNumber());
        if (shard.endingSequenceNumber().isPresent()) {
            out.writeStringField("EndingSequenceNumber", shard.endingSequenceNumber().get());
        }
        out.writeEndObject();
        out.writeEndObject();
    }

    Answer getShardIterator(Parameters parameters) {
        String arn = parameters.requiredText("StreamArn");
        String shard = parameters.requiredText("ShardId");
        String type = parameters.requiredText("ShardIteratorType");
        parameters.choice(
                "ShardIteratorType",
                List.of("AFTER_SEQUENCE_NUMBER", "LATEST", "AT_SEQUENCE_NUMBER", "TRIM_HORIZON"));
        Optional<String> sequenceNumber = parameters.text("SequenceNumber");
        parameters.requireNoOthers();
        IteratorStart start =
                switch (type) {
                    case "TRIM_HORIZON" -> new IteratorStart.TrimHorizon();
                    case "LATEST" -> new IteratorStart.Latest();
                    case "AT_SEQUENCE_NUMBER" ->
                            new IteratorStart.At(
                                    sequenceNumber.orElseThrow(
                                            () -> parameters.missing("SequenceNumber")));
                    default ->
                            new IteratorStart.After(
                                    sequenceNumber.orElseThrow(
                                            () -> parameters.missing("SequenceNumber")));
                };
        String iterator;
        try (Snapshot snapshot = storage.snapshot()) {
            iterator = streams.iterator(snapshot, arn, shard, start, clock.instant());
        }
        return out -> out.writeStringField("ShardIterator", iterator);
    }

    Answer getRecords(Parameters parameters) {
        String iterator = parameters.requiredText("ShardIterator");
        int limit = parameters.number("Limit", 1, MAX_RECORDS).orElse(MAX_RECORDS);
        parameters.requireNoOthers();
        RecordPage page;
        try (Snapshot snapshot = storage.snapshot()) {
            page = streams.read(snapshot, iterator, limit, clock.instant());
        }
        return out -> write(page, out);
    }

    private static void write(RecordPage page, JsonGenerator out) throws IOException {
        out.writeArrayFieldStart("Records");
        for (StreamRecord record : page.records()) {
            write(page.stream(), record, out);
        }
        out.writeEndArray();
        if (page.nextIterator().isPresent()) {
            out.writeStringField("NextShardIterator", page.nextIterator().get());
        }
    }

    private static void write(Stream stream, StreamRecord record, JsonGenerator out)
            throws IOException {
        out.writeStartObject();
        out.writeStringField("awsRegion", Arns.REGION);
        out.writeStringField("eventID", eventId(stream, record));
        out.writeStringField("eventName", record.kind().name());
        out.writeStringField("eventSource", "aws:dynamodb");
        out.writeStringField("eventVersion", "1.1");
        if (record.author() == Author.EXPIRY) {
            out.writeObjectFieldStart("userIdentity");
            out.writeStringField("PrincipalId", "dynamodb.amazonaws.com");
            out.writeStringField("Type", "Service");
            out.writeEndObject();
        }
        out.writeObjectFieldStart("dynamodb");
        // Whole seconds, as at the service.
        out.writeNumberField("ApproximateCreationDateTime", record.at().getEpochSecond());
        writeItem("Keys", Optional.of(record.keys()), out);
        writeItem("NewImage", record.newImage(), out);
        writeItem("OldImage", record.oldImage(), out);
        out.writeStringField("SequenceNumber", record.sequenceNumber());
        out.writeNumberField("SizeBytes", record.sizeBytes());
        out.writeStringField("StreamViewType", stream.viewType().name());
        out.writeEndObject();
        out.writeEndObject();
    }

    private static void writeItem(String name, Optional<Item> item, JsonGenerator out)
            throws IOException {
        if (item.isPresent()) {
            out.writeFieldName(name);
            ItemJson.write(item.get(), out);
        }
    }

    /** The same for each reading of a record, and another for each record. */
    private static String eventId(Stream stream, StreamRecord record) {
        String name = stream.arn() + '/' + record.sequenceNumber();
        return UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8))
                .toString()
                .replace("-", "");
    }
}
