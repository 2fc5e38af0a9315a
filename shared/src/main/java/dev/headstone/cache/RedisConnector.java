package dev.headstone.cache;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SocketOptions.TcpUserTimeoutOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.resource.EpollProvider;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection to a Redis, opened in the background and again whenever it is lost, each time to
 * where the node is then. While there is none, commands are refused at once; none is ever queued
 * for later or sent twice. Safe for use by several threads.
 */
final class RedisConnector implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(RedisConnector.class);
    private static final RedisCodec<String, byte[]> CODEC =
            RedisCodec.of(StringCodec.UTF8, ByteArrayCodec.INSTANCE);

    /** Commands that may wait for their answers; beyond it the cache counts as unreachable. */
    private static final int MOST_IN_FLIGHT = 20_000;

    /** For the connection, and once more for the greeting over it. */
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(1);

    /** A peer that acknowledges nothing for so long is taken for lost. */
    private static final Duration TCP_USER_TIMEOUT = Duration.ofSeconds(5);

    private static final Duration RETRY = Duration.ofMillis(250);

    private final RedisClient client;
    private final Supplier<CompletionStage<RedisURI>> target;
    private final AtomicReference<@Nullable Open> connection = new AtomicReference<>();
    private final AtomicBoolean connecting = new AtomicBoolean();
    private final AtomicLong nextAttempt = new AtomicLong(System.nanoTime());
    private final AtomicLong generation = new AtomicLong();
    private volatile boolean wanted;
    private volatile boolean closed;

    /**
     * A connection, and where it leads. At its other end is one process, whatever becomes of it.
     *
     * @param address host and port
     * @param runId of that process; empty if it does not say
     */
    record Open(
            StatefulRedisConnection<String, byte[]> connection,
            String address,
            Optional<String> runId,
            Waits waits) {
        private static final Pattern RUN_ID =
                Pattern.compile("^run_id:([0-9A-Za-z]+)\\s*$", Pattern.MULTILINE);

        private static Open of(
                StatefulRedisConnection<String, byte[]> connection, RedisURI uri, String server) {
            Matcher runId = RUN_ID.matcher(server);
            return new Open(
                    connection,
                    uri.getHost() + ":" + uri.getPort(),
                    runId.find() ? Optional.of(runId.group(1)) : Optional.empty(),
                    new Waits(connection.async()));
        }

        boolean isOpen() {
            return connection.isOpen();
        }
    }

    /**
     * @param target asked before each attempt; must end within a few seconds
     */
    RedisConnector(RedisClient client, Supplier<CompletionStage<RedisURI>> target) {
        this.client = client;
        this.target = target;
    }

    /**
     * What the protocol asks of a client: nothing queued, nothing replayed, deadlines of its own.
     * The library does not reconnect by itself, so that a connection is one incarnation.
     */
    static ClientOptions options() {
        return ClientOptions.builder()
                .autoReconnect(false)
                .disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS)
                .replayFilter(_ -> true)
                .requestQueueSize(MOST_IN_FLIGHT)
                .socketOptions(socketOptions())
                .build();
    }

    private static SocketOptions socketOptions() {
        SocketOptions.Builder options = SocketOptions.builder().connectTimeout(CONNECT_TIMEOUT);
        if (EpollProvider
                .isAvailable()) { // the portable transport has no such option, and refuses it
            options.tcpUserTimeout(
                    TcpUserTimeoutOptions.builder()
                            .enable()
                            .tcpUserTimeout(TCP_USER_TIMEOUT)
                            .build());
        }
        return options.build();
    }

    /** The connection's commands, or null while there is no connection. Never blocks. */
    @Nullable RedisAsyncCommands<String, byte[]> commands() {
        Open open = open();
        return open == null ? null : open.connection().async();
    }

    /** The connection, or null while there is none. Never blocks. */
    @Nullable Open open() {
        Open open = connection.get();
        if (open != null && open.isOpen()) {
            return open;
        }
        wanted = true;
        connect();
        return null;
    }

    /**
     * Which incarnation of the connection this is: one more with each that is opened, 0 before the
     * first. {@code WAIT} proves something only of the writes of the very same one.
     */
    long generation() {
        return generation.get();
    }

    /**
     * Opens the connection and waits for it, at the most {@code deadline}; false if it is not open.
     */
    boolean connect(Duration deadline) {
        long end = System.nanoTime() + deadline.toNanos();
        while (commands() == null && System.nanoTime() - end < 0) {
            LockSupport.parkNanos(2_000_000);
        }
        return commands() != null;
    }

    /** Gives the connection up, if it is there, and opens another one to where the node is now. */
    void reopen(String why) {
        Open left = connection.getAndSet(null);
        if (left != null) {
            log.atWarn().addKeyValue("why", why).log("cache connection given up");
            CompletableFuture<Void> _ = left.connection().closeAsync();
            connect();
        }
    }

    private void connect() {
        long now = System.nanoTime();
        if (closed || now - nextAttempt.get() < 0 || !connecting.compareAndSet(false, true)) {
            return;
        }
        Open open = connection.get();
        if (open != null && open.isOpen()) { // somebody else was faster
            connecting.set(false);
            return;
        }
        nextAttempt.set(now + RETRY.toNanos());
        try {
            CompletionStage<?> _ =
                    target.get().thenCompose(this::open).whenComplete(this::connected);
        } catch (RuntimeException e) { // a client that is being shut down
            connecting.set(false);
            log.atWarn()
                    .addKeyValue("why", e.getClass().getSimpleName())
                    .log("cache not connected");
        }
    }

    private CompletionStage<Open> open(RedisURI uri) {
        return client.connectAsync(CODEC, hasty(uri))
                .thenCompose(opened -> introduced(opened, uri));
    }

    /** Asks who is there before anybody else asks anything. */
    private static CompletionStage<Open> introduced(
            StatefulRedisConnection<String, byte[]> opened, RedisURI uri) {
        return opened.async()
                .info("server")
                .toCompletableFuture()
                .orTimeout(CONNECT_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
                .thenApply(server -> Open.of(opened, uri, server))
                .whenComplete(
                        (open, _) -> {
                            if (open == null) {
                                CompletableFuture<Void> _ = opened.closeAsync();
                            }
                        });
    }

    /** The greeting of a node that accepts and says nothing must not last the library's minute. */
    private static RedisURI hasty(RedisURI uri) {
        return RedisURI.builder(uri).withTimeout(CONNECT_TIMEOUT).build();
    }

    private void connected(@Nullable Open opened, @Nullable Throwable failure) {
        if (opened == null) {
            log.atWarn()
                    .addKeyValue("why", failure == null ? "unknown" : rootOf(failure))
                    .log("cache not connected");
            connecting.set(false);
            again();
            return;
        }
        generation.incrementAndGet(); // before anybody can use it
        connection.set(opened);
        opened.connection().addListener(new Losses());
        connecting.set(false);
        if (closed) {
            CompletableFuture<Void> _ = opened.connection().closeAsync();
        } else if (!opened.isOpen()) { // lost before anybody listened
            again();
        }
    }

    /** Tries once more, soon, as long as somebody has ever asked for this connection. */
    private void again() {
        if (!closed && wanted) {
            try {
                client.getResources()
                        .timer()
                        .newTimeout(
                                _ -> {
                                    Open open = connection.get();
                                    if (open == null || !open.isOpen()) {
                                        connect();
                                    }
                                },
                                RETRY.toMillis() + 1,
                                TimeUnit.MILLISECONDS);
            } catch (IllegalStateException _) { // the client is being shut down
                closed = true;
            }
        }
    }

    private static String rootOf(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root.getClass().getSimpleName();
    }

    @Override
    public void close() {
        closed = true;
        Open open = connection.get();
        if (open != null && open.isOpen()) {
            CompletableFuture<Void> _ = open.connection().closeAsync();
        }
    }

    private final class Losses implements RedisConnectionStateListener {
        @Override
        public void onRedisDisconnected(RedisChannelHandler<?, ?> channel) {
            again();
        }
    }
}
