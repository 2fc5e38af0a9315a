package dev.headstone.cache;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig.SlidingWindowSynchronizationStrategy;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig.SlidingWindowType;
import java.time.Duration;

/** The breaker that makes a dead cache cost nothing after the first few clicks. */
public final class CacheBreaker {
    /** How long nobody asks before somebody tries again: hits resume within 2 s of a return. */
    static final Duration OPEN = Duration.ofMillis(500);

    private CacheBreaker() {}

    /** A breaker that opens when half of the last ten answers, five at the least, were none. */
    public static CircuitBreaker create() {
        return CircuitBreaker.of(
                "cache",
                CircuitBreakerConfig.custom()
                        .slidingWindow(
                                10,
                                5,
                                SlidingWindowType.COUNT_BASED,
                                SlidingWindowSynchronizationStrategy.LOCK_FREE)
                        .failureRateThreshold(50)
                        .permittedNumberOfCallsInHalfOpenState(2)
                        .waitDurationInOpenState(OPEN)
                        .build());
    }
}
