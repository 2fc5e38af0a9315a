package dev.headstone.standalone.source;

import java.util.List;

/**
 * Where batches go that were given up: the on-failure destination of a stream. Keeps the records
 * themselves, unlike Lambda's queue destination, whose metadata is worth nothing once the stream is
 * trimmed.
 *
 * <p>Durable, bounded, safe for use by several threads.
 */
public interface FailedBatches {
    /**
     * Stores a batch, in place of one with the same shard and sequence numbers.
     *
     * @return false when there is no room: nothing was stored
     * @throws RuntimeException when the store does not answer; the batch may be stored or not
     */
    boolean store(FailedBatch batch);

    /** The oldest batches, shard by shard in order. */
    List<FailedBatch> list(int limit);

    /** Removes a batch; nothing happens when it is not there. */
    void remove(FailedBatch batch);

    /** How many batches there are. */
    long depth();
}
