package dev.headstone.proof.explore;

import java.util.List;

/**
 * What can be explored: a first state and the steps from each state, none of them random. A state
 * is a fixed number of words, and equal words are the same state. For one thread.
 */
public interface StateSpace {
    /** How many words a state has. */
    int words();

    /** Writes the first state into {@code state}. */
    void first(long[] state);

    /** Takes every step from {@code state} once. */
    void expand(long[] state, Steps steps);

    /** Every step from {@code state} again, in the same order, told in words. */
    List<Told> tell(long[] state);

    /** Where steps go. */
    @FunctionalInterface
    interface Steps {
        /**
         * A step was taken.
         *
         * @param to where it leads, valid during the call only
         * @param violations what it breaks: one bit for each invariant, 0 for none
         */
        void taken(long[] to, int violations);
    }

    /** A step in words. */
    final class Told {
        private final long[] to;
        private final int violations;
        private final String text;

        /**
         * @param text what happened, for people
         */
        public Told(long[] to, int violations, String text) {
            this.to = to.clone();
            this.violations = violations;
            this.text = text;
        }

        /** Where it leads. */
        public long[] to() {
            return to.clone();
        }

        /** What it breaks. */
        public int violations() {
            return violations;
        }

        /** What happened. */
        public String text() {
            return text;
        }
    }
}
