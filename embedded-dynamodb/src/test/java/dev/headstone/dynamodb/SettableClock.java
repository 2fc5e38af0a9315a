package dev.headstone.dynamodb;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicReference;

/** Time that stands still until it is moved. */
final class SettableClock implements InstantSource {
    private final AtomicReference<Instant> now;

    SettableClock(Instant start) {
        now = new AtomicReference<>(start);
    }

    void advance(Duration step) {
        now.updateAndGet(instant -> instant.plus(step));
    }

    @Override
    public Instant instant() {
        return now.get();
    }
}
