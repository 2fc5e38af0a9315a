package dev.headstone.proof.campaign;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Somebody who acts on a thread of his own, until he stalls, and then when he is let. */
final class Stall {
    private static final long LONGEST_SECONDS = 120;

    private final Actor actor;
    private final CountDownLatch standing = new CountDownLatch(1);
    private final CountDownLatch gate = new CountDownLatch(1);
    private final Thread thread;

    private Stall(Actor actor, Runnable deed) {
        this.actor = actor;
        thread =
                Thread.ofVirtual()
                        .unstarted(
                                () -> {
                                    try {
                                        deed.run();
                                    } finally {
                                        standing.countDown();
                                    }
                                });
    }

    /** Lets {@code actor} do {@code deed}; {@link #start} returns when it stalls or is done. */
    static Stall of(Actor actor, Runnable deed) {
        return new Stall(actor, deed);
    }

    Actor actor() {
        return actor;
    }

    void start() {
        thread.start();
        await(standing);
    }

    /** On the actor's thread: stands still until it is let go on. */
    void stand() {
        standing.countDown();
        await(gate);
    }

    /** Lets it go on, and waits until it is done. */
    void release() {
        gate.countDown();
        try {
            if (!thread.join(Duration.ofSeconds(LONGEST_SECONDS))) {
                throw new IllegalStateException(actor + " does not come to an end");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            if (!latch.await(LONGEST_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException("nobody came");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }
}
