package dev.headstone.redirect;

import dev.headstone.link.ShortCode;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * Lets clicks for one code share reads of the table. A click joins only a read that starts after
 * the click arrived: one read runs, and whoever comes meanwhile waits for the next. Joining the
 * running one would answer from before a create or a takedown that was reported in between.
 *
 * <p>Safe for use by several threads. A code takes memory only while a read for it is due.
 *
 * @param <V> what a read gives
 */
final class SharedReads<V> {
    /** Reads once; may block. */
    @FunctionalInterface
    interface Reader<V> {
        /**
         * Reads {@code code}.
         *
         * @param populate whether a click that joined wants the cache populated
         */
        V read(ShortCode code, boolean populate);
    }

    /** One read, due or running. */
    private static final class Read<V> {
        private final CompletableFuture<V> result = new CompletableFuture<>();
        private boolean populate;
    }

    private final Executor executor;
    private final Turns turns;
    private final Reader<V> reader;

    /**
     * For each code that a task reads, the read that has not begun; empty while the last one that
     * was asked for runs. Guarded by itself.
     */
    private final Map<ShortCode, Optional<Read<V>>> due = new HashMap<>();

    /**
     * @param executor runs one task for each code that is being read; the tasks may block
     * @param turns of which one is held during each read
     */
    SharedReads(Executor executor, Turns turns, Reader<V> reader) {
        this.executor = executor;
        this.turns = turns;
        this.reader = reader;
    }

    /**
     * The outcome of a read of {@code code} that begins after this call. It is the caller's own:
     * cancelling it disturbs nobody else. Fails as the read fails, or with {@link
     * Turns.NoneInTime}.
     */
    CompletableFuture<V> join(ShortCode code, boolean populate) {
        boolean idle;
        Read<V> joined;
        synchronized (due) {
            idle = !due.containsKey(code);
            joined = waiting(code).orElseGet(Read::new);
            joined.populate |= populate;
            due.put(code, Optional.of(joined));
        }
        CompletableFuture<V> result = joined.result.copy();
        if (idle) {
            start(code);
        }
        return result;
    }

    /** How many codes take memory at present. */
    int codes() {
        synchronized (due) {
            return due.size();
        }
    }

    private void start(ShortCode code) {
        try {
            executor.execute(() -> readAll(code));
        } catch (RejectedExecutionException e) {
            while (isDue(code)) {
                begin(code).result.completeExceptionally(e);
            }
        }
    }

    /** Reads, one after the other, until nobody waits any more; then the code is forgotten. */
    private void readAll(ShortCode code) {
        while (isDue(code)) {
            if (turns.take()) {
                run(code, begin(code));
            } else {
                begin(code).result.completeExceptionally(new Turns.NoneInTime());
            }
        }
    }

    /** Whether somebody waits; forgets the code if not. */
    private boolean isDue(ShortCode code) {
        synchronized (due) {
            boolean somebody = waiting(code).isPresent();
            if (!somebody) {
                due.remove(code);
            }
            return somebody;
        }
    }

    /** The read that somebody waits for: from here on, nobody joins it. */
    private Read<V> begin(ShortCode code) {
        synchronized (due) {
            Read<V> begun = waiting(code).orElseThrow();
            due.put(code, Optional.empty());
            return begun;
        }
    }

    private Optional<Read<V>> waiting(ShortCode code) {
        return due.getOrDefault(code, Optional.empty());
    }

    private void run(ShortCode code, Read<V> read) {
        V value;
        try {
            value = reader.read(code, read.populate);
        } catch (RuntimeException | Error e) {
            turns.giveBack();
            read.result.completeExceptionally(e);
            return;
        }
        turns.giveBack(); // before those who joined go on, who may want a turn themselves
        read.result.complete(value);
    }
}
