package dev.headstone.standalone.listener;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** How many connections a listener has, on all loops together. Safe for use by several threads. */
final class Connections {
    private final int most;
    private final AtomicInteger open = new AtomicInteger();
    private final CountDownLatch drained = new CountDownLatch(1);
    private final Counter refused;
    private volatile boolean draining;

    Connections(int most, MeterRegistry registry) {
        this.most = most;
        Gauge.builder("headstone.listener.connections", open::get)
                .description("Open connections of the redirect listener")
                .register(registry);
        refused =
                Counter.builder("headstone.listener.refused")
                        .description("Connections closed at once because there were too many")
                        .register(registry);
    }

    /** Counts one more; false if it is one too many, or none is wanted any more. */
    boolean opened() {
        boolean welcome = open.incrementAndGet() <= most;
        if (!welcome) {
            refused.increment();
        }
        return welcome && !draining;
    }

    /** Counts one less. */
    void closed() {
        if (open.decrementAndGet() == 0 && draining) {
            drained.countDown();
        }
    }

    /** From now on none is wanted. */
    void drain() {
        draining = true;
        if (open.get() == 0) {
            drained.countDown();
        }
    }

    /** Waits until the last one is closed; false if that takes longer. */
    boolean awaitDrained(long millis) throws InterruptedException {
        return drained.await(millis, TimeUnit.MILLISECONDS);
    }
}
