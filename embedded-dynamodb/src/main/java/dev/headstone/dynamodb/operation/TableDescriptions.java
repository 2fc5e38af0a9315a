package dev.headstone.dynamodb.operation;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.headstone.dynamodb.schema.Arns;
import dev.headstone.dynamodb.schema.Billing;
import dev.headstone.dynamodb.schema.Index;
import dev.headstone.dynamodb.schema.KeyAttribute;
import dev.headstone.dynamodb.schema.KeySchema;
import dev.headstone.dynamodb.schema.Projection;
import dev.headstone.dynamodb.schema.Stream;
import dev.headstone.dynamodb.schema.Table;
import dev.headstone.dynamodb.storage.Tree;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.function.ToLongFunction;

/** Tables as the service describes them. */
final class TableDescriptions {
    private TableDescriptions() {}

    /** Counts the entries of a tree. */
    interface Count extends ToLongFunction<Tree> {
        /** The count of a table that has nothing in it. */
        Count NOTHING = _ -> 0;
    }

    static void write(Table table, String status, Count count, JsonGenerator out)
            throws IOException {
        out.writeStartObject();
        out.writeStringField("TableName", table.name());
        out.writeStringField("TableArn", Arns.table(table.name()));
        out.writeStringField("TableId", table.id());
        out.writeStringField("TableStatus", status);
        writeInstant("CreationDateTime", table.createdAt(), out);
        out.writeNumberField("ItemCount", count.applyAsLong(table.items()));
        writeKey(table.key(), out);
        out.writeArrayFieldStart("AttributeDefinitions");
        for (KeyAttribute attribute : table.attributes()) {
            out.writeStartObject();
            out.writeStringField("AttributeName", attribute.name());
            out.writeStringField("AttributeType", attribute.type().name());
            out.writeEndObject();
        }
        out.writeEndArray();
        writeBilling(table.billing(), out);
        out.writeBooleanField("DeletionProtectionEnabled", table.deletionProtected());
        if (!table.indexes().isEmpty()) {
            out.writeArrayFieldStart("GlobalSecondaryIndexes");
            for (Index index : table.indexes()) {
                write(table, index, count, out);
            }
            out.writeEndArray();
        }
        if (table.stream().isPresent()) {
            write(table.stream().get(), out);
        }
        out.writeEndObject();
    }

    private static void write(Stream stream, JsonGenerator out) throws IOException {
        out.writeObjectFieldStart("StreamSpecification");
        out.writeBooleanField("StreamEnabled", true);
        out.writeStringField("StreamViewType", stream.viewType().name());
        out.writeEndObject();
        out.writeStringField("LatestStreamLabel", stream.label());
        out.writeStringField("LatestStreamArn", stream.arn());
    }

    private static void write(Table table, Index index, Count count, JsonGenerator out)
            throws IOException {
        out.writeStartObject();
        out.writeStringField("IndexName", index.name());
        out.writeStringField("IndexArn", Arns.index(table.name(), index.name()));
        out.writeStringField("IndexStatus", "ACTIVE");
        out.writeNumberField("ItemCount", count.applyAsLong(index.entries()));
        writeKey(index.key(), out);
        out.writeObjectFieldStart("Projection");
        switch (index.projection()) {
            case Projection.All _ -> out.writeStringField("ProjectionType", "ALL");
            case Projection.KeysOnly _ -> out.writeStringField("ProjectionType", "KEYS_ONLY");
            case Projection.Include(List<String> names) -> {
                out.writeStringField("ProjectionType", "INCLUDE");
                out.writeArrayFieldStart("NonKeyAttributes");
                for (String name : names) {
                    out.writeString(name);
                }
                out.writeEndArray();
            }
        }
        out.writeEndObject();
        writeThroughput(table.billing(), out);
        out.writeEndObject();
    }

    static void writeKey(KeySchema key, JsonGenerator out) throws IOException {
        out.writeArrayFieldStart("KeySchema");
        writeKeyElement(key.hash(), "HASH", out);
        if (key.range().isPresent()) {
            writeKeyElement(key.range().get(), "RANGE", out);
        }
        out.writeEndArray();
    }

    private static void writeKeyElement(KeyAttribute attribute, String type, JsonGenerator out)
            throws IOException {
        out.writeStartObject();
        out.writeStringField("AttributeName", attribute.name());
        out.writeStringField("KeyType", type);
        out.writeEndObject();
    }

    private static void writeBilling(Billing billing, JsonGenerator out) throws IOException {
        switch (billing) {
            case Billing.PayPerRequest _ -> {
                out.writeObjectFieldStart("BillingModeSummary");
                out.writeStringField("BillingMode", "PAY_PER_REQUEST");
                out.writeEndObject();
            }
            case Billing.Provisioned _ -> {} // the service has no summary for what was always so
        }
        writeThroughput(billing, out);
    }

    private static void writeThroughput(Billing billing, JsonGenerator out) throws IOException {
        out.writeObjectFieldStart("ProvisionedThroughput");
        switch (billing) {
            case Billing.PayPerRequest _ -> writeUnits(0, 0, out);
            case Billing.Provisioned(long reads, long writes) -> writeUnits(reads, writes, out);
        }
        out.writeEndObject();
    }

    private static void writeUnits(long reads, long writes, JsonGenerator out) throws IOException {
        out.writeNumberField("NumberOfDecreasesToday", 0);
        out.writeNumberField("ReadCapacityUnits", reads);
        out.writeNumberField("WriteCapacityUnits", writes);
    }

    /** Instants are seconds with a fraction on the wire. */
    static void writeInstant(String name, Instant instant, JsonGenerator out) throws IOException {
        out.writeNumberField(name, BigDecimal.valueOf(instant.toEpochMilli(), 3));
    }
}
