package dev.headstone.auditlog;

import dev.headstone.lambda.Environment;
import dev.headstone.lambda.Names;

/** The settings of the audit writer. */
record AuditConfig(String table) {
    /**
     * @throws IllegalArgumentException naming the variable that is malformed
     */
    static AuditConfig from(Environment environment) {
        return new AuditConfig(Names.auditTable(environment));
    }
}
