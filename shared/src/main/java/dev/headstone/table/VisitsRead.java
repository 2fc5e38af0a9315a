package dev.headstone.table;

/** What became of reading the counted visits of a link. */
public sealed interface VisitsRead {
    /** What has been written so far. */
    record Counted(VisitHistory history) implements VisitsRead {}

    /** The table did not answer. */
    record Failed(Exception cause) implements VisitsRead {}
}
