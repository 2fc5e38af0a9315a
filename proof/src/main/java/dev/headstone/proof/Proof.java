package dev.headstone.proof;

import dev.headstone.proof.campaign.Campaign;
import dev.headstone.proof.campaign.CampaignReport;
import dev.headstone.proof.campaign.CampaignSettings;
import dev.headstone.proof.explore.Bounds;
import dev.headstone.proof.explore.Progress;
import dev.headstone.proof.model.Model;
import dev.headstone.proof.model.Mutants;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * Checks the protocol over the code that ships: every schedule of small worlds, each rule switched
 * off, and a campaign of random trials in what is left of the budget.
 */
public final class Proof {
    private static final Duration LEAST_CAMPAIGN = Duration.ofSeconds(2);

    /** Redis processes start and stop, and the last trials end. */
    private static final Duration AROUND_CAMPAIGN = Duration.ofSeconds(3);

    private final ProofSettings settings;
    private final InstantSource clock;
    private final Spectator spectator;

    /**
     * @param clock what the campaign's processes take for the time, in whole milliseconds
     */
    public Proof(ProofSettings settings, InstantSource clock, Spectator spectator) {
        this.settings = settings;
        this.clock = clock;
        this.spectator = spectator;
    }

    /**
     * Runs all of it. Blocks about as long as the budget says; what the model could not do in its
     * part of it is incomplete.
     *
     * @throws IOException if a Redis does not start, or does not come back
     */
    public ProofReport run() throws IOException, InterruptedException {
        long started = System.nanoTime();
        long modelEnd = started + settings.budget().toNanos() / ProofSettings.MODEL_PART;
        Bounds bounds = Bounds.all(ProofSettings.MOST_STATES);
        List<ProofReport.Row> rows =
                Model.rows(settings.size()).stream()
                        .map(
                                row ->
                                        watched(
                                                "model: " + row.name(),
                                                -1,
                                                done ->
                                                        new ProofReport.Row(
                                                                row.name(),
                                                                row.check(
                                                                        bounds,
                                                                        until(modelEnd, done)))))
                        .toList();
        List<ProofReport.Rule> mutants = settings.mutants() ? mutants(modelEnd) : List.of();
        Duration left =
                settings.budget().minus(AROUND_CAMPAIGN).minusNanos(System.nanoTime() - started);
        return new ProofReport(
                rows,
                mutants,
                campaign(left.compareTo(LEAST_CAMPAIGN) < 0 ? LEAST_CAMPAIGN : left));
    }

    private List<ProofReport.Rule> mutants(long end) {
        return Mutants.all().stream()
                .map(
                        mutant ->
                                watched(
                                        "without: " + mutant.rule(),
                                        -1,
                                        done ->
                                                new ProofReport.Rule(
                                                        mutant.rule(),
                                                        mutant.covering(),
                                                        mutant.check(
                                                                ProofSettings.MOST_STATES,
                                                                until(end, done)))))
                .toList();
    }

    private static Progress until(long end, LongConsumer done) {
        return (states, _, _) -> {
            done.accept(states);
            return System.nanoTime() - end < 0;
        };
    }

    private CampaignReport campaign(Duration budget) throws IOException, InterruptedException {
        CampaignSettings campaign =
                new CampaignSettings(
                        settings.seed(),
                        budget,
                        Long.MAX_VALUE,
                        CampaignSettings.LANES,
                        CampaignSettings.ROUGH_LANES,
                        settings.redis(),
                        settings.folder());
        spectator.begins("campaign", budget.toSeconds());
        long started = System.nanoTime();
        try {
            return new Campaign(campaign, clock)
                    .run(
                            _ ->
                                    spectator.reached(
                                            Duration.ofNanos(System.nanoTime() - started)
                                                    .toSeconds()));
        } finally {
            spectator.ended();
        }
    }

    /** One search. */
    @FunctionalInterface
    private interface Search<T> {
        T run(LongConsumer done);
    }

    private <T> T watched(String what, long most, Search<T> search) {
        spectator.begins(what, most);
        try {
            return search.run(spectator::reached);
        } finally {
            spectator.ended();
        }
    }
}
