package dev.headstone.auditlog;

import java.util.Map;
import java.util.regex.Pattern;

/** The settings of the audit writer. */
record AuditConfig(String table) {
    private static final String TABLE = "HEADSTONE_AUDIT_TABLE";
    private static final Pattern TABLE_NAME = Pattern.compile("[A-Za-z0-9_.-]{3,255}");

    /**
     * @throws IllegalArgumentException naming the variable that is malformed
     */
    static AuditConfig from(Map<String, String> environment) {
        String table = environment.getOrDefault(TABLE, "AuditLog");
        if (!TABLE_NAME.matcher(table).matches()) {
            throw new IllegalArgumentException(TABLE + ": not the name of a table");
        }
        return new AuditConfig(table);
    }
}
