package dev.headstone.audit;

/** How what an audit event tells of came out. */
public enum AuditOutcome {
    /** The table holds the change; derived from its stream. */
    COMMITTED("committed"),
    /** Done and confirmed; a receipt was given. */
    SUCCESS("success"),
    /** The change stands, but the cache could not be confirmed. */
    INVALIDATE_FAILED("invalidate_failed"),
    /** The change stands, but its audit event was not accepted at first. */
    AUDIT_FAILED("audit_failed"),
    /** The caller may not, or the link's state forbids it. */
    REFUSED("refused"),
    /** A later change of the same link took its place. */
    SUPERSEDED("superseded"),
    /** Something was wrong and was put right. */
    REPAIRED("repaired");

    private final String wireName;

    AuditOutcome(String wireName) {
        this.wireName = wireName;
    }

    /** The name in JSON. */
    public String wireName() {
        return wireName;
    }
}
