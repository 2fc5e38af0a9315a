package dev.headstone.proof;

import dev.headstone.proof.campaign.CampaignReport;
import dev.headstone.proof.model.Mutant;
import dev.headstone.proof.model.Verdict;
import java.util.List;
import java.util.Optional;

/**
 * What a run showed.
 *
 * @param mutants empty if they were not asked for
 */
public record ProofReport(List<Row> rows, List<Rule> mutants, CampaignReport campaign) {
    /** With copies of the lists. */
    public ProofReport {
        rows = List.copyOf(rows);
        mutants = List.copyOf(mutants);
    }

    /** A row of the model, and what its search said. */
    public record Row(String name, Verdict verdict) {
        /** Whether something broke that must not, be the search complete or not. */
        public boolean violated() {
            return !verdict.expected().containsAll(verdict.broken())
                    || (verdict.complete() && !verdict.passes());
        }
    }

    /**
     * A rule that was switched off.
     *
     * @param covering what makes up for it, if it is not needed
     */
    public record Rule(String name, Optional<String> covering, Mutant.Result result) {
        /** Whether something broke without it. */
        public boolean found() {
            return !result.verdict().holds();
        }
    }

    /** How many states the model has. */
    public long states() {
        return rows.stream().mapToLong(row -> row.verdict().states()).sum();
    }

    /** How many steps lead from one to another: each is one way of going on. */
    public long schedules() {
        return rows.stream().mapToLong(row -> row.verdict().steps()).sum();
    }

    /** Whether all of the model was searched. */
    public boolean complete() {
        return rows.stream().allMatch(row -> row.verdict().complete());
    }

    /** In how many rows something is not as the protocol says. */
    public long violations() {
        return rows.stream().filter(Row::violated).count();
    }

    /** Whether everything was searched and tried, and is as the protocol says. */
    public boolean holds() {
        return !rows.isEmpty()
                && rows.stream().allMatch(row -> row.verdict().passes())
                && mutants.stream().allMatch(rule -> rule.result().passes())
                && campaign.holds();
    }
}
