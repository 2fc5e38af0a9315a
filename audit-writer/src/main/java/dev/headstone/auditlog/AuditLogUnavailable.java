package dev.headstone.auditlog;

/** The log's store cannot be read now. */
public final class AuditLogUnavailable extends RuntimeException {
    private static final long serialVersionUID = 1;

    AuditLogUnavailable(String message) {
        super(message);
    }

    AuditLogUnavailable(String message, Throwable cause) {
        super(message, cause);
    }
}
