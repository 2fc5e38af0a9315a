package dev.headstone.standalone.source;

import java.time.Duration;

/** Something that polls and calls a handler, from {@code start} to {@code close}. */
public sealed interface EventSource extends AutoCloseable permits StreamSource, QueueSource {
    /**
     * How long {@link #close} waits for handlers in hand before it interrupts them. The second that
     * is left of 5 s is for what is then still to be said to the other side.
     */
    Duration CLOSE_GRACE = Duration.ofSeconds(4);

    /** The name under which readiness and metrics speak of it. */
    String name();

    /**
     * Begins to poll, on threads of its own; does not wait for the first poll.
     *
     * @throws IllegalStateException when it was started or closed before
     */
    void start();

    /** How it is doing; never blocks. */
    SourceState state();

    /**
     * Stops polling and waits up to 5 s for what is in hand; what is not finished by then will come
     * again.
     */
    @Override
    void close();
}
