package dev.headstone.standalone.source;

import java.time.Duration;

/** How a source waits: for a while, or less when it is told to stop. */
interface Pause {
    /** Whether the source has been told to stop. */
    boolean stopping();

    /**
     * Waits.
     *
     * @return whether to go on; false at once when the source has been told to stop
     */
    boolean hold(Duration time) throws InterruptedException;
}
