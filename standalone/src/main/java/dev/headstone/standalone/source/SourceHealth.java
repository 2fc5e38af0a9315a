package dev.headstone.standalone.source;

import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicReference;

/** Collects how the parts of a source are doing. Safe for use by several threads. */
final class SourceHealth {
    private enum Phase {
        STARTING,
        STARTED,
        STOPPED
    }

    private final InstantSource clock;
    private final ConcurrentMap<String, SourceState.Troubled> troubles = new ConcurrentHashMap<>();
    private final AtomicReference<Phase> phase = new AtomicReference<>(Phase.STARTING);

    SourceHealth(InstantSource clock) {
        this.clock = clock;
    }

    /** A part is not there any more, or begins anew. */
    void forget(String part) {
        troubles.remove(part);
    }

    /** A part did what it is there for. */
    void well(String part) {
        troubles.remove(part);
        phase.compareAndSet(Phase.STARTING, Phase.STARTED);
    }

    /** A part failed; {@code fault} never holds an error's message. */
    void ill(String part, String fault) {
        Instant now = clock.instant();
        troubles.merge(
                part,
                new SourceState.Troubled(fault, now),
                (earlier, _) -> new SourceState.Troubled(fault, earlier.since()));
    }

    void stopped() {
        phase.set(Phase.STOPPED);
    }

    SourceState state() {
        return switch (phase.get()) {
            case STOPPED -> new SourceState.Stopped();
            case STARTING -> worstOr(new SourceState.Starting());
            case STARTED -> worstOr(new SourceState.Polling());
        };
    }

    private SourceState worstOr(SourceState otherwise) {
        return troubles.values().stream()
                .min(Comparator.comparing(SourceState.Troubled::since))
                .map(SourceState.class::cast)
                .orElse(otherwise);
    }
}
