package dev.headstone.redirect;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A clock that goes only when told to. Safe for use by several threads. */
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

    void advance(Duration by) {
        now = now.plus(by);
    }
}
