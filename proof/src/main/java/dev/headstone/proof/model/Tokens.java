package dev.headstone.proof.model;

import dev.headstone.cache.Lease;

/** Tokens of leases as small numbers: whose it is, and which of his. */
final class Tokens {
    /** No lease. */
    static final int NONE = 0;

    /** A lease that nobody can use any more, but that still keeps readers away. */
    static final int FOREIGN = 1;

    /** Most leases that one actor takes. */
    static final int EACH = 7;

    /** Most numbers. */
    static final int MOST = 64;

    /** The token in a mutant's hand that never took a lease. */
    static final String NEVER_TAKEN = "never-taken";

    private Tokens() {}

    static int of(int actor, int count) {
        if (count >= EACH) {
            throw new IllegalStateException("an actor that takes more than " + EACH + " leases");
        }
        int number = 2 + actor * EACH + count;
        if (number >= MOST) {
            throw new IllegalStateException("too many actors");
        }
        return number;
    }

    static Lease lease(int number) {
        return new Lease(Programs.CODE, text(number));
    }

    static String text(int number) {
        return "token-" + number;
    }

    static int number(String text) {
        return text.equals(NEVER_TAKEN)
                ? NONE
                : Integer.parseInt(text.substring("token-".length()));
    }
}
