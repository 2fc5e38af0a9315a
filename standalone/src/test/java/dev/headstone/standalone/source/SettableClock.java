package dev.headstone.standalone.source;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicReference;

/** A clock that stands still until it is told otherwise. */
final class SettableClock implements InstantSource {
    static final Instant START = Instant.parse("2026-12-01T12:00:00.250Z");

    private final AtomicReference<Instant> now = new AtomicReference<>(START);

    @Override
    public Instant instant() {
        return now.get();
    }

    void advance(Duration time) {
        now.updateAndGet(instant -> instant.plus(time));
    }
}
