package dev.headstone.redirect;

import java.time.Duration;

/**
 * How a redirect service is set up.
 *
 * @param goneStatus the status of taken-down links: 404, 410 or 451; all other dead links are 404
 * @param mostTableCalls how many threads may ask the table at one time
 * @param mostWaiting how many clicks may wait for the table at one time; the next one is shed
 * @param patience how long a click may wait for its turn at the table
 */
public record RedirectSettings(
        int goneStatus, int mostTableCalls, int mostWaiting, Duration patience) {
    /**
     * 404 for all dead links, 128 table calls, 8,192 waiting clicks, a second of patience: a table
     * that needs 10 ms gives 12,800 answers a second with these, and one that hangs for its whole
     * second holds no more than some megabytes.
     */
    public static final RedirectSettings DEFAULT =
            new RedirectSettings(404, 128, 8_192, Duration.ofSeconds(1));

    /**
     * @throws IllegalArgumentException naming the setting that is out of range
     */
    public RedirectSettings {
        if (goneStatus != 404 && goneStatus != 410 && goneStatus != 451) {
            throw new IllegalArgumentException("gone-status is 404, 410 or 451: " + goneStatus);
        }
        if (mostTableCalls < 1 || mostWaiting < 1) {
            throw new IllegalArgumentException("at least one click must be able to ask the table");
        }
        if (patience.isNegative()) {
            throw new IllegalArgumentException("patience is negative");
        }
    }

    /** The same with another status of taken-down links. */
    public RedirectSettings withGoneStatus(int status) {
        return new RedirectSettings(status, mostTableCalls, mostWaiting, patience);
    }
}
