package dev.headstone.standalone.prove;

import dev.headstone.proof.ProofReport;
import dev.headstone.proof.ProofSettings;
import dev.headstone.proof.campaign.CampaignReport;
import dev.headstone.proof.campaign.Damage;
import dev.headstone.proof.campaign.Finding;
import dev.headstone.proof.model.Invariant;
import dev.headstone.proof.model.Story;
import dev.headstone.proof.model.Verdict;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** What a run showed, for people. */
final class ProofTable {
    private static final String NEWLINE = System.lineSeparator();

    private final StringBuilder text = new StringBuilder();

    private ProofTable() {}

    /** All of it, ending with a new line. */
    static String of(ProofReport report, ProofSettings settings) {
        ProofTable table = new ProofTable();
        table.model(report, settings);
        table.mutants(report);
        table.campaign(report.campaign());
        table.summary(report);
        return table.text.toString();
    }

    private void model(ProofReport report, ProofSettings settings) {
        line(
                String.format(
                        Locale.ROOT,
                        "%-18s %12s  %-12s %s",
                        "verdict",
                        "states",
                        "",
                        "model, " + settings.size().name().toLowerCase(Locale.ROOT) + " worlds"));
        for (ProofReport.Row row : report.rows()) {
            line(
                    String.format(
                            Locale.ROOT,
                            "%-18s %,12d  %-12s %s",
                            verdict(row),
                            row.verdict().states(),
                            row.verdict().complete() ? "" : "incomplete",
                            row.name()));
            if (row.violated()) {
                row.verdict().stories().forEach(this::story);
            }
        }
        line("");
    }

    private static String verdict(ProofReport.Row row) {
        Verdict verdict = row.verdict();
        if (row.violated()) {
            return "NOT AS EXPECTED";
        }
        if (!verdict.complete()) {
            return "not known";
        }
        return verdict.holds() ? "holds" : words(verdict.broken());
    }

    private static String words(Collection<Invariant> broken) {
        return broken.stream()
                .sorted()
                .map(it -> it.name().toLowerCase(Locale.ROOT).replace('_', ' '))
                .collect(Collectors.joining(", "));
    }

    private void mutants(ProofReport report) {
        for (ProofReport.Rule rule : report.mutants()) {
            if (rule.found()) {
                line(String.format(Locale.ROOT, "%-18s without: %s", "found", rule.name()));
                rule.result().story().ifPresent(this::story);
            } else if (rule.result().passes()) {
                line(String.format(Locale.ROOT, "%-18s %s", "not needed", rule.name()));
                rule.covering()
                        .ifPresent(
                                by ->
                                        line(
                                                String.format(
                                                        Locale.ROOT,
                                                        "    made up for by: %s",
                                                        by)));
            } else {
                line(String.format(Locale.ROOT, "%-18s without: %s", "NOT FOUND", rule.name()));
            }
        }
        if (!report.mutants().isEmpty()) {
            line("");
        }
    }

    private void story(Story story) {
        story.text().lines().forEach(step -> line(String.format(Locale.ROOT, "    %s", step)));
    }

    private void campaign(CampaignReport campaign) {
        line(
                String.format(
                        Locale.ROOT,
                        "campaign of seed %d: %,d trials in %,d s, %,.0f a second, %,d clicks judged",
                        campaign.seed(),
                        campaign.trials(),
                        campaign.took().toSeconds(),
                        campaign.rate(),
                        campaign.clicks()));
        campaign.faults().entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(
                        fault ->
                                line(
                                        String.format(
                                                Locale.ROOT,
                                                "%,14d  %s",
                                                fault.getValue(),
                                                fault.getKey().words())));
        for (Finding finding : campaign.findings()) {
            finding.text()
                    .lines()
                    .forEach(step -> line(String.format(Locale.ROOT, "    %s", step)));
        }
        line("");
    }

    private void summary(ProofReport report) {
        CampaignReport campaign = report.campaign();
        figure("states", report.states());
        figure("schedules", report.schedules());
        figure("rows not as expected", report.violations());
        figure("takedowns tried", campaign.takedowns());
        figure("faults injected", campaign.injected());
        figure("dead links served after a receipt", campaign.count(Damage.DEAD_SERVED));
        figure("live links hidden", campaign.count(Damage.LIVE_HIDDEN));
        figure("audit events lost", campaign.count(Damage.EVENT_LOST));
        figure("trials not settled", campaign.count(Damage.STUCK));
        if (!report.complete()) {
            line("The model was not searched to its end: a larger --budget may do it.");
        }
        line(report.holds() ? "Everything holds." : "NOT EVERYTHING HOLDS.");
    }

    private void figure(String name, long number) {
        line(String.format(Locale.ROOT, "%-36s %,16d", name, number));
    }

    private void line(String line) {
        text.append(line).append(NEWLINE);
    }
}
