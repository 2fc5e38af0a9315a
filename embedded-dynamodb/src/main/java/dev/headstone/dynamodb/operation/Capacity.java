package dev.headstone.dynamodb.operation;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Counts the capacity units that a request would cost at the service, without those of indexes, and
 * tells them if it was asked to. For one request.
 */
final class Capacity {
    private static final int READ_UNIT_BYTES = 4096;
    private static final int WRITE_UNIT_BYTES = 1024;

    private final Detail detail;
    private final Map<String, Double> unitsByTable = new LinkedHashMap<>();

    private enum Detail {
        INDEXES,
        TOTAL,
        NONE
    }

    private Capacity(Detail detail) {
        this.detail = detail;
    }

    /** Reads the parameter ReturnConsumedCapacity. */
    static Capacity from(Parameters parameters) {
        return new Capacity(
                parameters
                        .choice("ReturnConsumedCapacity", List.of("INDEXES", "TOTAL", "NONE"))
                        .map(Detail::valueOf)
                        .orElse(Detail.NONE));
    }

    void read(String table, long bytes, boolean consistent) {
        add(table, units(bytes, READ_UNIT_BYTES) * (consistent ? 1 : 0.5));
    }

    void readInTransaction(String table, long bytes) {
        add(table, units(bytes, READ_UNIT_BYTES) * 2);
    }

    void write(String table, long bytes) {
        add(table, units(bytes, WRITE_UNIT_BYTES));
    }

    void writeInTransaction(String table, long bytes) {
        add(table, units(bytes, WRITE_UNIT_BYTES) * 2);
    }

    private static double units(long bytes, int unit) {
        return Math.max(1, Math.ceilDiv(bytes, unit));
    }

    private void add(String table, double units) {
        if (detail != Detail.NONE) {
            unitsByTable.merge(table, units, Double::sum);
        }
    }

    /** Writes the field of a request on one table. */
    void writeOne(JsonGenerator out) throws IOException {
        for (Map.Entry<String, Double> entry : unitsByTable.entrySet()) {
            out.writeFieldName("ConsumedCapacity");
            write(entry, out);
        }
    }

    /** Writes the field of a request on several tables. */
    void writeAll(JsonGenerator out) throws IOException {
        if (unitsByTable.isEmpty()) {
            return;
        }
        out.writeArrayFieldStart("ConsumedCapacity");
        for (Map.Entry<String, Double> entry : unitsByTable.entrySet()) {
            write(entry, out);
        }
        out.writeEndArray();
    }

    private void write(Map.Entry<String, Double> entry, JsonGenerator out) throws IOException {
        out.writeStartObject();
        out.writeStringField("TableName", entry.getKey());
        out.writeNumberField("CapacityUnits", entry.getValue());
        if (detail == Detail.INDEXES) {
            out.writeObjectFieldStart("Table");
            out.writeNumberField("CapacityUnits", entry.getValue());
            out.writeEndObject();
        }
        out.writeEndObject();
    }
}
