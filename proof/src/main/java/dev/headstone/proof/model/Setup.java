package dev.headstone.proof.model;

import dev.headstone.link.Link;
import dev.headstone.proof.script.MemoryRedis.Value;
import java.time.Instant;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A world before its first step.
 *
 * @param item what the table holds
 * @param key what lies under the link's key
 * @param faults how often each may happen, {@link Fault#UNBOUNDED} for any number
 * @param times the instants that the world goes through; one if time does not matter
 */
record Setup(
        List<Actor> actors,
        Optional<Link> item,
        Optional<Value> key,
        Map<Fault, Integer> faults,
        Rules rules,
        List<Instant> times,
        Set<Trait> traits) {

    /** What else a world is like. */
    enum Trait {
        /** The old primary goes on answering after a failover. */
        ISOLATED_PRIMARY,
        /** A request that fails is a violation: there is nothing that could have failed it. */
        REQUESTS_SUCCEED,
        /** An item is removed by the table's own expiry, rather than by hand. */
        PURGES,
        /** Processes observe the node themselves; else the world tells them whether to trust it. */
        PROCESSES_OBSERVE,
        /** What the consumer has settled counts as reported. */
        SETTLED_COUNTS
    }

    Setup {
        actors = List.copyOf(actors);
        times = List.copyOf(times);
        faults = Map.copyOf(faults);
        traits = Set.copyOf(traits);
    }

    /** A link in the table, nothing in the cache, no faults, the rules as shipped. */
    static Setup of(Optional<Link> item, Actor... actors) {
        return new Setup(
                List.of(actors),
                item,
                Optional.empty(),
                Map.of(),
                Rules.SHIPPED,
                List.of(LinkWorld.START),
                Set.of());
    }

    /** So often at the most. */
    Setup with(Fault fault, int most) {
        Map<Fault, Integer> more = new EnumMap<>(Fault.class);
        more.putAll(faults);
        more.put(fault, most);
        return new Setup(actors, item, key, more, rules, times, traits);
    }

    /** As often as it likes. */
    Setup with(Fault fault) {
        return with(fault, Fault.UNBOUNDED);
    }

    Setup with(Trait trait) {
        Set<Trait> more = EnumSet.of(trait);
        more.addAll(traits);
        return new Setup(actors, item, key, faults, rules, times, more);
    }

    Setup under(Rules other) {
        return new Setup(actors, item, key, faults, other, times, traits);
    }

    Setup holding(Value value) {
        return new Setup(actors, item, Optional.of(value), faults, rules, times, traits);
    }

    Setup at(Instant... instants) {
        return new Setup(actors, item, key, faults, rules, List.of(instants), traits);
    }

    int mostOf(Fault fault) {
        return faults.getOrDefault(fault, 0);
    }

    boolean has(Trait trait) {
        return traits.contains(trait);
    }
}
