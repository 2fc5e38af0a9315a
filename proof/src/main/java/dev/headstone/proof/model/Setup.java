package dev.headstone.proof.model;

import dev.headstone.link.Link;
import dev.headstone.proof.script.MemoryRedis.Value;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A world before its first step.
 *
 * @param item what the table holds
 * @param key what lies under the link's key
 * @param faults how often each may happen, {@link Fault#UNBOUNDED} for any number
 * @param times the instants that the world goes through; one if time does not matter
 * @param isolated whether the old primary goes on answering after a failover
 * @param mustSucceed whether a request that fails without any fault is a violation
 * @param purges whether an item is removed by the table's own expiry, rather than by hand
 * @param settledCounts whether what the consumer has settled counts as reported
 */
record Setup(
        List<Actor> actors,
        Optional<Link> item,
        Optional<Value> key,
        Map<Fault, Integer> faults,
        Rules rules,
        List<Instant> times,
        boolean isolated,
        boolean mustSucceed,
        boolean purges,
        boolean settledCounts) {

    Setup {
        actors = List.copyOf(actors);
        times = List.copyOf(times);
        faults = Map.copyOf(faults);
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
                false,
                false,
                false,
                false);
    }

    Setup with(Fault fault, int times) {
        Map<Fault, Integer> more = new EnumMap<>(Fault.class);
        more.putAll(faults);
        more.put(fault, times);
        return copy(more, rules, key, this.times, isolated, mustSucceed, purges, settledCounts);
    }

    /** As often as it likes. */
    Setup with(Fault fault) {
        return with(fault, Fault.UNBOUNDED);
    }

    Setup under(Rules other) {
        return copy(faults, other, key, times, isolated, mustSucceed, purges, settledCounts);
    }

    Setup holding(Value value) {
        return copy(
                faults,
                rules,
                Optional.of(value),
                times,
                isolated,
                mustSucceed,
                purges,
                settledCounts);
    }

    Setup at(Instant... instants) {
        return copy(
                faults,
                rules,
                key,
                List.of(instants),
                isolated,
                mustSucceed,
                purges,
                settledCounts);
    }

    Setup withIsolatedPrimary() {
        return copy(faults, rules, key, times, true, mustSucceed, purges, settledCounts);
    }

    Setup whereRequestsSucceed() {
        return copy(faults, rules, key, times, isolated, true, purges, settledCounts);
    }

    Setup wherePurged() {
        return copy(faults, rules, key, times, isolated, mustSucceed, true, settledCounts);
    }

    Setup whereSettledCounts() {
        return copy(faults, rules, key, times, isolated, mustSucceed, purges, true);
    }

    private Setup copy(
            Map<Fault, Integer> newFaults,
            Rules newRules,
            Optional<Value> newKey,
            List<Instant> newTimes,
            boolean newIsolated,
            boolean newMustSucceed,
            boolean newPurges,
            boolean newSettledCounts) {
        return new Setup(
                actors,
                item,
                newKey,
                newFaults,
                newRules,
                newTimes,
                newIsolated,
                newMustSucceed,
                newPurges,
                newSettledCounts);
    }

    int mostOf(Fault fault) {
        return faults.getOrDefault(fault, 0);
    }
}
