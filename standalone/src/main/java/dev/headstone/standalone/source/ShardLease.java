package dev.headstone.standalone.source;

import java.time.Instant;

/**
 * A process's right to read a shard, until it runs out.
 *
 * @param fence counts the leases of this shard; what an earlier holder still writes is refused by
 *     it
 * @param position how far the shard was settled when the lease was taken or last renewed
 */
record ShardLease(String shardId, long fence, Instant until, ShardPosition position) {}
