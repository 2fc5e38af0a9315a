package dev.headstone.proof.model;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One run of an actor as far as its history goes: the ports answer what they answered then, and the
 * first call after that is where the run stands. For one thread.
 */
final class Scripted {
    /** Thrown at the frontier, and by every call after it, so that the run ends. */
    static final class Frontier extends Error {
        private static final long serialVersionUID = 1L;

        private Frontier() {
            super("the history ends here", null, false, false);
        }
    }

    /** Stands in a history where something came in while a call was under way. */
    record Arrival(Object looked) {}

    private final List<Object> history;
    private final List<Call> calls = new ArrayList<>();
    private int at;
    private @Nullable Call frontier;
    private @Nullable Object looked;
    private Runnable arrival = () -> {};

    Scripted(List<Object> history) {
        this.history = history;
    }

    /** What to do where an {@link Arrival} stands. */
    void onArrival(Runnable what) {
        arrival = what;
    }

    /** The answer to {@code call}, or the end of the run. */
    Object answer(Call call) {
        // A pause of production code is no step: whoever parks here goes on at once.
        LockSupport.unpark(Thread.currentThread());
        if (frontier != null) {
            throw new Frontier();
        }
        Object first = looked;
        if (first != null) {
            looked = null;
            return first;
        }
        calls.add(call);
        while (at < history.size()) {
            Object next = history.get(at++);
            if (!(next instanceof Arrival(Object found))) {
                return next;
            }
            looked = found;
            arrival.run();
        }
        frontier = call;
        throw new Frontier();
    }

    /** Where the run stands; null if it came to its end. */
    @Nullable Call frontier() {
        return frontier;
    }

    /** Whether the run is over although the program goes on: nothing it says now counts. */
    boolean isBeyond() {
        return frontier != null;
    }

    /** The calls so far, the last one included. */
    List<Call> calls() {
        return calls;
    }
}
