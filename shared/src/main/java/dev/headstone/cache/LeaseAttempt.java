package dev.headstone.cache;

/** What became of asking for a lease. */
public sealed interface LeaseAttempt {
    /** It is ours. */
    record Taken(Lease lease) implements LeaseAttempt {}

    /** Somebody else has it; only a polite request can get this. */
    record Held() implements LeaseAttempt {}

    /** The cache did not answer; the lease may have been taken all the same. */
    record Unreachable(String why) implements LeaseAttempt {}
}
