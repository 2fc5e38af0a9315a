package dev.headstone.standalone.source;

import java.util.Map;
import java.util.Optional;

/**
 * Where the shards of one stream stand for one consumer, and who reads them. A position only moves
 * forward, and only by the hand of the lease's holder.
 *
 * <p>Every method throws a {@link RuntimeException} when the store does not answer; the change may
 * have been made or not. Safe for use by several threads.
 */
interface ShardCheckpoints {
    /** The positions of all shards that were ever leased, by shard id. */
    Map<String, ShardPosition> positions();

    /**
     * Takes the lease of a shard that nobody holds, whose lease has run out, or which this owner
     * holds already.
     */
    Optional<ShardLease> acquire(String shardId);

    /** Prolongs a lease; empty when somebody else holds it. */
    Optional<ShardLease> renew(ShardLease lease);

    /** Moves the position forward and prolongs the lease; empty when somebody else holds it. */
    Optional<ShardLease> advance(ShardLease lease, ShardPosition position);

    /**
     * Gives a lease back, so that others need not wait for its end; nothing happens when it is lost
     * already.
     */
    void release(ShardLease lease);

    /** Forgets a shard that the stream does not list any more. */
    void forget(String shardId);
}
