package dev.headstone.dynamodb.schema;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The names by which the service's clients know tables and streams. */
public final class Arns {
    /** The region records and names claim to be of: none of the service's. */
    public static final String REGION = "local";

    private static final String TABLE_PREFIX =
            "arn:aws:dynamodb:" + REGION + ":000000000000:table/";
    private static final Pattern STREAM =
            Pattern.compile(Pattern.quote(TABLE_PREFIX) + "([^/]+)/stream/([^/]+)");

    private Arns() {}

    /** A stream's table and label. */
    record StreamName(String tableName, String label) {}

    /** The ARN of a table. */
    public static String table(String name) {
        return TABLE_PREFIX + name;
    }

    /** The ARN of an index. */
    public static String index(String table, String index) {
        return table(table) + "/index/" + index;
    }

    /** The ARN of a stream. */
    public static String stream(String table, String label) {
        return table(table) + "/stream/" + label;
    }

    /** The name of a table that is given by its name or its ARN. */
    public static String tableName(String nameOrArn) {
        return nameOrArn.startsWith(TABLE_PREFIX)
                ? nameOrArn.substring(TABLE_PREFIX.length())
                : nameOrArn;
    }

    static Optional<StreamName> streamName(String arn) {
        Matcher matcher = STREAM.matcher(arn);
        return matcher.matches()
                ? Optional.of(new StreamName(matcher.group(1), matcher.group(2)))
                : Optional.empty();
    }
}
