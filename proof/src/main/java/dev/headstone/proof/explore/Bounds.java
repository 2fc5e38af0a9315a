package dev.headstone.proof.explore;

/**
 * How far a search may go. One that would have to go further is not complete, and says so.
 *
 * @param mostStates how many states are remembered at the most
 * @param stopAtFirst whether the search ends with the first violation, whatever else there is
 */
public record Bounds(int mostStates, boolean stopAtFirst) {
    /**
     * @throws IllegalArgumentException if not even the first state would be allowed
     */
    public Bounds {
        if (mostStates < 1) {
            throw new IllegalArgumentException("at least one state must be allowed");
        }
    }

    /** Everything, up to that many states. */
    public static Bounds all(int mostStates) {
        return new Bounds(mostStates, false);
    }

    /** To the first violation, up to that many states. */
    public static Bounds first(int mostStates) {
        return new Bounds(mostStates, true);
    }
}
