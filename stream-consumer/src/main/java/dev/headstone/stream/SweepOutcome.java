package dev.headstone.stream;

import dev.headstone.cache.CacheRun;
import java.time.Duration;

/** What became of a sweep. */
public sealed interface SweepOutcome {
    /**
     * Everything that died lately has been settled, confirmed, in this very run, which says so now.
     *
     * @param settled how many codes
     * @param took from the start of the sweep, interruptions included
     */
    record Swept(CacheRun run, long settled, Duration took) implements SweepOutcome {}

    /** The node changed meanwhile: what was settled may have been settled elsewhere. */
    record RunChanged() implements SweepOutcome {}

    /**
     * Something did not answer, or the time was used up; the next call goes on from there.
     *
     * @param why a phrase for the log
     */
    record Unfinished(String why) implements SweepOutcome {}
}
