package dev.headstone.redirect;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/** What counting visits counts. Every meter exists from the start. */
final class VisitMeters {
    private final Counter written;
    private final Counter lost;
    private final Counter shed;
    private final Counter batchesWritten;
    private final Counter batchesTurnedDown;
    private final Counter batchesUnknown;

    VisitMeters(MeterRegistry registry) {
        written = visits("written", registry);
        lost = visits("lost", registry);
        shed = visits("shed", registry);
        batchesWritten = batches("written", registry);
        batchesTurnedDown = batches("turned_down", registry);
        batchesUnknown = batches("unknown", registry);
    }

    private static Counter visits(String result, MeterRegistry registry) {
        return Counter.builder("headstone.visits")
                .description(
                        "Visits by what became of counting them: written, lost because nobody knows"
                                + " whether they were, shed because there was no room")
                .tag("result", result)
                .register(registry);
    }

    private static Counter batches(String result, MeterRegistry registry) {
        return Counter.builder("headstone.visit.batches")
                .description("Attempts to write a batch of visits")
                .tag("result", result)
                .register(registry);
    }

    void written(long visits) {
        written.increment((double) visits);
        batchesWritten.increment();
    }

    void turnedDown() {
        batchesTurnedDown.increment();
    }

    void unknown() {
        batchesUnknown.increment();
    }

    void lost(long visits) {
        lost.increment((double) visits);
    }

    void shed(long visits) {
        shed.increment((double) visits);
    }
}
