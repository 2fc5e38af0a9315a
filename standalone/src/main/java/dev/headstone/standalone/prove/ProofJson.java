package dev.headstone.standalone.prove;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.headstone.proof.ProofReport;
import dev.headstone.proof.campaign.CampaignReport;
import dev.headstone.proof.campaign.Damage;
import dev.headstone.proof.model.Story;

/** What a run showed, for programs. */
final class ProofJson {
    private static final ObjectMapper JSON = new ObjectMapper();

    private ProofJson() {}

    /** One line. */
    static String of(ProofReport report) {
        ObjectNode all = JSON.createObjectNode();
        all.putObject("model")
                .put("states", report.states())
                .put("schedules", report.schedules())
                .put("complete", report.complete())
                .put("violations", report.violations());
        ArrayNode mutants = all.putArray("mutants");
        report.mutants().forEach(rule -> add(mutants.addObject(), rule));
        add(all.putObject("campaign"), report.campaign());
        return all + System.lineSeparator();
    }

    private static void add(ObjectNode node, ProofReport.Rule rule) {
        node.put("rule", rule.name())
                .put("found", rule.found())
                .put("needed", rule.result().needed())
                .put(
                        "story",
                        rule.result()
                                .story()
                                .map(Story::text)
                                .or(() -> rule.covering().map(by -> "made up for by: " + by))
                                .orElse(""));
    }

    private static void add(ObjectNode node, CampaignReport campaign) {
        node.put("trials", campaign.trials())
                .put("faults", campaign.injected())
                .put("dead_links_served", campaign.count(Damage.DEAD_SERVED))
                .put("live_links_hidden", campaign.count(Damage.LIVE_HIDDEN))
                .put("lost_events", campaign.count(Damage.EVENT_LOST))
                .put("stuck", campaign.count(Damage.STUCK))
                .put("seed", campaign.seed());
    }
}
