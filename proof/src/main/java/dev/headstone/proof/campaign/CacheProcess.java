package dev.headstone.proof.campaign;

import dev.headstone.cache.CacheBreaker;
import dev.headstone.cache.CacheNode;
import dev.headstone.cache.LinkCache;
import dev.headstone.cache.RedisLinkCache;
import dev.headstone.cache.RedisSettings;
import dev.headstone.cache.Trust;
import dev.headstone.cache.TrustRule;
import dev.headstone.cache.TrustWatch;
import dev.headstone.cache.TrustedLinkCache;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.netty.util.Timer;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicReference;

/** One process's way to the cache: connections, breaker and trust of its own, all as they ship. */
final class CacheProcess implements AutoCloseable {
    private static final Duration CONNECT = Duration.ofSeconds(10);

    private final RedisLinkCache plain;
    private final TrustedLinkCache trusted;
    private final TrustWatch watch;
    private final AtomicReference<Runnable> unswept = new AtomicReference<>(() -> {});

    CacheProcess(
            String name,
            RedisClient client,
            RedisURI uri,
            Timer timer,
            SecureRandom random,
            RedisSettings settings,
            InstantSource clock) {
        plain = new RedisLinkCache(client, uri, CacheBreaker.create(), timer, random, settings);
        trusted = new TrustedLinkCache(plain, plain, TrustRule.VERIFIED, System::nanoTime, clock);
        watch = new TrustWatch(name, trusted, () -> unswept.get().run());
    }

    /** Connects, observes for the first time, and goes on observing. */
    CacheProcess open() throws IOException {
        if (!plain.awaitConnected(CONNECT)) {
            throw new IOException("the campaign's Redis cannot be reached");
        }
        Trust _ = trusted.observe();
        watch.start();
        return this;
    }

    void whenUnswept(Runnable sweep) {
        unswept.set(sweep);
    }

    LinkCache cache() {
        return trusted;
    }

    CacheNode node() {
        return plain;
    }

    @Override
    public void close() {
        watch.close();
        plain.close();
    }
}
