package dev.headstone.redirect;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Keeps a log readable while every click could write a line: one in a while is let through. What
 * there is to count is counted by the meters. Safe for use by several threads.
 */
final class SparseLog {
    private static final Duration APART = Duration.ofSeconds(1);

    private final AtomicReference<Instant> next = new AtomicReference<>(Instant.MIN);

    /** Whether a line may be written at {@code now}. */
    boolean admits(Instant now) {
        Instant due = next.get();
        return !now.isBefore(due) && next.compareAndSet(due, now.plus(APART));
    }
}
