package dev.headstone.proof.explore;

import dev.headstone.proof.explore.Exploration.Violation;
import dev.headstone.proof.explore.StateSpace.Told;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Searches a state space breadth first, so that the first way to a violation is a shortest one. It
 * goes on behind a violation, for other invariants may be broken only there. For one thread.
 */
public final class Explorer {
    /** How many states lie between two calls of the progress. */
    private static final int REPORT_EVERY = 1 << 14;

    private final StateSpace space;
    private final Bounds bounds;
    private final Progress progress;
    private final StateStore store;
    private final List<Violation> violations = new ArrayList<>();
    private long steps;
    private boolean cut;
    private boolean ended;

    private Explorer(StateSpace space, Bounds bounds, Progress progress) {
        this.space = space;
        this.bounds = bounds;
        this.progress = progress;
        this.store = new StateStore(space.words());
    }

    /** Searches {@code space} as far as {@code bounds} allow. */
    public static Exploration explore(StateSpace space, Bounds bounds, Progress progress) {
        return new Explorer(space, bounds, progress).explore();
    }

    private Exploration explore() {
        long[] state = new long[space.words()];
        space.first(state);
        store.add(state, -1);
        int depth = 0;
        int endOfDepth = 1;
        int index = 0;
        for (; index < store.size() && !ended && !cut; index++) {
            if (index == endOfDepth) {
                depth++;
                endOfDepth = store.size();
            }
            if (index % REPORT_EVERY == 0 && !progress.reached(store.size(), steps, depth)) {
                cut = true;
                break;
            }
            expand(index, state);
        }
        boolean complete = !cut && !ended && index == store.size();
        return new Exploration(store.size(), steps, depth, complete, violations);
    }

    private void expand(int index, long[] state) {
        store.get(index, state);
        space.expand(
                state,
                (to, broken) -> {
                    steps++;
                    if (broken != 0 && isNews(broken)) {
                        violations.add(new Violation(broken, story(index, to, broken)));
                        ended |= bounds.stopAtFirst();
                    }
                    if (store.size() < bounds.mostStates()) {
                        store.add(to, index);
                    } else {
                        cut |= !store.contains(to);
                    }
                });
    }

    private boolean isNews(int broken) {
        return violations.stream().noneMatch(known -> known.broken() == broken);
    }

    /** The way to state number {@code index}, and from there to {@code end}. */
    private List<String> story(int index, long[] end, int broken) {
        List<String> story = new ArrayList<>();
        long[] to = end.clone();
        int wanted = broken;
        for (int at = index; at >= 0; at = store.parent(at)) {
            long[] from = new long[space.words()];
            store.get(at, from);
            story.addFirst(step(from, to, wanted));
            to = from;
            wanted = -1;
        }
        return story;
    }

    private String step(long[] from, long[] to, int broken) {
        for (Told told : space.tell(from)) {
            if (Arrays.equals(told.to(), to) && (broken == -1 || told.violations() == broken)) {
                return told.text();
            }
        }
        throw new IllegalStateException("a state space that does not tell what it did");
    }
}
