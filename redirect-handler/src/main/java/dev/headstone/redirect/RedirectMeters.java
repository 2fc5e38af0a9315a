package dev.headstone.redirect;

import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** What the redirect counts. Every meter exists from the start, so that none is missing at zero. */
final class RedirectMeters {
    private static final Duration[] BUCKETS = {
        Duration.ofNanos(250_000),
        Duration.ofNanos(500_000),
        Duration.ofMillis(1),
        Duration.ofNanos(2_500_000),
        Duration.ofMillis(5),
        Duration.ofMillis(10),
        Duration.ofMillis(25),
        Duration.ofMillis(50),
        Duration.ofMillis(150), // the cache's budget
        Duration.ofMillis(500),
        Duration.ofSeconds(1), // the table's
        Duration.ofMillis(2_500),
    };

    private final Clock clock;
    private final Map<Outcome, Map<CacheUse, Timer>> redirects = new EnumMap<>(Outcome.class);
    private final Map<Populate, Counter> populates = new EnumMap<>(Populate.class);
    private final Counter clicks;
    private final Counter shed;
    private final Counter buried;
    private final Counter unburied;

    RedirectMeters(MeterRegistry registry, Supplier<Number> waiting) {
        clock = registry.config().clock();
        for (Outcome outcome : Outcome.values()) {
            Map<CacheUse, Timer> byUse = new EnumMap<>(CacheUse.class);
            for (CacheUse use : CacheUse.values()) {
                byUse.put(use, timer(outcome, use, registry));
            }
            redirects.put(outcome, byUse);
        }
        for (Populate result : Populate.values()) {
            populates.put(result, populates(result, registry));
        }
        clicks =
                Counter.builder("headstone.clicks")
                        .description("Redirects given to GETs of people")
                        .register(registry);
        shed =
                Counter.builder("headstone.redirect.shed")
                        .description("Clicks refused because too many waited for the table")
                        .register(registry);
        buried = tombstones("confirmed", registry);
        unburied = tombstones("failed", registry);
        Gauge.builder("headstone.redirect.waiting", waiting)
                .description("Clicks that wait for the table")
                .register(registry);
    }

    private static Timer timer(Outcome outcome, CacheUse use, MeterRegistry registry) {
        return Timer.builder("headstone.redirect")
                .description("From the arrival of a click to its answer")
                .tag("outcome", outcome.label())
                .tag("cache", use.label())
                .serviceLevelObjectives(BUCKETS)
                .register(registry);
    }

    private static Counter populates(Populate result, MeterRegistry registry) {
        return Counter.builder("headstone.populates")
                .description("Attempts of clicks to bring the cache in line")
                .tag("result", result.label())
                .register(registry);
    }

    private static Counter tombstones(String result, MeterRegistry registry) {
        return Counter.builder("headstone.tombstones")
                .description("Tombstones written, by who wrote them and what became of it")
                .tag("source", "visits")
                .tag("result", result)
                .register(registry);
    }

    /** The reading of a clock that only goes forward, nanoseconds. */
    long nanos() {
        return clock.monotonicTime();
    }

    void answered(Outcome outcome, CacheUse use, long sinceNanos) {
        Objects.requireNonNull(Objects.requireNonNull(redirects.get(outcome)).get(use))
                .record(clock.monotonicTime() - sinceNanos, TimeUnit.NANOSECONDS);
        if (outcome == Outcome.SHED) {
            shed.increment();
        }
    }

    void populated(Populate result) {
        Objects.requireNonNull(populates.get(result)).increment();
    }

    void clicked() {
        clicks.increment();
    }

    void exhausted(boolean confirmed) {
        (confirmed ? buried : unburied).increment();
    }
}
