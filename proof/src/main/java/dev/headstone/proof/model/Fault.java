package dev.headstone.proof.model;

/** What may go wrong. */
public enum Fault {
    /** The record vanishes: evicted, or at the end of its life. */
    EVICTION(0, "the record"),
    /** The lease vanishes: its three seconds are over, or it was evicted. */
    LEASE_LOSS(1, "the lease"),
    /** A command to the cache is reported as timed out; it may land at any time, or never. */
    CACHE_TIMEOUT(2, "commands to the cache"),
    /** A call of the table is reported as failed; a write may land at any time, or never. */
    TABLE_TIMEOUT(3, "calls of the table"),
    /** The audit queue does not answer. */
    QUEUE_FAILURE(4, "the audit queue"),
    /** The replica is promoted with whatever had reached it. */
    FAILOVER(5, "failover"),
    /** The cache's node comes back with an old snapshot. */
    RESTART(6, "restart"),
    /** Somebody or something removes the item from the table. */
    REMOVAL(7, "the item");

    /** As often as it likes. */
    public static final int UNBOUNDED = 3;

    private final int place;
    private final String what;

    Fault(int place, String what) {
        this.place = place;
        this.what = what;
    }

    /** Where two bits of a state say how often it may still happen. */
    int shift() {
        return 2 * place;
    }

    /** What it concerns, for people. */
    public String what() {
        return what;
    }
}
