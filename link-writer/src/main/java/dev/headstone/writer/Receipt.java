package dev.headstone.writer;

import dev.headstone.freshness.Freshness;
import dev.headstone.link.ShortCode;
import java.time.Instant;

/**
 * What somebody gets for a change that is confirmed: none of our caches can answer with anything
 * older than this version.
 *
 * @param at when the change was made
 * @param confirmedAt when the cache was known to hold it
 * @param eventId of the audit event that says so, accepted by the queue
 */
public record Receipt(
        ShortCode code,
        LinkState state,
        long version,
        Instant at,
        Instant confirmedAt,
        String eventId) {

    /** From when on no copy that we sent before is left in a CDN or a browser. */
    public Instant edgeClearAt() {
        return confirmedAt.plus(Freshness.EDGE_CLEAR);
    }
}
