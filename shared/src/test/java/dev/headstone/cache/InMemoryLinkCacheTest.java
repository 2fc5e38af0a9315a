package dev.headstone.cache;

import dev.headstone.link.ShortCode;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

final class InMemoryLinkCacheTest extends LinkCacheContract {
    private final InMemoryLinkCache cache =
            new InMemoryLinkCache(InstantSource.fixed(Instant.ofEpochMilli(1_797_000_000_000L)));

    @Override
    protected LinkCache cache() {
        return cache;
    }

    @Override
    protected void putRaw(ShortCode code, byte[] value) {
        cache.put(code, value);
    }

    @Override
    protected Optional<byte[]> raw(ShortCode code) {
        return cache.raw(code);
    }

    @Override
    protected Optional<Duration> life(ShortCode code) {
        return cache.life(code);
    }
}
