package dev.headstone.stream;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sweeps when it is started, every few minutes from then on, and at once when told that the cache
 * has a run that nobody has swept. A sweep that could not be finished is gone on with after a
 * pause, which doubles up to {@link #LONGEST_PAUSE}. Start it once; it runs until it is closed.
 */
public final class SweepSchedule implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(SweepSchedule.class);

    /** Without a reason to hurry. */
    public static final Duration EVERY = Duration.ofMinutes(5);

    private static final Duration SHORTEST_PAUSE = Duration.ofMillis(250);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

    private final Sweep sweep;
    private final Duration every;
    private final Semaphore wanted = new Semaphore(0);
    private final Thread thread;

    /**
     * @param every how long after a finished sweep the next one begins by itself
     */
    public SweepSchedule(Sweep sweep, Duration every) {
        this.sweep = sweep;
        this.every = every;
        this.thread = Thread.ofVirtual().name("sweep").unstarted(this::sweepFromTimeToTime);
    }

    /** Begins. */
    public SweepSchedule start() {
        thread.start();
        return this;
    }

    /** There is a run that nobody has swept. Returns at once, and may be called at any time. */
    public void wake() {
        if (wanted.availablePermits() == 0) {
            wanted.release();
        }
    }

    /** Sweeps now, on the caller's thread, after a sweep that is under way. */
    public SweepOutcome sweepNow() {
        return sweep.run();
    }

    private void sweepFromTimeToTime() {
        try {
            Duration pause = SHORTEST_PAUSE;
            while (true) {
                if (isDone()) {
                    pause = SHORTEST_PAUSE;
                    boolean _ = wanted.tryAcquire(every.toNanos(), TimeUnit.NANOSECONDS);
                } else {
                    Thread.sleep(pause);
                    pause = pause.multipliedBy(2);
                    pause = pause.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : pause;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // closed
        }
    }

    private boolean isDone() throws InterruptedException {
        boolean done = isSwept();
        if (Thread.currentThread().isInterrupted()) {
            throw new InterruptedException("closed while sweeping");
        }
        wanted.drainPermits(); // whoever still misses the marker after this will say so again
        return done;
    }

    private boolean isSwept() {
        try {
            return switch (sweep.run()) {
                case SweepOutcome.Swept _ -> true;
                case SweepOutcome.RunChanged _, SweepOutcome.Unfinished _ -> false;
            };
        } catch (RuntimeException e) { // without sweeps the cache would be lost for good
            log.atError().setCause(e).log("sweep ended with an exception");
            return false;
        }
    }

    /** Ends it; waits a few seconds at the most for what is in hand. */
    @Override
    public void close() {
        thread.interrupt();
        try {
            if (thread.isAlive()) {
                thread.join(Duration.ofSeconds(3));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
