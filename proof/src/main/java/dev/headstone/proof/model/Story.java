package dev.headstone.proof.model;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * How invariants come to be broken: no shorter story of that kind exists.
 *
 * @param broken what is broken at its end
 * @param steps what happened, one sentence for each step
 */
public record Story(Set<Invariant> broken, List<String> steps) {
    /** Keeps copies. */
    public Story {
        broken = Set.copyOf(broken);
        steps = List.copyOf(steps);
    }

    /** The steps, numbered, one line each. */
    public String text() {
        return IntStream.range(0, steps.size())
                .mapToObj(i -> (i + 1) + ". " + steps.get(i))
                .collect(Collectors.joining("\n"));
    }
}
