package dev.headstone.proof.explore;

/** Who watches a search. Called on the searching thread, every few thousand states. */
@FunctionalInterface
public interface Progress {
    /** Nobody watches. */
    Progress UNWATCHED = (_, _, _) -> true;

    /**
     * So far.
     *
     * @param states how many different states were reached
     * @param steps how many steps were taken
     * @param depth the number of steps from the first state to those that are looked at now
     * @return whether to go on; a search that is stopped is not complete
     */
    boolean reached(int states, long steps, int depth);
}
