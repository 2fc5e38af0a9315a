package dev.headstone.cache;

import dev.headstone.link.ShortCode;
import java.util.concurrent.CompletionStage;

/**
 * The cache of links. Disposable: what it holds may vanish at any time, and what it is told may
 * land late. Nothing is written without a lease that was taken before the table was consulted.
 *
 * <p>Implementations may be called from any thread. Every call ends within the implementation's own
 * deadline; an unreachable cache is an outcome, never an exception.
 */
public interface LinkCache {
    /** Looks a code up. Never blocks the caller: it may be an event loop. */
    CompletionStage<CacheLookup> look(ShortCode code);

    /** Asks for the lease politely, as a reader does: it is refused while somebody has it. */
    LeaseAttempt askLease(ShortCode code);

    /** Takes the lease from whoever has it, as everybody does who changes or repairs a link. */
    LeaseAttempt forceLease(ShortCode code);

    /** Brings the key to what the table said. Uses the lease up, whatever comes out of it. */
    SettleOutcome settle(Lease lease, Settlement settlement);

    /** As {@link #settle}, and durable against a failover before it counts as accepted. */
    SettleOutcome settleConfirmed(Lease lease, Settlement settlement);
}
