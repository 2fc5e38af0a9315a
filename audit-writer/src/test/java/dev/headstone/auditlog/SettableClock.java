package dev.headstone.auditlog;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A clock that stands until it is moved. */
final class SettableClock implements InstantSource {
    private volatile Instant now;

    SettableClock(Instant now) {
        this.now = now;
    }

    @Override
    public Instant instant() {
        return now;
    }

    void set(Instant instant) {
        now = instant;
    }

    void advance(Duration step) {
        now = now.plus(step);
    }
}
