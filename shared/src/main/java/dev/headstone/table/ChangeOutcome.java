package dev.headstone.table;

/** What became of a conditional change. */
public sealed interface ChangeOutcome {
    /** It is made, durably, and so is its entry in the index of deaths. */
    record Changed() implements ChangeOutcome {}

    /** The item no longer is what the change was made for; nothing was written. */
    record Conflict() implements ChangeOutcome {}

    /** Nobody knows whether it was made. */
    record Failed(Exception cause) implements ChangeOutcome {}
}
