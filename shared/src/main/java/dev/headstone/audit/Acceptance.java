package dev.headstone.audit;

/** Whether the queue has an event. */
public sealed interface Acceptance {
    /** The queue has it and will deliver it. */
    record Accepted() implements Acceptance {}

    /**
     * Nobody knows whether the queue has it: it may still be delivered. Sending the same event
     * again is safe, the log keeps it once.
     */
    record NotAccepted(Exception cause) implements Acceptance {}
}
