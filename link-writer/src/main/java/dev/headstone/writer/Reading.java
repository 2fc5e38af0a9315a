package dev.headstone.writer;

import org.jspecify.annotations.Nullable;

/**
 * What became of something a caller sent.
 *
 * @param <T> what it should be
 */
public sealed interface Reading<T> {
    /** It is acceptable, and means this. */
    record Valid<T>(T value) implements Reading<T> {}

    /**
     * It is not acceptable.
     *
     * @param field the field at fault as the caller wrote it, {@code tags[3]} say, the header's
     *     name, or null if the body as a whole is at fault
     * @param why the rule that was broken, a sentence for a person
     */
    record Rejected<T>(@Nullable String field, String why) implements Reading<T> {}

    /** It is a body of more than {@link RequestBodies#MAX_BYTES} and was not looked at. */
    record TooLarge<T>() implements Reading<T> {}
}
