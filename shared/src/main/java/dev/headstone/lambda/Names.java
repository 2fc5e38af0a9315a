package dev.headstone.lambda;

import dev.headstone.table.TableNames;
import java.net.URI;

/** What tables and queues are called, as the variables say. */
public final class Names {
    private static final String TABLE_FORM = "[A-Za-z0-9_.-]{3,200}"; // the rest is for suffixes
    private static final String TABLE_MUST_BE = "3 to 200 characters of A-Z a-z 0-9 _ . -";

    private Names() {}

    /**
     * The table of links and those named after it: {@code HEADSTONE_LINKS_TABLE}, {@code Links} by
     * default.
     *
     * @throws IllegalArgumentException naming the variable, if it is no name
     */
    public static TableNames tables(Environment environment) {
        return new TableNames(
                environment.text("HEADSTONE_LINKS_TABLE", "Links", TABLE_FORM, TABLE_MUST_BE));
    }

    /**
     * The table of the audit log: {@code HEADSTONE_AUDIT_TABLE}, {@code AuditLog} by default.
     *
     * @throws IllegalArgumentException naming the variable, if it is no name
     */
    public static String auditTable(Environment environment) {
        return environment.text("HEADSTONE_AUDIT_TABLE", "AuditLog", TABLE_FORM, TABLE_MUST_BE);
    }

    /**
     * The audit queue: {@code HEADSTONE_AUDIT_QUEUE}, {@code headstone-audit.fifo} by default.
     *
     * @throws IllegalArgumentException naming the variable, if it is no name of a FIFO queue
     */
    public static String auditQueue(Environment environment) {
        return environment.text(
                "HEADSTONE_AUDIT_QUEUE",
                "headstone-audit.fifo",
                "[A-Za-z0-9_-]{1,71}\\.fifo",
                "1 to 71 characters of A-Z a-z 0-9 _ - followed by .fifo");
    }

    /**
     * What codes are appended to for their short URLs.
     *
     * @throws IllegalArgumentException if it is no such prefix
     */
    public static URI baseUrl(String text) {
        URI uri = URI.create(text);
        if (uri.getHost() == null
                || !String.valueOf(uri.getScheme()).matches("https?")
                || uri.getRawUserInfo() != null
                || uri.getRawQuery() != null
                || uri.getRawFragment() != null) {
            throw new IllegalArgumentException("not the prefix of a short URL");
        }
        return uri;
    }
}
