package dev.headstone.proof.model;

import dev.headstone.audit.AuditEvent;
import dev.headstone.cache.Lease;
import dev.headstone.cache.Settlement;
import dev.headstone.link.Link;

/** One call of a port: the only steps that an actor takes. */
sealed interface Call {
    /** A look into the cache. */
    record Look() implements Call {}

    /** A reader asks for the lease. */
    record Ask() implements Call {}

    /** A writer takes the lease. */
    record Force() implements Call {}

    /**
     * A settlement.
     *
     * @param script the text that is run
     * @param confirmed whether it only counts once the replica has it
     */
    record Settle(Lease lease, Settlement settlement, String script, boolean confirmed)
            implements Call {}

    /** A read of the table. */
    record Read() implements Call {}

    /**
     * A conditional change.
     *
     * @param lastVisit whether it also claims the last visit
     */
    record Change(Link before, Link after, boolean lastVisit) implements Call {}

    /** A conditional put. */
    record Create(Link link) implements Call {}

    /** A claim of one visit. */
    record Claim(Link link) implements Call {}

    /** An event for the audit queue. */
    record Send(AuditEvent event) implements Call {}

    /** A look at the clock. */
    record Now() implements Call {}

    /**
     * A record of the stream is handed over.
     *
     * @param index which one, from the first change that the world sees
     */
    record Receive(int index) implements Call {}

    /** A process asks the node who it is. */
    record Observe() implements Call {}

    /** A process looks whether its connections are still the same. */
    record Incarnation() implements Call {}

    /** A sweep reads the index of deaths. */
    record Deaths() implements Call {}

    /** A sweep says in the cache that it has been through for a run. */
    record Mark(int run) implements Call {}

    /** Whether nobody else can tell when it is made: it is no step of its own. */
    default boolean isPrivate() {
        return this instanceof Receive;
    }
}
