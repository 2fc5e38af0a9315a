package dev.headstone.proof.explore;

import java.util.ArrayList;
import java.util.List;

/**
 * Two who each add one to a counter. Word 0 is the counter, words 1 and 2 are where each stands: 0
 * before, 10 + what was read while adding, 1 after.
 */
final class Counters implements StateSpace {
    static final int LOST = 1;

    private final boolean inOneStep;

    private Counters(boolean inOneStep) {
        this.inOneStep = inOneStep;
    }

    /** They read, and write later: one addition may be lost. */
    static Counters racy() {
        return new Counters(false);
    }

    /** They add in one step. */
    static Counters atomic() {
        return new Counters(true);
    }

    @Override
    public int words() {
        return 3;
    }

    @Override
    public void first(long[] state) {
        state[0] = 0;
        state[1] = 0;
        state[2] = 0;
    }

    @Override
    public void expand(long[] state, Steps steps) {
        for (Told step : tell(state)) {
            steps.taken(step.to(), step.violations());
        }
    }

    @Override
    public List<Told> tell(long[] state) {
        List<Told> steps = new ArrayList<>();
        for (int who = 1; who <= 2; who++) {
            long at = state[who];
            if (at == 0 && inOneStep) {
                steps.add(step(state, who, 1, state[0] + 1, who + " adds"));
            } else if (at == 0) {
                steps.add(step(state, who, 10 + state[0], state[0], who + " reads " + state[0]));
            } else if (at >= 10) {
                steps.add(step(state, who, 1, at - 9, who + " writes " + (at - 9)));
            }
        }
        return steps;
    }

    private static Told step(long[] from, int who, long at, long counter, String text) {
        long[] to = from.clone();
        to[who] = at;
        to[0] = counter;
        boolean lost = to[1] == 1 && to[2] == 1 && counter != 2;
        return new Told(to, lost ? LOST : 0, text);
    }
}
