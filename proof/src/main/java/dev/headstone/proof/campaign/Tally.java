package dev.headstone.proof.campaign;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** What is counted in a campaign. Safe for use by several threads. */
final class Tally {
    /** More stories than anybody reads. */
    private static final int MOST_FINDINGS = 20;

    private final Map<Fault, LongAdder> faults = new EnumMap<>(Fault.class);
    private final Map<Damage, LongAdder> damages = new EnumMap<>(Damage.class);
    private final LongAdder trials = new LongAdder();
    private final LongAdder takedowns = new LongAdder();
    private final LongAdder receipts = new LongAdder();
    private final LongAdder clicks = new LongAdder();
    private final List<Finding> findings = new ArrayList<>();

    Tally() {
        for (Fault fault : Fault.values()) {
            faults.put(fault, new LongAdder());
        }
        for (Damage damage : Damage.values()) {
            damages.put(damage, new LongAdder());
        }
    }

    void injected(Fault fault) {
        of(faults, fault).increment();
    }

    void trial() {
        trials.increment();
    }

    void takedown() {
        takedowns.increment();
    }

    void receipt() {
        receipts.increment();
    }

    void click() {
        clicks.increment();
    }

    void found(Finding finding) {
        of(damages, finding.damage()).increment();
        synchronized (findings) {
            if (findings.size() < MOST_FINDINGS) {
                findings.add(finding);
            }
        }
    }

    long trials() {
        return trials.sum();
    }

    long takedowns() {
        return takedowns.sum();
    }

    long receipts() {
        return receipts.sum();
    }

    long clicks() {
        return clicks.sum();
    }

    long count(Damage damage) {
        return of(damages, damage).sum();
    }

    Map<Fault, Long> faults() {
        Map<Fault, Long> sums = new EnumMap<>(Fault.class);
        faults.forEach((fault, count) -> sums.put(fault, count.sum()));
        return sums;
    }

    List<Finding> findings() {
        synchronized (findings) {
            return List.copyOf(findings);
        }
    }

    private static <K> LongAdder of(Map<K, LongAdder> counts, K key) {
        LongAdder count = counts.get(key);
        if (count == null) {
            throw new IllegalStateException("nothing is counted as " + key);
        }
        return count;
    }
}
