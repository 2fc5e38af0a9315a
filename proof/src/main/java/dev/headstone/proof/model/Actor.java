package dev.headstone.proof.model;

import java.time.Duration;
import java.util.function.Supplier;

/**
 * Somebody who takes steps, or stalls for as long as he likes, or for ever.
 *
 * @param name for stories
 * @param program gives what he does, for one search
 * @param start when he may begin
 * @param skew how far his clock is ahead
 */
record Actor(String name, Party party, Supplier<Program> program, Start start, Duration skew) {
    /** What must be so before an actor begins; a world without such bounds only has more states. */
    enum Start {
        ANY_TIME,
        LINK_IS_DEAD,
        LINK_IS_ALIVE,
        LINK_IS_ABSENT,
        RUN_IS_NOT_SWEPT
    }

    Actor(String name, Party party, Supplier<Program> program) {
        this(name, party, program, Start.ANY_TIME, Duration.ZERO);
    }

    Actor(String name, Party party, Program program) {
        this(name, party, program, Start.ANY_TIME);
    }

    Actor(String name, Party party, Program program, Start start) {
        this(name, party, () -> program, start, Duration.ZERO);
    }

    Actor skewed(Duration by) {
        return new Actor(name, party, program, start, by);
    }
}
