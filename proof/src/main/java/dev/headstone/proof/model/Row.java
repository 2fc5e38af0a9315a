package dev.headstone.proof.model;

import dev.headstone.proof.explore.Bounds;
import dev.headstone.proof.explore.Exploration;
import dev.headstone.proof.explore.Explorer;
import dev.headstone.proof.explore.Progress;
import java.util.Set;

/** A world to be searched, and what is known of it. Immutable. */
public final class Row {
    private final String name;
    private final Setup setup;
    private final Set<Invariant> expected;

    Row(String name, Setup setup, Invariant... expected) {
        this.name = name;
        this.setup = setup;
        this.expected = Set.of(expected);
    }

    /** The rules and the faults, in a few words. */
    public String name() {
        return name;
    }

    /** What is broken under these rules; empty if everything holds. */
    public Set<Invariant> expected() {
        return expected;
    }

    /** Searches it. */
    public Verdict check(Bounds bounds, Progress progress) {
        LinkWorld world = new LinkWorld(setup);
        Exploration found = Explorer.explore(world, bounds, progress);
        return new Verdict(
                expected,
                Invariant.of(found.broken()),
                found.states(),
                found.steps(),
                found.depth(),
                world.runs(),
                found.complete(),
                found.violations().stream()
                        .map(it -> new Story(Invariant.of(it.broken()), it.story()))
                        .toList());
    }

    @Override
    public String toString() {
        return name;
    }
}
