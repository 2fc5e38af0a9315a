package dev.headstone.stream;

import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Lets a comparator compare what is due, so much a second at the most, until it is closed. */
public final class ComparisonSchedule implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(ComparisonSchedule.class);

    private static final Duration TICK = Duration.ofMillis(100);
    private static final Duration STOP = Duration.ofSeconds(3);

    private final CacheComparator comparator;
    private final int mostPerTick;
    private final Thread thread;

    /**
     * @param mostPerSecond how many comparisons a second, so that they stay a small load beside
     *     what they watch; at least ten
     */
    public ComparisonSchedule(CacheComparator comparator, int mostPerSecond) {
        this.comparator = comparator;
        this.mostPerTick = mostPerSecond / 10;
        this.thread = Thread.ofVirtual().name("comparator").unstarted(this::compare);
    }

    /** Begins. */
    public ComparisonSchedule start() {
        thread.start();
        return this;
    }

    private void compare() {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                compareDue();
                Thread.sleep(TICK);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // closed
        }
    }

    private void compareDue() {
        try {
            comparator.compareDue(mostPerTick);
        } catch (RuntimeException e) { // a bug must not end what watches for bugs
            log.atError().setCause(e).log("comparison ended with an exception");
        }
    }

    /** Ends it; waits a few seconds at the most for the comparison in hand. */
    @Override
    public void close() {
        thread.interrupt();
        try {
            if (thread.isAlive()) {
                thread.join(STOP);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
