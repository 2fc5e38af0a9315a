package dev.headstone.lambda;

import io.lettuce.core.RedisCredentials;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The cache's AUTH token: read from its encrypted parameter at the start, and again, aside, when a
 * connection is opened later than {@link #YOUNG} after that. So a token that was rotated meanwhile
 * does not lock a running function out for longer than until its next attempt to connect. Never
 * blocks, since an event loop asks. Safe for use by several threads.
 */
final class CacheToken implements Supplier<RedisCredentials> {
    private static final Logger log = LoggerFactory.getLogger(CacheToken.class);

    /** Far less than both tokens of a rotation are accepted side by side. */
    static final Duration YOUNG = Duration.ofMinutes(1);

    private final EncryptedParameter parameter;
    private final Optional<String> username;
    private final AtomicBoolean reading = new AtomicBoolean();
    private volatile Known known;

    private record Known(String token, long atNanos) {}

    /**
     * Reads the token.
     *
     * @throws IllegalStateException if it cannot be read
     */
    CacheToken(EncryptedParameter parameter, Optional<String> username) {
        this.parameter = parameter;
        this.username = username;
        this.known = read();
    }

    private Known read() {
        return new Known(parameter.value(), System.nanoTime());
    }

    @Override
    public RedisCredentials get() {
        Known now = known;
        if (System.nanoTime() - now.atNanos > YOUNG.toNanos()
                && reading.compareAndSet(false, true)) {
            Thread.ofVirtual().name("cache-token").start(this::readAgain);
        }
        return RedisCredentials.just(username.orElse(null), now.token);
    }

    private void readAgain() {
        try {
            known = read();
        } catch (RuntimeException e) { // the old one may be good still
            log.atWarn().setCause(e).log("cache token not read again");
        } finally {
            reading.set(false);
        }
    }
}
