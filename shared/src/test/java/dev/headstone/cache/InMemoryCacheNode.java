package dev.headstone.cache;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * A node in memory, which can be restarted, demoted and cut off, and keeps its markers as a real
 * one does: whatever a restart or a promotion brings along bears the names of other runs. Held to
 * {@link CacheNodeContract} beside the real one. Safe for use by several threads.
 */
public final class InMemoryCacheNode implements CacheNode {
    private final Set<String> markers = new HashSet<>();
    private Optional<String> fault = Optional.empty();
    private Optional<String> denied = Optional.empty();
    private boolean empty = true;
    private int observations;
    private int runs = 1;
    private long incarnation = 1;

    /** Not empty from now on: what it holds may have outlived its link. */
    public synchronized InMemoryCacheNode holdsSomething() {
        empty = false;
        return this;
    }

    /** Starts again, with the markers of before, as a node does that reads its snapshot. */
    public synchronized void restart() {
        runs++;
        incarnation++;
    }

    /** The connections are lost and opened again, to the same run. */
    public synchronized void reconnect() {
        incarnation++;
    }

    /** The node goes on as another run over the same connections: demoted and promoted again. */
    public synchronized void promote() {
        runs++;
    }

    /** From now on it answers, but is not the primary; empty if it is again. */
    public synchronized void deny(Optional<String> why) {
        denied = why;
    }

    /** From now on it does not answer; empty if it does again. */
    public synchronized void cutOff(Optional<String> why) {
        fault = why;
    }

    /** The run that it is in. */
    public synchronized CacheRun run() {
        return CacheRun.of("run" + runs, "history" + runs);
    }

    /** How often it was observed. */
    public synchronized int observations() {
        return observations;
    }

    @Override
    public synchronized NodeView observe() {
        observations++;
        if (fault.isPresent()) {
            return new NodeView.Unknown(fault.get());
        }
        return denied.isPresent()
                ? new NodeView.NotPrimary(denied.get())
                : new NodeView.Primary(
                        run(), incarnation, empty || markers.contains(run().marker()));
    }

    @Override
    public synchronized long incarnation() {
        return incarnation;
    }

    @Override
    public synchronized MarkOutcome markSwept(CacheRun swept) {
        if (fault.isPresent()) {
            return new MarkOutcome.NotMarked(fault.get());
        }
        markers.add(swept.marker());
        empty = false;
        return new MarkOutcome.Marked();
    }
}
