package dev.headstone.redirect;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * The turns at the table: so many threads may ask it at one time, so that a herd of cold codes does
 * not slow every single read beyond its budget. First come, first served. Safe for use by several
 * threads.
 */
final class Turns {
    /** No turn came up in time. */
    static final class NoneInTime extends RuntimeException {
        private static final long serialVersionUID = 1L;

        NoneInTime() {
            super("no turn at the table came up in time", null, false, false);
        }
    }

    private final Semaphore turns;
    private final Duration patience;

    /**
     * @param patience how long one may wait for a turn
     */
    Turns(int most, Duration patience) {
        this.turns = new Semaphore(most, true);
        this.patience = patience;
    }

    /** Waits for a turn; false if none came up in time, or the thread was interrupted. */
    boolean take() {
        try {
            return turns.tryAcquire(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Gives a turn back that was taken. */
    void giveBack() {
        turns.release();
    }
}
