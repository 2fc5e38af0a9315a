package dev.headstone.standalone.source;

import java.util.Locale;
import java.util.Set;

/**
 * What became of one call of a handler, as an event source mapping that reports batch item failures
 * reads it.
 */
sealed interface Answer {
    /** All of the batch is settled. */
    record Accepted() implements Answer {}

    /** These items of the batch are not settled; at least one, none of them empty. */
    record ItemsFailed(Set<String> identifiers) implements Answer {
        public ItemsFailed {
            identifiers = Set.copyOf(identifiers);
        }
    }

    /**
     * Nothing of the batch counts as settled.
     *
     * @param fault the kind of error, fit for a log line: never an error's message, which may hold
     *     a destination
     */
    record Failed(Kind kind, String fault) implements Answer {}

    /** How a call failed as a whole. */
    enum Kind {
        /** The handler threw. */
        THREW,
        /** The handler did not answer before its deadline. */
        TIMED_OUT,
        /** The handler's response cannot be read, or names what was not in the batch. */
        MALFORMED;

        String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
