package dev.headstone.standalone.source;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.Callable;

/** Waits in short steps for what other threads bring about; twenty seconds at most. */
final class Eventually {
    private Eventually() {}

    static void eventually(Callable<Boolean> condition) {
        await().atMost(Duration.ofSeconds(20))
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(5))
                .until(condition);
    }
}
