package dev.headstone.proof.explore;

import java.util.List;

/**
 * What a search found.
 *
 * @param states how many different states were reached
 * @param steps how many steps were taken from them, which is how many transitions there are
 * @param depth the length of the longest of all shortest ways to a state
 * @param complete whether every state was expanded: only then does the absence of a violation mean
 *     anything
 * @param violations for each combination of broken invariants the first, and so shortest, way to it
 */
public record Exploration(
        int states, long steps, int depth, boolean complete, List<Violation> violations) {
    /** Keeps a copy of the list. */
    public Exploration {
        violations = List.copyOf(violations);
    }

    /**
     * A way to a violation.
     *
     * @param broken one bit for each invariant
     * @param story what happened, step by step; none shorter exists
     */
    public record Violation(int broken, List<String> story) {
        /** Keeps a copy of the story. */
        public Violation {
            story = List.copyOf(story);
        }
    }

    /** All invariants that were broken, one bit for each. */
    public int broken() {
        return violations.stream().mapToInt(Violation::broken).reduce(0, (a, b) -> a | b);
    }
}
