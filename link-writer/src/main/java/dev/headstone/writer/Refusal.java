package dev.headstone.writer;

import org.jspecify.annotations.Nullable;

/**
 * Ends the reading of a body at its first fault. It never leaves {@link RequestBodies}, which makes
 * a {@link Reading.Rejected} of it.
 */
final class Refusal extends Exception {
    private static final long serialVersionUID = 1L;

    private final @Nullable String field;
    private final String why;

    Refusal(@Nullable String field, String why) {
        super(why, null, false, false); // callers send faults at will: no stack traces for them
        this.field = field;
        this.why = why;
    }

    <T> Reading<T> asReading() {
        return new Reading.Rejected<>(field, why);
    }
}
