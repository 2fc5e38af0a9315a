package dev.headstone.lambda;

import dev.headstone.cache.AsyncRedisClient;
import dev.headstone.cache.CacheAddress;
import dev.headstone.cache.CacheBreaker;
import dev.headstone.cache.CacheNode;
import dev.headstone.cache.LinkCache;
import dev.headstone.cache.RedisLinkCache;
import dev.headstone.cache.Trust;
import dev.headstone.cache.TrustedLinkCache;
import dev.headstone.freshness.Freshness;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCredentialsProvider;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.resolver.DefaultAddressResolverGroup;
import io.netty.util.HashedWheelTimer;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way of one execution environment to the cache. An environment is frozen between two
 * invocations, so that nobody watches the cache meanwhile: {@link #verify} is called at the start
 * of each.
 */
public final class FunctionCache implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(FunctionCache.class);

    /** An environment handles one request at a time. */
    private static final int THREADS = 2;

    private static final Duration CONNECT = Duration.ofSeconds(2);
    private static final long TICK_MILLIS = 5;

    static {
        // Nobody records flights here, and their events cost a cold start a hundred classes.
        System.setProperty("io.lettuce.core.jfr", "false");
        System.setProperty("io.netty.jfr.enabled", "false");
    }

    private final Parts parts = new Parts();
    private final RedisLinkCache plain;
    private final TrustedLinkCache trusted;
    private Optional<Long> lastObserved = Optional.empty();

    private FunctionCache(
            CacheAddress address,
            CacheSettings settings,
            SecureRandom random,
            InstantSource clock,
            MeterRegistry meters) {
        HashedWheelTimer timer =
                new HashedWheelTimer(
                        new DefaultThreadFactory("headstone-timer", true),
                        TICK_MILLIS,
                        TimeUnit.MILLISECONDS);
        parts.add(timer::stop);
        ClientResources resources =
                DefaultClientResources.builder()
                        .ioThreadPoolSize(THREADS)
                        .computationThreadPoolSize(THREADS)
                        // Netty's own would be one more thing to load, and a socket to keep.
                        .addressResolverGroup(DefaultAddressResolverGroup.INSTANCE)
                        .build();
        parts.add(() -> resources.shutdown(0, 2, TimeUnit.SECONDS).await(3, TimeUnit.SECONDS));
        RedisClient client = AsyncRedisClient.on(resources);
        parts.add(() -> client.shutdown(0, 2, TimeUnit.SECONDS));
        CircuitBreaker breaker = CacheBreaker.create();
        this.plain =
                parts.add(
                        new RedisLinkCache(
                                client, address, breaker, timer, random, settings.adapter()));
        this.trusted =
                new TrustedLinkCache(plain, plain, settings.trust(), System::nanoTime, clock);
        Gauge.builder("headstone.cache.trusted", this, FunctionCache::trustedNow)
                .description("1 while hits are used, 0 while the table is asked instead")
                .register(meters);
    }

    /**
     * Begins to connect, and waits for it two seconds at the most: a cache that is away costs
     * speed, and keeps no function from starting.
     *
     * @param random for the leases' tokens; must not have been in a snapshot
     * @throws IllegalStateException if there is a token that cannot be read
     */
    public static FunctionCache open(
            CacheSettings settings,
            SecureRandom random,
            InstantSource clock,
            MeterRegistry meters) {
        CacheAddress address =
                settings.tokenParameter()
                        .map(name -> new EncryptedParameter(name, settings.parameterStore()))
                        .map(parameter -> new CacheToken(parameter, settings.username()))
                        .map(RedisCredentialsProvider::from)
                        .map(settings::address)
                        .orElse(settings.address());
        FunctionCache cache = new FunctionCache(address, settings, random, clock, meters);
        if (!cache.plain.awaitConnected(CONNECT)) {
            log.atWarn().log("cache not connected at the start");
        }
        cache.verify();
        return cache;
    }

    /** What links are looked up in, and settled. */
    public LinkCache links() {
        return trusted;
    }

    /** The node behind it. */
    public CacheNode node() {
        return plain;
    }

    /**
     * Observes the cache if hits are not used now, so that this invocation may use them; not more
     * often than every {@link Freshness#VERIFY_EVERY}. Blocks as one command to the cache does. For
     * the thread that invokes.
     */
    public void verify() {
        long now = System.nanoTime();
        boolean lately =
                lastObserved
                        .filter(last -> now - last < Freshness.VERIFY_EVERY.toNanos())
                        .isPresent();
        if (!lately && trusted.distrust().isPresent()) {
            Trust _ = trusted.observe();
            lastObserved = Optional.of(now);
        }
    }

    private double trustedNow() {
        return trusted.distrust().isEmpty() ? 1 : 0;
    }

    @Override
    public void close() {
        parts.close();
    }
}
