package dev.headstone.dynamodb.storage;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;
import org.h2.mvstore.DataUtils;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.MVStoreException;
import org.h2.mvstore.RootReference;
import org.h2.mvstore.type.ByteArrayDataType;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ordered trees of bytes, in one file with a redo log beside it, or in memory. Thread-safe.
 *
 * <p>A transaction runs alone, against the newest state. It is applied in memory, appended to the
 * log together with all that arrived while the disk was busy, and acknowledged when the log is on
 * the disk. Readers see the newest state that is. Every now and then the trees themselves are
 * written to the data file, and the log up to there is deleted; at the start, what the log holds
 * beyond the data file is applied again.
 */
public final class Storage implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Storage.class);

    /** A tree with this id is the storage's own. */
    private static final Tree OWN = new Tree(0);

    private static final byte[] APPLIED = "applied".getBytes(StandardCharsets.UTF_8);

    /** A disk that takes longer is as good as broken, and callers have given up by then. */
    private static final Duration DISK_PATIENCE = Duration.ofSeconds(30);

    /** Random single changes rewrite one page each: small pages keep that cheap. */
    private static final int PAGE_BYTES = 4096;

    private static final int CACHE_MIB = 32;

    /** Chunks are rewritten when less than this share of what they hold, in percent, is alive. */
    private static final int LIVE_PERCENT = 60;

    private static final int REWRITE_BYTES = 4 * 1024 * 1024;

    private final MVStore store;
    private final Pace pace;
    private final Optional<RedoLog> redoLog;
    private final Map<Tree, MVMap<byte[], byte[]>> maps = new ConcurrentHashMap<>();
    private final ReentrantLock order = new ReentrantLock();
    private final Condition batchStarted = order.newCondition();
    private final Condition checkpointDue = order.newCondition();
    private final List<Thread> threads = new ArrayList<>();

    // Guarded by order.
    private Batch gathering = new Batch();
    private CompletableFuture<@Nullable Void> newest = CompletableFuture.completedFuture(null);
    private long applied;
    private long bytesSinceCheckpoint;
    private boolean closing;

    private volatile Snapshot latest;
    private volatile @Nullable StorageException failure;

    /** Transactions that go to the disk together. */
    private static final class Batch {
        final List<byte[]> encoded = new ArrayList<>();
        final CompletableFuture<@Nullable Void> durable = new CompletableFuture<>();
        long first;
    }

    private Storage(MVStore store, Optional<RedoLog> redoLog, Pace pace) {
        this.store = store;
        this.pace = pace;
        this.redoLog = redoLog;
        this.latest = new Snapshot(Map.of(), store, store.registerVersionUsage());
    }

    /** Storage that ends with the process. */
    public static Storage inMemory() {
        return new Storage(new MVStore.Builder().open(), Optional.empty(), Pace.USUAL);
    }

    /**
     * Opens or creates the data file. Its folder must exist.
     *
     * @throws StorageException if another process has it open, it is damaged, or cannot be read or
     *     written
     */
    public static Storage open(Path file) {
        return open(file, Pace.USUAL);
    }

    static Storage open(Path file, Pace pace) {
        MVStore store = openStore(file, pace);
        try {
            Storage storage = new Storage(store, Optional.of(new RedoLog(file)), pace);
            storage.recover();
            storage.start("commit", storage::commitUntilClosed);
            storage.start("checkpoint", storage::checkpointUntilClosed);
            return storage;
        } catch (IOException e) {
            store.closeImmediately();
            throw new StorageException("cannot read the redo log of " + file.getFileName(), e);
        } catch (RuntimeException e) {
            store.closeImmediately();
            throw e;
        }
    }

    private static MVStore openStore(Path file, Pace pace) {
        try {
            MVStore store =
                    new MVStore.Builder()
                            .fileName(file.toAbsolutePath().toString())
                            .autoCommitDisabled()
                            .autoCommitBufferSize(0) // a commit amid a transaction would tear it
                            .pageSplitSize(PAGE_BYTES)
                            .cacheSize(CACHE_MIB)
                            .open();
            store.setVersionsToKeep(0);
            store.setRetentionTime(Math.toIntExact(pace.spaceRetention().toMillis()));
            return store;
        } catch (MVStoreException e) {
            throw new StorageException(
                    e.getErrorCode() == DataUtils.ERROR_FILE_LOCKED
                            ? "%s is in use by another process".formatted(file.getFileName())
                            : "cannot open %s".formatted(file.getFileName()),
                    e);
        }
    }

    private void recover() throws IOException {
        byte[] stored = map(OWN).get(APPLIED);
        applied = stored == null ? 0 : Numbers.readLong(stored);
        long before = applied;
        RedoLog redo = redoLog.orElseThrow();
        applied = redo.replay(applied, transaction -> apply(transaction.changed()));
        openTrees();
        if (applied > before) {
            log.atInfo()
                    .addKeyValue("transactions", applied - before)
                    .log("applied what the redo log held beyond the data file");
        }
        writeTrees();
        store.sync();
        redo.discardAll();
        publish(capture());
    }

    /** Only trees that are open can be compacted. Those of deleted tables are empty, and go. */
    private void openTrees() {
        for (String name : store.getMapNames()) {
            if (name.startsWith(Tree.PREFIX)) {
                Tree tree = Tree.named(name);
                MVMap<byte[], byte[]> map = map(tree);
                if (map.isEmpty()) {
                    maps.remove(tree);
                    store.removeMap(map);
                }
            }
        }
    }

    private void start(String name, Runnable work) {
        threads.add(Thread.ofPlatform().name("dynamodb-" + name).daemon().start(work));
    }

    /**
     * Runs {@code body} alone, makes what it changed durable, and returns its result. Whatever it
     * returns or throws, what it has seen is durable by then. If it throws, it has changed nothing.
     *
     * @throws StorageException if the disk fails or takes longer than 30 s: whether the changes
     *     survive is then unknown
     */
    public <R extends @Nullable Object> R write(Function<Transaction, R> body) {
        Attempt<R> attempt = attempt(body);
        await(attempt.durable);
        return attempt.outcome.get();
    }

    private record Attempt<R extends @Nullable Object>(
            Supplier<R> outcome, CompletableFuture<@Nullable Void> durable) {}

    private <R extends @Nullable Object> Attempt<R> attempt(Function<Transaction, R> body) {
        order.lock();
        try {
            requireUsable();
            Transaction transaction = new Transaction(this::map);
            R result;
            try {
                result = body.apply(transaction);
            } catch (RuntimeException e) {
                return new Attempt<>(
                        () -> {
                            throw e;
                        },
                        newest);
            }
            if (!transaction.isEmpty()) {
                submit(transaction.changed());
            }
            return new Attempt<>(() -> result, newest);
        } finally {
            order.unlock();
        }
    }

    private void submit(Map<Tree, Transaction.Changes> changed) {
        byte[] encoded = new LogRecord(applied + 1, changed).encode();
        try {
            apply(changed);
        } catch (Throwable e) {
            throw failed("a transaction was applied by half", e);
        }
        applied++;
        if (redoLog.isEmpty()) {
            publish(capture());
            return;
        }
        if (gathering.encoded.isEmpty()) {
            gathering.first = applied;
            batchStarted.signal();
        }
        gathering.encoded.add(encoded);
        newest = gathering.durable;
        bytesSinceCheckpoint += encoded.length;
        if (bytesSinceCheckpoint > pace.checkpointBytes()) {
            checkpointDue.signal();
        }
    }

    private void apply(Map<Tree, Transaction.Changes> changed) {
        changed.forEach((tree, changes) -> changes.applyTo(map(tree)));
    }

    private static void await(CompletableFuture<@Nullable Void> durable) {
        try {
            durable.get(DISK_PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StorageException("interrupted while the disk was busy", e);
        } catch (TimeoutException e) {
            throw new StorageException("the disk did not answer in " + DISK_PATIENCE, e);
        } catch (ExecutionException e) {
            throw new StorageException("the disk failed", e);
        }
    }

    /**
     * The newest durable state. To be closed after use.
     *
     * @throws StorageException if the storage is closed
     */
    public Snapshot snapshot() {
        while (true) {
            Snapshot current = latest;
            if (current.hold()) {
                return current;
            }
            if (current == latest) {
                throw new StorageException("the storage is closed");
            }
        }
    }

    /** The size of the data file and its log in bytes, 0 in memory. */
    public long sizeOnDisk() {
        return redoLog.map(redo -> store.getFileStore().size() + redo.size()).orElse(0L);
    }

    private MVMap<byte[], byte[]> map(Tree tree) {
        return maps.computeIfAbsent(
                tree,
                _ ->
                        store.openMap(
                                tree.mapName(),
                                new MVMap.Builder<byte[], byte[]>()
                                        .keyType(ByteArrayDataType.INSTANCE)
                                        .valueType(ByteArrayDataType.INSTANCE)));
    }

    /** Under {@link #order}: the state as it is now. */
    private Snapshot capture() {
        Map<Tree, RootReference<byte[], byte[]>> roots = HashMap.newHashMap(maps.size());
        maps.forEach((tree, map) -> roots.put(tree, map.getRoot()));
        return new Snapshot(roots, store, store.registerVersionUsage());
    }

    private void publish(Snapshot snapshot) {
        Snapshot previous = latest;
        latest = snapshot;
        previous.close();
    }

    private void commitUntilClosed() {
        boolean usable = true;
        while (usable) {
            Gathered gathered = gather();
            usable = gathered != null && commit(gathered);
        }
    }

    /** A batch with the state after it. */
    private record Gathered(Batch batch, Snapshot state) {}

    /** Waits for the next batch; null when there will be none. */
    private @Nullable Gathered gather() {
        order.lock();
        try {
            while (gathering.encoded.isEmpty()) {
                if (closing || failure != null) {
                    return null;
                }
                batchStarted.awaitUninterruptibly();
            }
            Batch batch = gathering;
            gathering = new Batch();
            return new Gathered(batch, capture());
        } finally {
            order.unlock();
        }
    }

    /** Returns whether the batch is on the disk. */
    private boolean commit(Gathered gathered) {
        Batch batch = gathered.batch;
        try {
            redoLog.orElseThrow().append(batch.encoded, batch.first);
        } catch (Throwable e) { // or else nobody would learn that nothing is written any more
            batch.durable.completeExceptionally(failed("the redo log cannot be written", e));
            return false;
        }
        publish(gathered.state);
        batch.durable.complete(null);
        return true;
    }

    private void checkpointUntilClosed() {
        try {
            while (awaitCheckpoint()) {
                checkpoint();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Throwable e) { // or else the log would grow without bound
            failed("the data file cannot be written", e);
        }
    }

    private boolean awaitCheckpoint() throws InterruptedException {
        order.lock();
        try {
            long patience = pace.checkpointDelay().toNanos();
            while (!closing && failure == null) {
                boolean dueByTime = patience <= 0 && bytesSinceCheckpoint > 0;
                if (dueByTime || bytesSinceCheckpoint > pace.checkpointBytes()) {
                    return true;
                }
                if (patience <= 0) {
                    patience = pace.checkpointDelay().toNanos();
                }
                patience = checkpointDue.awaitNanos(patience);
            }
            return false;
        } finally {
            order.unlock();
        }
    }

    private void checkpoint() throws IOException {
        store.compact(LIVE_PERCENT, REWRITE_BYTES);
        long through;
        order.lock();
        try {
            through = writeTrees();
        } finally {
            order.unlock();
        }
        store.sync();
        redoLog.orElseThrow().discardThrough(through);
    }

    /**
     * Under {@link #order}, so that no transaction is written by half: writes what has changed in
     * the trees to the file.
     *
     * @return the number of the last transaction in it
     */
    private long writeTrees() {
        bytesSinceCheckpoint = 0;
        map(OWN).put(APPLIED, Numbers.ofLong(applied));
        store.commit();
        return applied;
    }

    private void requireUsable() {
        StorageException reason = failure;
        if (reason != null) {
            throw new StorageException("the storage failed earlier and takes no writes", reason);
        }
        if (closing) {
            throw new StorageException("the storage is closed");
        }
    }

    private StorageException failed(String what, Throwable cause) {
        StorageException reason = new StorageException(what, cause);
        order.lock();
        try {
            if (failure == null) {
                failure = reason;
                log.atError().setCause(cause).log("the storage failed and takes no more writes");
            }
            gathering.durable.completeExceptionally(reason);
            batchStarted.signalAll();
            checkpointDue.signalAll();
        } finally {
            order.unlock();
        }
        return reason;
    }

    /**
     * Makes everything durable and closes the file. Snapshots must no longer be used.
     *
     * @throws StorageException if the file could not be brought up to date: the next start will do
     *     it, from the redo log
     */
    @Override
    public void close() {
        order.lock();
        try {
            if (closing) {
                return;
            }
            closing = true;
            batchStarted.signalAll();
            checkpointDue.signalAll();
        } finally {
            order.unlock();
        }
        threads.forEach(Storage::join);
        latest.close();
        try {
            closeFiles();
        } catch (IOException | MVStoreException e) {
            store.closeImmediately();
            throw new StorageException("the data file could not be closed in order", e);
        }
    }

    private void closeFiles() throws IOException {
        if (redoLog.isPresent()) {
            RedoLog redo = redoLog.get();
            if (failure != null) {
                redo.close();
                store.closeImmediately();
                return;
            }
            order.lock();
            try {
                writeTrees();
            } finally {
                order.unlock();
            }
            store.sync();
            redo.discardAll();
        }
        // Not with time for compaction: in H2 2.4.240, moving chunks fails an assertion at times.
        store.close();
    }

    private static void join(Thread thread) {
        try {
            thread.join(DISK_PATIENCE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
