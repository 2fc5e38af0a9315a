package dev.headstone.redirect;

import dev.headstone.cache.CacheRecord.Active;
import dev.headstone.link.Link;
import dev.headstone.link.ShortCode;
import dev.headstone.link.Stamp;
import java.time.Instant;
import java.util.Optional;

/**
 * As much of a live link as its views may tell.
 *
 * @param stamp the version that was found alive
 * @param destination empty if it is not to be told: a link with a visit limit gives it for a visit
 * @param host of the destination, as the A-label that it is stored as; empty likewise
 */
record Viewed(
        ShortCode code,
        Stamp stamp,
        Optional<String> destination,
        Optional<String> host,
        Optional<Instant> expiresAt) {

    static Viewed of(ShortCode code, Active link) {
        boolean told = link.visitLimit().isEmpty();
        return new Viewed(
                code,
                link.stamp(),
                told ? Optional.of(link.longUrl()) : Optional.empty(),
                told ? link.host() : Optional.empty(),
                link.expiresAt());
    }

    static Viewed of(Link link) {
        boolean told = link.visitLimit().isEmpty();
        return new Viewed(
                link.code(),
                link.stamp(),
                told ? link.longUrl() : Optional.empty(),
                told ? link.host() : Optional.empty(),
                link.expiresAt());
    }

    Instant since() {
        return Instant.ofEpochMilli(stamp.epoch());
    }

    boolean isExpired(Instant now) {
        return expiresAt.isPresent() && !now.isBefore(expiresAt.get());
    }

    /** Without the destination. */
    @Override
    public String toString() {
        return "Viewed[" + code + " " + stamp + "]";
    }
}
