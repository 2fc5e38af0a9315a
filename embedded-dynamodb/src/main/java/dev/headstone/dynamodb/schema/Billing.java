package dev.headstone.dynamodb.schema;

/** How the table would be paid for. Kept and told, without effect. */
public sealed interface Billing {
    /** By request. */
    record PayPerRequest() implements Billing {}

    /** By capacity units. */
    record Provisioned(long readUnits, long writeUnits) implements Billing {}
}
