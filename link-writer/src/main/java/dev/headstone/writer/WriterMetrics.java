package dev.headstone.writer;

import dev.headstone.cache.Repair;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Supplier;

/** What the link writer measures; every figure is there, as zero, from the start. */
final class WriterMetrics {
    /** How a change came out, in one word. */
    private enum Outcome {
        CONFIRMED("confirmed"),
        INVALIDATE_FAILED("invalidate_failed"),
        AUDIT_FAILED("audit_failed"),
        SUPERSEDED("superseded"),
        REFUSED("refused"),
        NOT_FOUND("not_found"),
        FAILED("failed");

        private final String label;

        Outcome(String label) {
            this.label = label;
        }

        private static Outcome of(ChangeResult result) {
            return switch (result) {
                case ChangeResult.Confirmed _ -> CONFIRMED;
                case ChangeResult.InvalidateFailed _ -> INVALIDATE_FAILED;
                case ChangeResult.AuditFailed _ -> AUDIT_FAILED;
                case ChangeResult.Superseded _ -> SUPERSEDED;
                case ChangeResult.Refused _, ChangeResult.Forbidden _ -> REFUSED;
                case ChangeResult.NoSuchLink _ -> NOT_FOUND;
                case ChangeResult.Unreadable _, ChangeResult.NotMade _, ChangeResult.InDoubt _ ->
                        FAILED;
            };
        }
    }

    /** What became of a tombstone that was to be written. */
    enum Tombstone {
        CONFIRMED("confirmed"),
        SUPERSEDED("superseded"),
        FAILED("failed");

        private final String label;

        Tombstone(String label) {
            this.label = label;
        }
    }

    private final MeterRegistry registry;
    private final Map<Outcome, Timer> takedowns = new EnumMap<>(Outcome.class);
    private final Map<ChangeKind, Map<Outcome, Counter>> changes = new EnumMap<>(ChangeKind.class);
    private final Map<ChangeKind, Map<Tombstone, Counter>> tombstones =
            new EnumMap<>(ChangeKind.class);
    private final Counter primed;
    private final Counter notPrimed;

    WriterMetrics(MeterRegistry registry) {
        this.registry = registry;
        for (Outcome outcome : Outcome.values()) {
            takedowns.put(outcome, takedown(outcome));
        }
        for (ChangeKind kind : ChangeKind.values()) {
            if (kind != ChangeKind.CREATE) {
                changes.put(kind, changesOf(kind));
                tombstones.put(kind, tombstonesOf(kind));
            }
        }
        primed = priming("primed");
        notPrimed = priming("failed");
    }

    private Timer takedown(Outcome outcome) {
        return Timer.builder("headstone.takedown")
                .description("Takedowns of one link by outcome, from the request to the receipt")
                .tag("outcome", outcome.label)
                .serviceLevelObjectives(
                        Duration.ofMillis(10),
                        Duration.ofMillis(25),
                        Duration.ofMillis(50),
                        Duration.ofMillis(100),
                        Duration.ofMillis(250),
                        Duration.ofMillis(500),
                        Duration.ofSeconds(1),
                        Duration.ofMillis(2_500),
                        Duration.ofSeconds(5))
                .register(registry);
    }

    private Map<Outcome, Counter> changesOf(ChangeKind kind) {
        Map<Outcome, Counter> counters = new EnumMap<>(Outcome.class);
        for (Outcome outcome : Outcome.values()) {
            counters.put(
                    outcome,
                    Counter.builder("headstone.changes")
                            .description("Changes of links that were asked for, by outcome")
                            .tags("kind", kind.word(), "outcome", outcome.label)
                            .register(registry));
        }
        return counters;
    }

    private Map<Tombstone, Counter> tombstonesOf(ChangeKind kind) {
        Map<Tombstone, Counter> counters = new EnumMap<>(Tombstone.class);
        for (Tombstone result : Tombstone.values()) {
            counters.put(
                    result,
                    Counter.builder("headstone.tombstones")
                            .description("Tombstones written, by who wrote them")
                            .tags("source", kind.word(), "result", result.label)
                            .register(registry));
        }
        return counters;
    }

    private Counter priming(String result) {
        return Counter.builder("headstone.primings")
                .description("Records of new links written ahead of the first click")
                .tag("result", result)
                .register(registry);
    }

    /** Does {@code work}, and notes how long it took and how it came out. */
    ChangeResult measured(ChangeKind kind, Supplier<ChangeResult> work) {
        Timer.Sample sample = Timer.start(registry);
        ChangeResult result = work.get();
        Outcome outcome = Outcome.of(result);
        increment(changes, kind, outcome);
        Timer takedown = takedowns.get(outcome);
        if (kind == ChangeKind.TAKEDOWN && takedown != null) {
            sample.stop(takedown);
        }
        return result;
    }

    void tombstone(ChangeKind kind, Tombstone result) {
        increment(tombstones, kind, result);
    }

    void priming(Repair repair) {
        switch (repair) {
            case Repair.Settled _ -> primed.increment();
            case Repair.Unreadable _, Repair.TableFailed _, Repair.CacheFailed _ ->
                    notPrimed.increment();
        }
    }

    private static <T> void increment(
            Map<ChangeKind, Map<T, Counter>> counters, ChangeKind kind, T label) {
        Counter counter = counters.getOrDefault(kind, Map.of()).get(label);
        if (counter != null) {
            counter.increment();
        }
    }
}
