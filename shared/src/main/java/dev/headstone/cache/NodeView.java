package dev.headstone.cache;

/** What one observation of the cache's node showed. */
public sealed interface NodeView {
    /**
     * The connections lead to a primary, and whoever names primaries names this one.
     *
     * @param incarnation of the connections that were asked, the same from the start of the
     *     observation to its end
     * @param swept whether the marker of this very run was there, or nothing at all: what is empty
     *     holds nothing that has outlived its link
     */
    record Primary(CacheRun run, long incarnation, boolean swept) implements NodeView {}

    /**
     * The node answered, and is no primary, or is not the one that is named.
     *
     * @param why a constant phrase, for log and readiness
     */
    record NotPrimary(String why) implements NodeView {}

    /**
     * Nobody knows: no answer in time, or the connections changed meanwhile.
     *
     * @param why a constant phrase, for log and readiness
     */
    record Unknown(String why) implements NodeView {}
}
