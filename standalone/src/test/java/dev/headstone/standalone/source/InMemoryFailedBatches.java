package dev.headstone.standalone.source;

import java.util.List;
import java.util.TreeMap;

/** Failed batches in memory. Held to the same contract as the table's. */
final class InMemoryFailedBatches implements FailedBatches {
    private final int capacity;
    private final TreeMap<String, FailedBatch> batches = new TreeMap<>();
    private int refusals;

    InMemoryFailedBatches() {
        this(10_000);
    }

    InMemoryFailedBatches(int capacity) {
        this.capacity = capacity;
    }

    /** The next stores fail as if the table did not answer. */
    synchronized void refuse(int stores) {
        refusals = stores;
    }

    @Override
    public synchronized boolean store(FailedBatch batch) {
        if (refusals > 0) {
            refusals--;
            throw new IllegalStateException("out of reach");
        }
        if (batches.size() >= capacity) {
            return false;
        }
        batches.put(key(batch), batch);
        return true;
    }

    @Override
    public synchronized List<FailedBatch> list(int limit) {
        return batches.values().stream().limit(limit).toList();
    }

    @Override
    public synchronized void remove(FailedBatch batch) {
        batches.remove(key(batch));
    }

    @Override
    public synchronized long depth() {
        return batches.size();
    }

    private static String key(FailedBatch batch) {
        return batch.shardId()
                + KeyedTables.padded(batch.firstSequenceNumber())
                + KeyedTables.padded(batch.lastSequenceNumber());
    }
}
