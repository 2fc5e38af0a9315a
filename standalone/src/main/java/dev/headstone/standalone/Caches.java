package dev.headstone.standalone;

import dev.headstone.cache.AsyncRedisClient;
import dev.headstone.cache.CacheAddress;
import dev.headstone.cache.CacheBreaker;
import dev.headstone.cache.CacheNode;
import dev.headstone.cache.LinkCache;
import dev.headstone.cache.RedisLinkCache;
import dev.headstone.cache.RedisSettings;
import dev.headstone.cache.Trust;
import dev.headstone.cache.TrustRule;
import dev.headstone.cache.TrustWatch;
import dev.headstone.cache.TrustedLinkCache;
import dev.headstone.standalone.listener.EventLoops;
import dev.headstone.standalone.options.RedisTarget;
import dev.headstone.standalone.options.ServeOptions;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.lettuce.core.RedisClient;
import io.lettuce.core.resource.ClientResources;
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
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

/**
 * The ways into one Redis: for each event loop of the redirects a connection that lives on that
 * very loop, so that a hit does not change threads; and one for everybody who writes. They share
 * the breaker. Each is believed for itself, as far as it was observed itself.
 */
final class Caches implements AutoCloseable {
    private static final Duration CONNECT = Duration.ofSeconds(5);
    private static final long TICK_MILLIS = 5;

    private final Closing closing = new Closing();
    private final EventLoops loops;
    private final Map<EventLoop, Way> byLoop = new HashMap<>();
    private final Way shared;
    private final TrustRule rule;
    private final InstantSource clock;
    private final AtomicReference<Runnable> unswept = new AtomicReference<>(() -> {});
    private final CircuitBreaker breaker = CacheBreaker.create();

    /** One way in: as it is, and as far as it is believed. */
    private record Way(RedisLinkCache plain, TrustedLinkCache trusted) {}

    private Caches(
            CacheAddress address,
            ServeOptions options,
            SecureRandom random,
            MeterRegistry meters,
            InstantSource clock) {
        this.rule = rule(options);
        this.clock = clock;
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
            byLoop.put(loop, way(loop, address, timer, random, settings));
        }
        this.shared = way(loops.all().getFirst(), address, timer, random, settings);
        Gauge.builder("headstone.cache.breaker.open", breaker, Caches::openness)
                .description("1 while the cache is not asked, 0.5 while it is tried, else 0")
                .register(meters);
        Gauge.builder(
                        "headstone.cache.trusted",
                        this,
                        caches -> caches.distrust().isEmpty() ? 1 : 0)
                .description("1 while hits are used, 0 while the table is asked instead")
                .register(meters);
    }

    private static TrustRule rule(ServeOptions options) {
        if (options.redisDurable()) {
            return TrustRule.DURABLE;
        }
        return switch (options.redis()) {
            case RedisTarget.Embedded _ -> TrustRule.VERIFIED_ALONE; // a child, which only we know
            case RedisTarget.Node _, RedisTarget.Sentinel _, RedisTarget.Cluster _ ->
                    TrustRule.VERIFIED;
        };
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
            CacheAddress address,
            ServeOptions options,
            SecureRandom random,
            MeterRegistry meters,
            InstantSource clock)
            throws IOException {
        Caches caches = new Caches(address, options, random, meters, clock);
        if (!caches.connected()) {
            caches.close();
            throw new IOException("--redis: the cache cannot be reached");
        }
        caches.closing.add(ClockSkew.watch(caches.shared.plain()::time, clock, meters));
        caches.watch("shared", caches.shared);
        int loop = 0;
        for (Way way : caches.byLoop.values()) {
            caches.watch("loop-" + loop++, way);
        }
        return caches;
    }

    private boolean connected() {
        boolean open = shared.plain().awaitConnected(CONNECT);
        for (Way way : byLoop.values()) {
            open &= way.plain().awaitReadable(CONNECT);
        }
        return open;
    }

    /** Observed once before anybody asks, so that the first click may be a hit. */
    private void watch(String name, Way way) {
        Trust _ = way.trusted().observe();
        closing.add(new TrustWatch(name, way.trusted(), () -> unswept.get().run()).start());
    }

    private Way way(
            EventLoop loop,
            CacheAddress address,
            HashedWheelTimer timer,
            SecureRandom random,
            RedisSettings settings) {
        ClientResources resources =
                ClientResources.builder().eventLoopGroupProvider(new OneLoop(loop)).build();
        RedisClient client = AsyncRedisClient.on(resources);
        closing.add(
                () -> {
                    client.shutdown(0, 2, TimeUnit.SECONDS);
                    resources.shutdown(0, 2, TimeUnit.SECONDS).await(2, TimeUnit.SECONDS);
                });
        RedisLinkCache plain =
                closing.add(new RedisLinkCache(client, address, breaker, timer, random, settings));
        return new Way(plain, new TrustedLinkCache(plain, plain, rule, System::nanoTime, clock));
    }

    /** The loops, which the redirects share. */
    EventLoops loops() {
        return loops;
    }

    /** What the redirects of one loop look through. */
    LinkCache of(EventLoop loop) {
        return Objects.requireNonNull(byLoop.get(loop)).trusted();
    }

    /** What everybody else uses. */
    LinkCache shared() {
        return shared.trusted();
    }

    /** The node behind what everybody else uses, which a sweep observes and marks. */
    CacheNode node() {
        return shared.plain();
    }

    /** From now on, {@code sweep} is told when the cache has a run that nobody has swept. */
    void whenUnswept(Runnable sweep) {
        unswept.set(sweep);
    }

    /** Why the cache does not do its work now, if it does not. */
    Optional<String> fault() {
        return breaker.getState() == CircuitBreaker.State.CLOSED
                ? distrust().map(why -> "not trusted, the table is asked: " + why)
                : Optional.of("the cache does not answer");
    }

    private Optional<String> distrust() {
        return Stream.concat(Stream.of(shared), byLoop.values().stream())
                .flatMap(way -> way.trusted().distrust().stream())
                .findFirst();
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
