package dev.headstone.standalone.source;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * What a stream source counts. All meters are there from the start, at zero.
 *
 * <p>{@code headstone_stream_lag_seconds} is the age of the oldest record in hand; with none in
 * hand, the age that the last settled record had when it was settled.
 */
final class StreamMeters {
    private final InstantSource clock;
    private final BatchMeters batches;
    private final Counter bisects;
    private final Counter retries;
    private final Counter discarded;
    private final Counter trimmed;
    private final Timer age;
    private final ConcurrentMap<String, Instant> inHand = new ConcurrentHashMap<>();
    private volatile Duration lastAge = Duration.ZERO;

    StreamMeters(String source, MeterRegistry registry, InstantSource clock) {
        this.clock = clock;
        this.batches = new BatchMeters(source, registry);
        this.bisects = counter("headstone_stream_bisects", source, registry);
        this.retries = counter("headstone_stream_retries", source, registry);
        this.discarded = counter("headstone_stream_discarded", source, registry);
        this.trimmed = counter("headstone_stream_trimmed", source, registry);
        this.age =
                Timer.builder("headstone_stream_record_age")
                        .description("age of a stream record when it was settled")
                        .tag("source", source)
                        .serviceLevelObjectives(
                                Duration.ofMillis(50),
                                Duration.ofMillis(150),
                                Duration.ofMillis(500),
                                Duration.ofSeconds(2),
                                Duration.ofSeconds(10),
                                Duration.ofMinutes(1),
                                Duration.ofMinutes(10),
                                Duration.ofHours(1))
                        .register(registry);
        Gauge.builder("headstone_stream_lag_seconds", this, StreamMeters::lagSeconds)
                .description(
                        "age of the oldest stream record in hand, else of the last one settled")
                .strongReference(true)
                .register(registry);
    }

    private static Counter counter(String name, String source, MeterRegistry registry) {
        return Counter.builder(name).tag("source", source).register(registry);
    }

    void inHand(String shardId, Instant createdAt) {
        inHand.put(shardId, createdAt);
    }

    void idle(String shardId) {
        inHand.remove(shardId);
    }

    void answered(Answer answer) {
        batches.answered(answer);
    }

    void bisected() {
        bisects.increment();
    }

    void retried() {
        retries.increment();
    }

    void discarded(int records) {
        discarded.increment(records);
    }

    void trimmed() {
        trimmed.increment();
    }

    void handled(Duration recordAge) {
        // The stream's clock may be ahead of ours.
        Duration positive = recordAge.isNegative() ? Duration.ZERO : recordAge;
        lastAge = positive;
        age.record(positive);
    }

    private double lagSeconds() {
        Duration lag =
                inHand.values().stream()
                        .min(Comparator.naturalOrder())
                        .map(oldest -> Duration.between(oldest, clock.instant()))
                        .orElse(lastAge);
        return lag.isNegative() ? 0 : lag.toNanos() / 1e9;
    }
}
