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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection to a Redis, opened in the background and again whenever it is lost. While there is
 * none, commands are refused at once; none is ever queued for later or sent twice. Safe for use by
 * several threads.
 */
final class RedisConnector implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(RedisConnector.class);
    private static final RedisCodec<String, byte[]> CODEC =
            RedisCodec.of(StringCodec.UTF8, ByteArrayCodec.INSTANCE);

    /** Commands that may wait for their answers; beyond it the cache counts as unreachable. */
    private static final int MOST_IN_FLIGHT = 20_000;

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(1);

    /** A peer that acknowledges nothing for so long is taken for lost. */
    private static final Duration TCP_USER_TIMEOUT = Duration.ofSeconds(5);

    private static final long RETRY_NANOS = Duration.ofMillis(250).toNanos();

    private final RedisClient client;
    private final RedisURI uri;
    private final AtomicReference<@Nullable StatefulRedisConnection<String, byte[]>> connection =
            new AtomicReference<>();
    private final AtomicBoolean connecting = new AtomicBoolean();
    private final AtomicLong nextAttempt = new AtomicLong(System.nanoTime());
    private final AtomicLong generation = new AtomicLong();
    private volatile boolean closed;

    RedisConnector(RedisClient client, RedisURI uri) {
        this.client = client;
        this.uri = uri;
    }

    /**
     * What the protocol asks of a client: nothing queued, nothing replayed, deadlines of its own.
     */
    static ClientOptions options() {
        return ClientOptions.builder()
                .autoReconnect(true)
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
        StatefulRedisConnection<String, byte[]> open = connection.get();
        if (open == null) {
            connect();
            return null;
        }
        return open.isOpen() ? open.async() : null;
    }

    /**
     * Which incarnation of the connection this is. {@code WAIT} proves something only of the writes
     * of the very same one.
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

    private void connect() {
        long now = System.nanoTime();
        if (closed || now - nextAttempt.get() < 0 || !connecting.compareAndSet(false, true)) {
            return;
        }
        nextAttempt.set(now + RETRY_NANOS);
        try {
            CompletionStage<?> _ = client.connectAsync(CODEC, uri).whenComplete(this::connected);
        } catch (RuntimeException e) { // a client that is being shut down
            connecting.set(false);
            log.atWarn()
                    .addKeyValue("why", e.getClass().getSimpleName())
                    .log("cache not connected");
        }
    }

    private void connected(
            @Nullable StatefulRedisConnection<String, byte[]> opened, @Nullable Throwable failure) {
        if (opened == null) {
            log.atWarn()
                    .addKeyValue("why", failure == null ? "unknown" : rootOf(failure))
                    .log("cache not connected");
        } else {
            generation.incrementAndGet();
            opened.addListener(new Generations());
            connection.set(opened);
            if (closed) {
                CompletableFuture<Void> _ = opened.closeAsync();
            }
        }
        connecting.set(false);
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
        StatefulRedisConnection<String, byte[]> open = connection.get();
        if (open != null) {
            CompletableFuture<Void> _ = open.closeAsync();
        }
    }

    private final class Generations implements RedisConnectionStateListener {
        @Override
        public void onRedisConnected(
                RedisChannelHandler<?, ?> channel, java.net.SocketAddress address) {
            generation.incrementAndGet();
        }

        @Override
        public void onRedisDisconnected(RedisChannelHandler<?, ?> channel) {
            generation.incrementAndGet();
        }
    }
}
