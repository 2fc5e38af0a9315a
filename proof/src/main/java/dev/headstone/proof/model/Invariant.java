package dev.headstone.proof.model;

import java.util.EnumSet;
import java.util.Set;

/** What must hold at every moment. */
public enum Invariant {
    /** A reported death, and the destination is answered, or lies where it would be. */
    DEAD_SERVED(1, "dead served"),
    /** A reported life, and the link is not found, or a tombstone hides it. */
    LIVE_HIDDEN(2, "live hidden"),
    /** The destination of a link whose time was over when the click came. */
    EXPIRED_SERVED(4, "expired served"),
    /** Something reported or settled of which the audit queue has no event. */
    NOT_AUDITED(8, "not audited"),
    /** More redirects than the link was good for. */
    LIMIT_EXCEEDED(16, "limit exceeded"),
    /** A request that failed although nothing went wrong. */
    FAILED_WITHOUT_CAUSE(32, "failed without cause");

    private final int bit;
    private final String words;

    Invariant(int bit, String words) {
        this.bit = bit;
        this.words = words;
    }

    /** What it is called when it is broken. */
    public String words() {
        return words;
    }

    int bit() {
        return bit;
    }

    /** The invariants whose bits are set. */
    static Set<Invariant> of(int bits) {
        Set<Invariant> broken = EnumSet.noneOf(Invariant.class);
        for (Invariant invariant : values()) {
            if ((bits & invariant.bit()) != 0) {
                broken.add(invariant);
            }
        }
        return broken;
    }
}
