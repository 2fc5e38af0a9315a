package dev.headstone.table;

import dev.headstone.link.Link;
import dev.headstone.link.ShortCode;
import java.util.Optional;

/**
 * The truth about links. Every read is strongly consistent: an eventually consistent one can return
 * the item from before a reported takedown, and then it is cached for a day.
 *
 * <p>Implementations may be called from any thread, block, and end within their own deadline; a
 * table that does not answer is an outcome, never an exception.
 */
public interface LinkTable {
    /** Reads one item, consistently. */
    TableRead read(ShortCode code);

    /**
     * Puts a new link, if its code is free; with it, in the same transaction, the answer to its
     * idempotency key if it has one.
     */
    CreateOutcome create(Link link, Optional<Idempotency> idempotency);

    /**
     * What is stored under an idempotency key, read consistently.
     *
     * @param key of {@link Idempotency#key()}
     */
    IdempotencyRead recall(String key);

    /**
     * Makes {@code after} of {@code before}, if the item still has the version of {@code before}.
     * If {@code after} is dead, the death is entered in the index of deaths in the same
     * transaction. The client token is the change's id: a repeated attempt of one request is one
     * change. Visits are left as they are.
     */
    ChangeOutcome change(Link before, Link after);

    /**
     * Claims one visit of a limited link, durably, if it is alive and more than one is left. The
     * very last one is not given out here: it ends the link, which {@link #exhaust} does.
     */
    VisitClaim claimVisit(Link link);

    /**
     * As {@link #change}, and claims the last visit with it, if exactly one is left: {@code after}
     * is the exhausted link.
     */
    ChangeOutcome exhaust(Link before, Link after);
}
