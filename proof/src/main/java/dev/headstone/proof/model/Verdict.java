package dev.headstone.proof.model;

import java.util.List;
import java.util.Set;

/**
 * What a search said.
 *
 * @param expected what is known to be broken under these rules; nothing for the rules as shipped
 * @param broken what was found broken
 * @param states how many different states were visited
 * @param steps how many steps were taken from them
 * @param depth of the longest way that had to be gone
 * @param runs how many runs of shipped code it took
 * @param complete whether everything was visited; without that, nothing has been shown
 * @param stories a shortest one for each combination of broken invariants
 */
public record Verdict(
        Set<Invariant> expected,
        Set<Invariant> broken,
        int states,
        long steps,
        int depth,
        int runs,
        boolean complete,
        List<Story> stories) {
    /** Keeps copies. */
    public Verdict {
        expected = Set.copyOf(expected);
        broken = Set.copyOf(broken);
        stories = List.copyOf(stories);
    }

    /** Whether everything was visited, and what was found is what was expected. */
    public boolean passes() {
        return complete && broken.equals(expected);
    }

    /** Whether no invariant was found broken; says nothing of a search that was cut short. */
    public boolean holds() {
        return broken.isEmpty();
    }
}
