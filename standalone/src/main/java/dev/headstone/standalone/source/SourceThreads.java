package dev.headstone.standalone.source;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The virtual threads of one source, which all end with it. */
final class SourceThreads {
    private static final Logger LOG = LoggerFactory.getLogger(SourceThreads.class);

    /** How long an interrupted thread may take to clean up after itself. */
    private static final Duration LAST_WORDS = Duration.ofMillis(400);

    /** What a thread does until the source stops. */
    @FunctionalInterface
    interface Work {
        void run() throws InterruptedException;
    }

    private final String source;
    private final SourceHealth health;
    private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean begun = new AtomicBoolean();
    private volatile boolean ended;

    SourceThreads(String source, SourceHealth health) {
        this.source = source;
        this.health = health;
    }

    /**
     * @throws IllegalStateException when called before, or after the end
     */
    void begin() {
        if (ended || !begun.compareAndSet(false, true)) {
            throw new IllegalStateException("source %s was started before".formatted(source));
        }
    }

    void run(String name, Work work) {
        Thread thread =
                Thread.ofVirtual().name(source + "-" + name).unstarted(() -> runUntilDone(work));
        health.forget(thread.getName());
        threads.add(thread);
        thread.start();
    }

    private void runUntilDone(Work work) {
        try {
            work.run();
        } catch (InterruptedException e) {
            LOG.atDebug().addKeyValue("source", source).log("interrupted while stopping");
        } catch (RuntimeException | Error e) {
            // Stays in the state until another thread does this one's work.
            health.ill(Thread.currentThread().getName(), Faults.name(e));
            LOG.atError()
                    .addKeyValue("source", source)
                    .addKeyValue("thread", Thread.currentThread().getName())
                    .setCause(e)
                    .log("thread of an event source ended by an error");
            throw e;
        } finally {
            threads.remove(Thread.currentThread());
        }
    }

    /** Waits for all threads to end by themselves, then interrupts them and waits a little more. */
    void end(Duration grace) {
        end(Duration.ZERO, () -> {}, grace);
    }

    /**
     * As {@link #end(Duration)}, with something in between.
     *
     * @param first how long to wait before the nudge
     * @param nudge what may help threads to end, if they have not
     * @param rest how long to wait after it, before they are interrupted
     */
    void end(Duration first, Runnable nudge, Duration rest) {
        ended = true;
        try {
            if (joined(first)) {
                return;
            }
            nudge.run();
            if (joined(rest)) {
                return;
            }
            threads.forEach(Thread::interrupt);
            if (!joined(LAST_WORDS)) {
                LOG.atWarn()
                        .addKeyValue("source", source)
                        .log("threads of an event source outlast its close");
            }
        } catch (InterruptedException e) {
            threads.forEach(Thread::interrupt);
            Thread.currentThread().interrupt();
        }
    }

    private boolean joined(Duration grace) throws InterruptedException {
        long end = System.nanoTime() + grace.toNanos();
        for (Thread thread : threads) {
            long left = Math.max(0, end - System.nanoTime());
            if (thread.isAlive() && !thread.join(Duration.ofNanos(left))) {
                return false;
            }
        }
        return true;
    }
}
