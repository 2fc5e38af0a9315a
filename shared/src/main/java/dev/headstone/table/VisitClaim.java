package dev.headstone.table;

/** What became of claiming a visit. */
public sealed interface VisitClaim {
    /** One visit is used up, durably: the redirect may leave. */
    record Claimed() implements VisitClaim {}

    /**
     * Nothing was claimed: one visit or none is left, or the link is dead, changed or gone. The
     * caller reads the item again and decides.
     */
    record NotClaimed() implements VisitClaim {}

    /** Nobody knows whether it was claimed: no redirect may leave. */
    record Failed(Exception cause) implements VisitClaim {}
}
