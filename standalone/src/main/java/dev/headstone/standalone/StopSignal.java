package dev.headstone.standalone;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * SIGTERM and Ctrl-C as something to wait for. The process then has {@link #GRACE} to close its
 * parts and say so; it ends with the status it gave, or without one when the time is over.
 */
final class StopSignal {
    /** INTERFACE.md: a clean stop within 10 s. The rest is for the operating system. */
    static final Duration GRACE = Duration.ofSeconds(9);

    private final CountDownLatch asked = new CountDownLatch(1);
    private final CountDownLatch stopped = new CountDownLatch(1);
    private volatile int status;

    private StopSignal() {}

    /** Listens for the signals from now on. */
    static StopSignal install() {
        StopSignal signal = new StopSignal();
        Runtime.getRuntime().addShutdownHook(new Thread(signal::whenAsked, "stop"));
        return signal;
    }

    /** Waits until somebody asks the process to stop. */
    void await() throws InterruptedException {
        asked.await();
    }

    /** Says that everything is closed: the process may end with {@code exitStatus}. */
    void stopped(int exitStatus) {
        status = exitStatus;
        stopped.countDown();
    }

    private void whenAsked() {
        asked.countDown();
        try {
            if (stopped.await(GRACE.toMillis(), TimeUnit.MILLISECONDS)) {
                // Without this the status would be the signal's, as if it had not been clean.
                Runtime.getRuntime().halt(status);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
