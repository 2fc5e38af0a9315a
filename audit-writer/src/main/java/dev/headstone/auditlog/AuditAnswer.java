package dev.headstone.auditlog;

/** What a reader of the log gets. */
public sealed interface AuditAnswer {
    /** What was asked for, as JSON. */
    record Found(String json) implements AuditAnswer {}

    /**
     * The question cannot be answered as it was put.
     *
     * @param field the parameter at fault
     * @param problem what is wrong with it, for people
     */
    record Rejected(String field, String problem) implements AuditAnswer {}

    /** The log cannot be read now. */
    record Unavailable(Exception cause) implements AuditAnswer {}
}
