package dev.headstone.redirect;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has visits written down from time to time, and once more when it is closed. Where nothing may run
 * between two requests, as in Lambda, it is not started; {@link #flushIfDue} is called at the end
 * of each instead.
 */
public final class VisitSchedule implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(VisitSchedule.class);

    private static final Duration STOP = Duration.ofSeconds(4);

    private final VisitCounter counter;
    private final VisitPace pace;
    private final LongSupplier nanos;
    private final Timer timer;
    private final Thread thread;
    private long due;

    /**
     * @param nanos a clock that only goes forward, such as {@link System#nanoTime}
     */
    public VisitSchedule(
            VisitCounter counter, VisitPace pace, LongSupplier nanos, MeterRegistry registry) {
        this.counter = counter;
        this.pace = pace;
        this.nanos = nanos;
        this.timer =
                Timer.builder("headstone.visit.flush")
                        .description("Writing down the visits noted since the last time")
                        .register(registry);
        this.thread = Thread.ofVirtual().name("visits").unstarted(this::flushFromTimeToTime);
        this.due = nanos.getAsLong() + pace.shortest().toNanos();
    }

    /** Begins. */
    public VisitSchedule start() {
        thread.start();
        return this;
    }

    private void flushFromTimeToTime() {
        try {
            while (true) {
                TimeUnit.NANOSECONDS.sleep(flushIfDue().toNanos());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // closed
        }
    }

    /**
     * Flushes if it is time to.
     *
     * @return how long it is until the next time
     */
    public synchronized Duration flushIfDue() {
        long began = nanos.getAsLong();
        if (began - due >= 0) {
            flush();
            long ended = nanos.getAsLong();
            due = ended + pace.after(Duration.ofNanos(ended - began)).toNanos();
        }
        return Duration.ofNanos(Math.max(1, due - nanos.getAsLong()));
    }

    private void flush() {
        try {
            timer.record(() -> counter.flush());
        } catch (RuntimeException e) { // a bug must not end the counting
            log.atError().setCause(e).log("visits could not be written down");
        }
    }

    /** Ends it, and has written down what was noted; waits a few seconds at the most. */
    @Override
    public void close() {
        thread.interrupt();
        Thread last = Thread.ofVirtual().name("last-visits").start(this::flush);
        try {
            last.join(STOP);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (last.isAlive()) {
            log.atWarn().log("the last visits were not written down in time");
        }
    }
}
