package dev.headstone.standalone.source;

import java.time.Instant;

/** How an event source is doing, for readiness. */
public sealed interface SourceState {
    /** Not started, or it has not yet reached what it polls. */
    record Starting() implements SourceState {}

    /** It polls, and what it last tried went well. */
    record Polling() implements SourceState {}

    /**
     * It goes on trying, and something fails.
     *
     * @param fault the kind of error
     * @param since when it began to fail without a success in between
     */
    record Troubled(String fault, Instant since) implements SourceState {}

    /** Closed. */
    record Stopped() implements SourceState {}
}
