package dev.headstone.standalone.source;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Tells the threads of a source to stop, and is what they wait on, so that no wait outlasts it. */
final class StopSignal implements Pause {
    private final CountDownLatch stopped = new CountDownLatch(1);

    void give() {
        stopped.countDown();
    }

    @Override
    public boolean stopping() {
        return stopped.getCount() == 0;
    }

    @Override
    public boolean hold(Duration time) throws InterruptedException {
        return !stopped.await(time.toNanos(), TimeUnit.NANOSECONDS);
    }
}
