package dev.headstone.dynamodb.storage;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.RootReference;

/**
 * The durable state of all trees at one moment: what it shows can no longer be lost. Thread-safe.
 * Must be closed, since it keeps the storage from reusing the space of what it shows.
 */
public final class Snapshot implements View, AutoCloseable {
    private final Map<Tree, RootReference<byte[], byte[]>> roots;
    private final MVStore store;
    private final MVStore.TxCounter usage;

    /** One for being the latest, and one for each reader; at zero it is let go for good. */
    private final AtomicInteger holders = new AtomicInteger(1);

    Snapshot(
            Map<Tree, RootReference<byte[], byte[]>> roots,
            MVStore store,
            MVStore.TxCounter usage) {
        this.roots = roots;
        this.store = store;
        this.usage = usage;
    }

    /** Adds a reader, unless the last holder is gone already. */
    boolean hold() {
        int seen = holders.get();
        while (seen > 0) {
            if (holders.compareAndSet(seen, seen + 1)) {
                return true;
            }
            seen = holders.get();
        }
        return false;
    }

    @Override
    public Optional<byte[]> get(Tree tree, byte[] key) {
        RootReference<byte[], byte[]> root = roots.get(tree);
        return root == null
                ? Optional.empty()
                : Optional.ofNullable(root.root.map.get(root.root, key));
    }

    @Override
    public Entries entries(Tree tree, KeyRange range, Direction direction) {
        return new Entries(roots.get(tree), range, direction);
    }

    /** The number of entries of a tree. */
    public long count(Tree tree) {
        RootReference<byte[], byte[]> root = roots.get(tree);
        return root == null ? 0 : root.root.getTotalCount();
    }

    /** Must be called exactly once by each reader. */
    @Override
    public void close() {
        if (holders.decrementAndGet() == 0) {
            store.deregisterVersionUsage(usage);
        }
    }
}
