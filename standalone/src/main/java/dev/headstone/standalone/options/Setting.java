package dev.headstone.standalone.options;

import java.util.Locale;

/** One option of {@code serve}, which is also an environment variable. */
public enum Setting {
    /** The port of the redirect listener. */
    PORT("PORT", "8080", "port for redirects; 0 takes a free one"),
    /** The port of the control listener. */
    CONTROL_PORT("PORT", "8081", "port for the control API and the page; 0 takes a free one"),
    /** The address of the redirect listener. */
    BIND("ADDRESS", "127.0.0.1", "address for redirects"),
    /** The address of the control listener. */
    CONTROL_BIND("ADDRESS", "127.0.0.1", "address for the control API and the page"),
    /** The folder that holds everything kept between two runs. */
    DATA("DIR", "./data", "folder for everything that is kept"),
    /** Whether table and queue live in memory only. */
    IN_MEMORY("", "off", "keep nothing: table and queue end with the process"),
    /** The prefix of short URLs. */
    BASE_URL(
            "URL",
            "http://127.0.0.1:<port>",
            "prefix of short URLs; its host may not be a destination"),
    /** Where the table is. */
    TABLE(
            "embedded|aws",
            "embedded",
            "where the table is; aws: the AWS SDK's own configuration decides"),
    /** Where the queue is. */
    QUEUE(
            "embedded|aws",
            "embedded",
            "where the queue is; aws: the AWS SDK's own configuration decides"),
    /** Where the cache is. */
    REDIS(
            "embedded|URI",
            "embedded",
            "where the cache is: redis://, rediss://, redis-sentinel://, redis-cluster://h1,h2"),
    /** Whether missing tables, streams and queues are created. */
    CREATE_RESOURCES(
            "",
            "on when embedded",
            "create missing tables, streams and queues; existing ones stay as they are"),
    /** How many replicas must acknowledge a confirmed write. */
    REDIS_ACKS("N", "0", "replicas that must acknowledge a confirmed write"),
    /** Whether the store persists a write before it answers. */
    REDIS_DURABLE("", "off", "the store persists a write before it answers"),
    /** Whether visits are counted beside the redirects. */
    COUNT_VISITS("on|off", "on", "count the visits of all links; limits hold either way"),
    /** The status that taken-down links are answered with. */
    GONE_STATUS("404|410|451", "404", "HTTP status of taken-down links");

    private final String label;
    private final String fallback;
    private final String description;

    Setting(String label, String fallback, String description) {
        this.label = label;
        this.fallback = fallback;
        this.description = description;
    }

    /** The option as it is typed, such as {@code --control-port}. */
    public String option() {
        return "--" + name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The environment variable of the same meaning, such as {@code HEADSTONE_CONTROL_PORT}. */
    public String variable() {
        return "HEADSTONE_" + name();
    }

    /** What stands for the value in the help; empty for a switch, which takes none. */
    String label() {
        return label;
    }

    /** Whether the option is a switch, on or off. */
    boolean isSwitch() {
        return label.isEmpty();
    }

    /** The value that holds when nothing else is said. */
    String fallback() {
        return fallback;
    }

    String description() {
        return description;
    }
}
