package dev.headstone.table;

/** What became of a create. */
public sealed interface CreateOutcome {
    /** The link is there. */
    record Created() implements CreateOutcome {}

    /** The code has an item, dead or alive. */
    record CodeTaken() implements CreateOutcome {}

    /** The idempotency key has been used; {@link LinkTable#recall} tells for what. */
    record KeyTaken() implements CreateOutcome {}

    /** Nobody knows whether it was created. */
    record Failed(Exception cause) implements CreateOutcome {}
}
