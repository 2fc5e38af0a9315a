package dev.headstone.table;

/** What is stored under an idempotency key. */
public sealed interface IdempotencyRead {
    /** This; it may have run out. */
    record Stored(Idempotency idempotency) implements IdempotencyRead {}

    /** Nothing. */
    record Unused() implements IdempotencyRead {}

    /** The table did not answer in its time, or refused. */
    record Failed(Exception cause) implements IdempotencyRead {}
}
