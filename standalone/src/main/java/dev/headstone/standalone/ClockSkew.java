package dev.headstone.standalone;

import dev.headstone.freshness.Freshness;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How far this process's clock is off the cache's. Whoever answers decides by its own clock whether
 * a link has expired, so that a clock that is off serves links that are over, or hides live ones.
 */
final class ClockSkew implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(ClockSkew.class);
    private static final long EVERY_SECONDS = 10;

    private final Supplier<Optional<Instant>> theirs;
    private final InstantSource clock;
    private final Counter skewed;
    private final Thread watcher;
    private volatile double seconds;

    private ClockSkew(
            Supplier<Optional<Instant>> theirs, InstantSource clock, MeterRegistry meters) {
        this.theirs = theirs;
        this.clock = clock;
        Gauge.builder("headstone.clock.skew", () -> seconds)
                .baseUnit("seconds")
                .description("How far this clock is from the cache's, as last measured")
                .register(meters);
        this.skewed =
                Counter.builder("headstone.clock.skewed")
                        .description("Measurements that found more than a second")
                        .register(meters);
        this.watcher = Thread.ofVirtual().name("clock-skew").unstarted(this::watch);
    }

    /**
     * Measures at once and every ten seconds from then on.
     *
     * @param theirs asks the cache for its time; empty if it does not answer
     */
    static ClockSkew watch(
            Supplier<Optional<Instant>> theirs, InstantSource clock, MeterRegistry meters) {
        ClockSkew skew = new ClockSkew(theirs, clock, meters);
        skew.watcher.start();
        return skew;
    }

    private void watch() {
        try {
            while (true) {
                theirs.get().ifPresent(this::compare);
                TimeUnit.SECONDS.sleep(EVERY_SECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // closed
        }
    }

    private void compare(Instant now) {
        Duration skew = Duration.between(now, clock.instant()).abs();
        seconds = skew.toNanos() / 1e9;
        if (skew.compareTo(Freshness.CLOCK_SKEW) > 0) {
            skewed.increment();
            log.atError().addKeyValue("skew", skew).log("this clock is off the cache's");
        }
    }

    @Override
    public void close() {
        watcher.interrupt(); // it has nothing in hand that must be finished
    }
}
