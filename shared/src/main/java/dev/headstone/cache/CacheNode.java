package dev.headstone.cache;

/**
 * The node (or, of a cluster, the nodes) behind the connections of one {@link LinkCache}, as far as
 * {@link Trust} needs to know it. Safe for use by several threads.
 */
public interface CacheNode {
    /**
     * Asks the node who it is, over the very connections that look-ups and confirmed writes use:
     * what another connection says proves nothing of them. Blocks, within the implementation's
     * deadline; a node that does not answer is an outcome.
     */
    NodeView observe();

    /**
     * Which incarnation of the connections is in use: another number as soon as one of them has
     * been opened anew, and never one that was used before. Does not block.
     */
    long incarnation();

    /**
     * Leaves the marker of {@code run}, of which everything that died lately has been settled. The
     * marker bears the run's name: on a node of another run it says nothing. Blocks, within the
     * implementation's deadline.
     */
    MarkOutcome markSwept(CacheRun run);
}
