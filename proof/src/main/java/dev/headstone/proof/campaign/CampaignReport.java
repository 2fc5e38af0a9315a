package dev.headstone.proof.campaign;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * What a campaign showed.
 *
 * @param trials that were run to their end
 * @param takedowns how often somebody tried to take a link down
 * @param receipts how many reports bound what clicks may be answered
 * @param clicks that were answered and judged
 * @param faults how often each was injected
 * @param damages how often each promise was broken
 * @param findings the first of them, with their stories
 */
public record CampaignReport(
        long seed,
        long trials,
        long takedowns,
        long receipts,
        long clicks,
        Map<Fault, Long> faults,
        Map<Damage, Long> damages,
        List<Finding> findings,
        Duration took) {
    /** Keeps copies. */
    public CampaignReport {
        faults = Map.copyOf(faults);
        damages = Map.copyOf(damages);
        findings = List.copyOf(findings);
    }

    /** How many faults were injected. */
    public long injected() {
        return faults.values().stream().mapToLong(Long::longValue).sum();
    }

    /** How often that promise was broken. */
    public long count(Damage damage) {
        return damages.getOrDefault(damage, 0L);
    }

    /** Whether there was a trial, and nothing was found. */
    public boolean holds() {
        return trials > 0 && damages.values().stream().allMatch(count -> count == 0);
    }

    /** Trials in a second. */
    public double rate() {
        return trials / Math.max(1e-9, took.toNanos() / 1e9);
    }
}
