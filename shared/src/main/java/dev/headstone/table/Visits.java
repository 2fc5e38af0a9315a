package dev.headstone.table;

import dev.headstone.freshness.Freshness;
import dev.headstone.link.ShortCode;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Optional;

/**
 * Visits of one link on one day (UTC), counted together.
 *
 * @param epoch which incarnation of the code was visited: another one inherits nothing
 * @param count how many; at least one
 * @param last when the last of them was
 * @param expiresAt when the link ends, as far as the visits know
 */
public record Visits(
        ShortCode code,
        long epoch,
        LocalDate day,
        long count,
        Instant last,
        Optional<Instant> expiresAt) {
    /**
     * @throws IllegalArgumentException if there is nothing to count
     */
    public Visits {
        if (count < 1) {
            throw new IllegalArgumentException("visits are at least one: " + count);
        }
    }

    /** The day that {@code instant} lies in. */
    public static LocalDate dayOf(Instant instant) {
        return LocalDate.ofInstant(instant, ZoneOffset.UTC);
    }

    /** When the table may forget them: with a link that expires. */
    public Optional<Instant> purgeAt() {
        return Freshness.purgeOfLive(expiresAt);
    }
}
