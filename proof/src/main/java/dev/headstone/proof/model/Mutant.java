package dev.headstone.proof.model;

import dev.headstone.proof.explore.Bounds;
import dev.headstone.proof.explore.Progress;
import java.util.Optional;

/**
 * The shipped code with one rule of the protocol switched off, from outside: by what stands in
 * front of a port, by another text of the script, or by what the world does. Immutable.
 */
public final class Mutant {
    private final String rule;
    private final Row row;
    private final Row shipped;
    private final Optional<String> covering;

    /**
     * @param covering the rule that holds in its place, if one does; empty if it is needed
     */
    Mutant(String rule, Setup setup, Optional<String> covering) {
        this.rule = rule;
        this.row = new Row("without: " + rule, setup);
        this.shipped = new Row("with: " + rule, setup.under(Rules.SHIPPED));
        this.covering = covering;
    }

    /** The rule that is off, as a sentence of the protocol. */
    public String rule() {
        return rule;
    }

    /** Whether something breaks without it. */
    public boolean needed() {
        return covering.isEmpty();
    }

    /** The rule that makes up for it, if it is not needed. */
    public Optional<String> covering() {
        return covering;
    }

    /** The same world with the rule on, in which everything holds. */
    public Row shipped() {
        return shipped;
    }

    /** Searches for a counter-example; if none is expected, through everything. */
    public Result check(int mostStates, Progress progress) {
        Bounds bounds = needed() ? Bounds.first(mostStates) : Bounds.all(mostStates);
        return new Result(needed(), row.check(bounds, progress));
    }

    @Override
    public String toString() {
        return rule;
    }

    /**
     * What came of it.
     *
     * @param needed whether a counter-example was expected
     */
    public record Result(boolean needed, Verdict verdict) {
        /** Whether it is as expected: found, or looked for everywhere and not found. */
        public boolean passes() {
            return needed ? !verdict.holds() : verdict.complete() && verdict.holds();
        }

        /** The counter-example, if there is one; none is shorter. */
        public Optional<Story> story() {
            return verdict.stories().stream().findFirst();
        }
    }
}
