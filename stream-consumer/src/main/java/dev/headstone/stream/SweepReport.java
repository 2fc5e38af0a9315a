package dev.headstone.stream;

/**
 * How a scheduled sweep came out, for whoever invokes it by hand. With getters, since that is what
 * the runtime writes as JSON. Immutable.
 */
public final class SweepReport {
    private final String outcome;
    private final long settled;
    private final String why;

    private SweepReport(String outcome, long settled, String why) {
        this.outcome = outcome;
        this.settled = settled;
        this.why = why;
    }

    static SweepReport of(SweepOutcome outcome) {
        return switch (outcome) {
            case SweepOutcome.Swept(var _, long settled, var _) ->
                    new SweepReport("swept", settled, "");
            case SweepOutcome.RunChanged _ -> new SweepReport("run_changed", 0, "");
            case SweepOutcome.Unfinished(String why) -> new SweepReport("unfinished", 0, why);
        };
    }

    /** {@code swept}, {@code run_changed} or {@code unfinished}. */
    public String getOutcome() {
        return outcome;
    }

    /** How many codes were settled, if it was finished. */
    public long getSettled() {
        return settled;
    }

    /** Why it was not finished; else empty. */
    public String getWhy() {
        return why;
    }
}
