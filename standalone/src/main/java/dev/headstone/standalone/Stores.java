package dev.headstone.standalone;

import dev.headstone.cache.CacheAddress;
import dev.headstone.dynamodb.EmbeddedDynamoDb;
import dev.headstone.dynamodb.Settings;
import dev.headstone.standalone.data.DataDirectory;
import dev.headstone.standalone.options.Backend;
import dev.headstone.standalone.options.Console;
import dev.headstone.standalone.options.RedisTarget;
import dev.headstone.standalone.options.ServeOptions;
import dev.headstone.standalone.queue.EmbeddedQueue;
import dev.headstone.standalone.redis.EmbeddedRedis;
import io.lettuce.core.RedisURI;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * The table, the queue and the cache, as far as they are embedded: started side by side, for each
 * has its own reasons to take a while.
 */
final class Stores implements AutoCloseable {
    private final Closing closing = new Closing();
    private final Optional<URI> table;
    private final Optional<URI> queue;
    private final CacheAddress redis;
    private final Optional<EmbeddedRedis> embedded;

    private Stores(
            Optional<EmbeddedDynamoDb> table,
            Optional<EmbeddedQueue> queue,
            Optional<EmbeddedRedis> embedded,
            CacheAddress redis) {
        table.ifPresent(closing::add);
        queue.ifPresent(closing::add);
        embedded.ifPresent(closing::add);
        this.table = table.map(EmbeddedDynamoDb::endpoint);
        this.queue = queue.map(EmbeddedQueue::endpoint);
        this.redis = redis;
        this.embedded = embedded;
    }

    static Stores start(
            ServeOptions options,
            DataDirectory data,
            Console console,
            InstantSource clock,
            SecureRandom random)
            throws IOException, InterruptedException {
        try (ExecutorService starters = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Optional<EmbeddedDynamoDb>> table =
                    starters.submit(
                            part(
                                    console,
                                    options.table() == Backend.EMBEDDED,
                                    "table      embedded",
                                    () ->
                                            EmbeddedDynamoDb.start(
                                                    options.inMemory()
                                                            ? Settings.inMemory(clock)
                                                            : Settings.at(
                                                                    data.part("table")
                                                                            .resolve("table.mv"),
                                                                    clock))));
            Future<Optional<EmbeddedQueue>> queue =
                    starters.submit(
                            part(
                                    console,
                                    options.queue() == Backend.EMBEDDED,
                                    "queue      embedded",
                                    () -> EmbeddedQueue.start(queueFile(options, data), clock)));
            Future<Optional<EmbeddedRedis>> redis =
                    starters.submit(
                            part(
                                    console,
                                    options.redis() instanceof RedisTarget.Embedded,
                                    "cache      embedded Redis",
                                    () ->
                                            EmbeddedRedis.start(
                                                    data.part("redis"),
                                                    console.environment(),
                                                    random)));
            return started(table, queue, redis, options.redis());
        }
    }

    private static Optional<Path> queueFile(ServeOptions options, DataDirectory data)
            throws IOException {
        return options.inMemory()
                ? Optional.empty()
                : Optional.of(data.part("queue").resolve("queue.journal"));
    }

    private static <T> Callable<Optional<T>> part(
            Console console, boolean embedded, String line, Callable<T> start) {
        return () -> {
            if (!embedded) {
                return Optional.empty();
            }
            T part = start.call();
            console.out().println(line);
            return Optional.of(part);
        };
    }

    /** Waits for all; if one failed, what the others started is stopped. */
    private static Stores started(
            Future<Optional<EmbeddedDynamoDb>> table,
            Future<Optional<EmbeddedQueue>> queue,
            Future<Optional<EmbeddedRedis>> redis,
            RedisTarget target)
            throws IOException, InterruptedException {
        Closing running = new Closing();
        Optional<Exception> failure = Optional.empty();
        for (Future<? extends Optional<? extends AutoCloseable>> part :
                java.util.List.of(table, queue, redis)) {
            try {
                part.get().ifPresent(running::add);
            } catch (ExecutionException e) {
                failure = Optional.of(cause(e));
            }
        }
        if (failure.isPresent()) {
            running.close();
            throw failure.get() instanceof IOException io
                    ? io
                    : new IOException(failure.get().getMessage(), failure.get());
        }
        Optional<EmbeddedRedis> embedded = redis.resultNow();
        CacheAddress address =
                embedded.<CacheAddress>map(child -> new CacheAddress.Node(child.uri()))
                        .orElseGet(() -> address(target));
        return new Stores(table.resultNow(), queue.resultNow(), embedded, address);
    }

    private static Exception cause(ExecutionException e) {
        return e.getCause() instanceof Exception cause ? cause : e;
    }

    private static CacheAddress address(RedisTarget target) {
        return switch (target) {
            case RedisTarget.Node(RedisURI uri) -> new CacheAddress.Node(uri);
            case RedisTarget.Sentinel(RedisURI uri) -> new CacheAddress.Sentinel(uri);
            case RedisTarget.Cluster(var nodes) -> new CacheAddress.Cluster(nodes);
            case RedisTarget.Embedded _ -> throw new IllegalStateException("it was not started");
        };
    }

    /** Where the embedded table answers, if it is embedded. */
    Optional<URI> table() {
        return table;
    }

    /** Where the embedded queue answers, if it is embedded. */
    Optional<URI> queue() {
        return queue;
    }

    /** The process is about to stop: children that end now are not started again. */
    void expectEnd() {
        embedded.ifPresent(EmbeddedRedis::expectEnd);
    }

    /** Where the cache is. */
    CacheAddress redis() {
        return redis;
    }

    @Override
    public void close() {
        closing.close();
    }
}
