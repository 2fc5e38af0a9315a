package dev.headstone.cache;

import io.lettuce.core.api.async.RedisAsyncCommands;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * The {@code WAIT}s of one connection. One speaks of everything that was written before it, so that
 * those who write while one is under way share the next: however long a replica takes, no more than
 * one holds the connection up, and none is sent for a write that came after it. Safe for use by
 * several threads.
 */
final class Waits {
    private final RedisAsyncCommands<String, byte[]> redis;
    private @Nullable CompletableFuture<Long> next;
    private boolean underWay;

    /** Of the connection of these commands. */
    Waits(RedisAsyncCommands<String, byte[]> redis) {
        this.redis = redis;
    }

    /**
     * How many replicas have what was written before this call, once that is known.
     *
     * @param acks how many are waited for
     * @param millis how long the server waits for them at the most
     */
    synchronized Future<Long> forReplicas(int acks, long millis) {
        if (underWay) {
            if (next == null) {
                next = new CompletableFuture<>();
            }
            return next;
        }
        underWay = true;
        CompletableFuture<Long> sent = new CompletableFuture<>();
        send(sent, acks, millis);
        return sent;
    }

    private void send(CompletableFuture<Long> waiting, int acks, long millis) {
        var _ =
                redis.waitForReplication(acks, millis)
                        .whenComplete(
                                (count, failure) -> {
                                    goOn(acks, millis);
                                    if (failure == null) {
                                        waiting.complete(count);
                                    } else {
                                        waiting.completeExceptionally(failure);
                                    }
                                });
    }

    private synchronized void goOn(int acks, long millis) {
        CompletableFuture<Long> waiting = next;
        next = null;
        underWay = waiting != null;
        if (waiting != null) {
            send(waiting, acks, millis);
        }
    }
}
