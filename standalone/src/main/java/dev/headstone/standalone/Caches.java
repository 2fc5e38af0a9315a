package dev.headstone.standalone;

import dev.headstone.cache.CacheBreaker;
import dev.headstone.cache.LinkCache;
import dev.headstone.cache.RedisLinkCache;
import dev.headstone.cache.RedisSettings;
import dev.headstone.standalone.listener.EventLoops;
import dev.headstone.standalone.options.ServeOptions;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.Delay;
import io.lettuce.core.resource.EventLoopGroupProvider;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.util.HashedWheelTimer;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutorGroup;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.ImmediateEventExecutor;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The ways into one Redis: for each event loop of the redirects a connection that lives on that
 * very loop, so that a hit does not change threads; and one for everybody who writes. They share
 * the breaker.
 */
final class Caches implements AutoCloseable {
    private static final Duration CONNECT = Duration.ofSeconds(5);
    private static final Duration RECONNECT = Duration.ofMillis(250);
    private static final long TICK_MILLIS = 5;

    private final Closing closing = new Closing();
    private final EventLoops loops;
    private final Map<EventLoop, RedisLinkCache> byLoop = new HashMap<>();
    private final RedisLinkCache shared;
    private final CircuitBreaker breaker = CacheBreaker.create();

    private Caches(RedisURI uri, ServeOptions options, SecureRandom random, MeterRegistry meters) {
        HashedWheelTimer timer =
                new HashedWheelTimer(
                        new DefaultThreadFactory("headstone-timer", true),
                        TICK_MILLIS,
                        TimeUnit.MILLISECONDS);
        closing.add(timer::stop);
        this.loops = closing.add(EventLoops.start(Runtime.getRuntime().availableProcessors()));
        RedisSettings settings =
                RedisSettings.DEFAULT.withAcks(options.redisDurable() ? 0 : options.redisAcks());
        for (EventLoop loop : loops.all()) {
            byLoop.put(loop, cache(loop, uri, timer, random, settings));
        }
        this.shared = cache(loops.all().getFirst(), uri, timer, random, settings);
        Gauge.builder("headstone.cache.breaker.open", breaker, Caches::openness)
                .description("1 while the cache is not asked, 0.5 while it is tried, else 0")
                .register(meters);
    }

    private static double openness(CircuitBreaker breaker) {
        return switch (breaker.getState()) {
            case OPEN, FORCED_OPEN -> 1;
            case HALF_OPEN -> 0.5;
            case CLOSED, DISABLED, METRICS_ONLY -> 0;
        };
    }

    /**
     * Opens the connections.
     *
     * @throws IOException if the cache cannot be reached within 5 s
     */
    static Caches open(
            RedisURI uri,
            ServeOptions options,
            SecureRandom random,
            MeterRegistry meters,
            InstantSource clock)
            throws IOException {
        Caches caches = new Caches(uri, options, random, meters);
        caches.closing.add(ClockSkew.watch(caches.shared, clock, meters));
        boolean open = caches.shared.awaitConnected(CONNECT);
        for (RedisLinkCache cache : caches.byLoop.values()) {
            open &= cache.awaitReadable(CONNECT);
        }
        if (!open) {
            caches.close();
            throw new IOException("--redis: the cache cannot be reached");
        }
        return caches;
    }

    private RedisLinkCache cache(
            EventLoop loop,
            RedisURI uri,
            HashedWheelTimer timer,
            SecureRandom random,
            RedisSettings settings) {
        ClientResources resources =
                ClientResources.builder()
                        .eventLoopGroupProvider(new OneLoop(loop))
                        .reconnectDelay(Delay.constant(RECONNECT))
                        .build();
        RedisClient client = RedisClient.create(resources);
        closing.add(
                () -> {
                    client.shutdown(0, 2, TimeUnit.SECONDS);
                    resources.shutdown(0, 2, TimeUnit.SECONDS).await(2, TimeUnit.SECONDS);
                });
        return closing.add(new RedisLinkCache(client, uri, breaker, timer, random, settings));
    }

    /** The loops, which the redirects share. */
    EventLoops loops() {
        return loops;
    }

    /** What the redirects of one loop look through. */
    LinkCache of(EventLoop loop) {
        return Objects.requireNonNull(byLoop.get(loop));
    }

    /** What everybody else uses. */
    LinkCache shared() {
        return shared;
    }

    /** Why the cache does not do its work now, if it does not. */
    Optional<String> fault() {
        return breaker.getState() == CircuitBreaker.State.CLOSED
                ? Optional.empty()
                : Optional.of("the cache does not answer");
    }

    @Override
    public void close() {
        closing.close();
    }

    /** Gives Lettuce a loop that somebody else owns, and stops. */
    private record OneLoop(EventLoop loop) implements EventLoopGroupProvider {
        @Override
        @SuppressWarnings("unchecked") // whatever class it asks for, it uses it as a group of loops
        public <T extends EventLoopGroup> T allocate(Class<T> type) {
            return (T) loop;
        }

        @Override
        public int threadPoolSize() {
            return 1;
        }

        @Override
        public Future<Boolean> release(
                EventExecutorGroup group, long quietPeriod, long timeout, TimeUnit unit) {
            return done();
        }

        @Override
        public Future<Boolean> shutdown(long quietPeriod, long timeout, TimeUnit unit) {
            return done();
        }

        private static Future<Boolean> done() {
            return ImmediateEventExecutor.INSTANCE.newSucceededFuture(true);
        }
    }
}
