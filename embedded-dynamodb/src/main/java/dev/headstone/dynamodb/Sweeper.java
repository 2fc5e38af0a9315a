package dev.headstone.dynamodb;

import dev.headstone.dynamodb.operation.Housekeeping;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs the housekeeping again and again, in a thread of its own. */
final class Sweeper implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Sweeper.class);
    private static final Duration CLOSING_PATIENCE = Duration.ofSeconds(30);

    private final Housekeeping housekeeping;
    private final Duration interval;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Thread thread;

    private Sweeper(Housekeeping housekeeping, Duration interval) {
        this.housekeeping = housekeeping;
        this.interval = interval;
        this.thread = Thread.ofPlatform().name("dynamodb-sweep").daemon().unstarted(this::run);
    }

    static Sweeper start(Housekeeping housekeeping, Duration interval) {
        Sweeper sweeper = new Sweeper(housekeeping, interval);
        sweeper.thread.start();
        return sweeper;
    }

    private void run() {
        try {
            while (!closing.await(interval.toNanos(), TimeUnit.NANOSECONDS)) {
                sweep();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void sweep() {
        try {
            housekeeping.run();
        } catch (RuntimeException e) {
            log.atError().setCause(e).log("a sweep failed and will be repeated");
        }
    }

    /** Lets a sweep in hand finish. */
    @Override
    public void close() {
        closing.countDown();
        try {
            thread.join(CLOSING_PATIENCE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
