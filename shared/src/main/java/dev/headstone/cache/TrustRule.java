package dev.headstone.cache;

import dev.headstone.freshness.Freshness;
import java.time.Duration;

/** What it takes to believe a cache. */
public enum TrustRule {
    /** Verified and swept; after a change, confirmations wait until no other process can err. */
    VERIFIED(Freshness.TRUST),
    /** Verified and swept; no other process reads this cache, so that nobody has to be awaited. */
    VERIFIED_ALONE(Duration.ZERO),
    /** The store persists before it answers: it is believed as it is. */
    DURABLE(Duration.ZERO);

    private final Duration afterChange;

    TrustRule(Duration afterChange) {
        this.afterChange = afterChange;
    }

    /** How long confirmations wait after a change of run. */
    Duration afterChange() {
        return afterChange;
    }
}
