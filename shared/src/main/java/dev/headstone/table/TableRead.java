package dev.headstone.table;

import dev.headstone.link.Link;

/** What one consistent read gave. */
public sealed interface TableRead {
    /** The item, readable. */
    record Found(Link link) implements TableRead {}

    /** No such item. */
    record Absent() implements TableRead {}

    /**
     * There is an item, but it is no link: trying again would not help.
     *
     * @param why names the attribute at fault, never its value
     */
    record Unreadable(String why) implements TableRead {}

    /** The table did not answer in its time, or refused. */
    record Failed(Exception cause) implements TableRead {}
}
