package dev.headstone.auditlog;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;

/** What the audit writer counts; all figures are there, as zero, from the start. */
final class AuditMetrics {
    /** What became of a message. */
    enum Result {
        WRITTEN("written"),
        DUPLICATE("duplicate"),
        CONFLICT("conflict"),
        FAILED("failed"),
        TOO_LARGE("too_large"),
        UNREADABLE("unreadable"),
        /** Not tried, because something before it in its group failed or the time was up. */
        HELD_BACK("held_back");

        private final String label;

        Result(String label) {
            this.label = label;
        }
    }

    private final Map<Result, Counter> events = new EnumMap<>(Result.class);
    private volatile double lagSeconds;

    AuditMetrics(MeterRegistry registry) {
        for (Result result : Result.values()) {
            events.put(
                    result,
                    Counter.builder("headstone.audit.events")
                            .description("Messages of the audit queue by what became of them")
                            .tag("result", result.label)
                            .register(registry));
        }
        Gauge.builder("headstone.audit.lag", this, metrics -> metrics.lagSeconds)
                .description("From the event to its place in the log, for the last one written")
                .baseUnit("seconds")
                .strongReference(true)
                .register(registry);
    }

    void count(Result result) {
        count(result, 1);
    }

    void count(Result result, int messages) {
        Counter counter = events.get(result);
        if (counter != null) {
            counter.increment(messages);
        }
    }

    /** A producer's clock may be ahead: there is no negative lag. */
    void lag(Duration lag) {
        lagSeconds = Math.max(0, lag.toMillis()) / 1_000.0;
    }
}
