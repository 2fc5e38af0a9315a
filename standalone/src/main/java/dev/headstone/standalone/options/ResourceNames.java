package dev.headstone.standalone.options;

import java.util.Map;
import java.util.Optional;

/**
 * What tables and queues are called.
 *
 * @param linksTable the table of links; the project's other tables are named after it
 * @param auditTable the table of the audit log
 * @param auditQueue the FIFO queue of audit events; its name ends in {@code .fifo}
 */
public record ResourceNames(String linksTable, String auditTable, String auditQueue) {
    private static final String FIFO = ".fifo";

    /**
     * As the environment says.
     *
     * @throws Misuse naming a variable that is malformed
     */
    public static ResourceNames from(Map<String, String> environment) {
        return from(new Settings(Map.of(), environment));
    }

    static ResourceNames from(Settings settings) {
        return new ResourceNames(
                table(settings.variable("HEADSTONE_LINKS_TABLE"), "Links"),
                table(settings.variable("HEADSTONE_AUDIT_TABLE"), "AuditLog"),
                settings.variable("HEADSTONE_AUDIT_QUEUE")
                        .map(ResourceNames::queue)
                        .orElse("headstone-audit" + FIFO));
    }

    /** The queue of events that could not be recorded. */
    public String auditDeadLetters() {
        return auditQueue.substring(0, auditQueue.length() - FIFO.length()) + "-dlq" + FIFO;
    }

    /** DynamoDB allows 255 characters; the rest is for the suffixes of other tables. */
    private static String table(Optional<Given> given, String fallback) {
        given.filter(name -> !name.text().matches("[A-Za-z0-9_.-]{3,200}"))
                .ifPresent(
                        name -> {
                            throw name.refused("3 to 200 characters of A-Z a-z 0-9 _ . -");
                        });
        return given.map(Given::text).orElse(fallback);
    }

    /** SQS allows 80 characters; four of them are for the dead letters' name. */
    private static String queue(Given name) {
        if (!name.text().matches("[A-Za-z0-9_-]{1,71}\\.fifo")) {
            throw name.refused("1 to 71 characters of A-Z a-z 0-9 _ - followed by .fifo");
        }
        return name.text();
    }
}
