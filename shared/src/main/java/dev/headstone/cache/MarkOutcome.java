package dev.headstone.cache;

/** What became of marking a run as swept. */
public sealed interface MarkOutcome {
    /** The marker lies in the cache. */
    record Marked() implements MarkOutcome {}

    /**
     * It may or may not lie there.
     *
     * @param why a constant phrase, for the log
     */
    record NotMarked(String why) implements MarkOutcome {}
}
