package dev.headstone.standalone.prove;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.headstone.proof.ProofReport;
import dev.headstone.proof.ProofSettings;
import dev.headstone.proof.campaign.CampaignReport;
import dev.headstone.proof.campaign.Damage;
import dev.headstone.proof.campaign.Fault;
import dev.headstone.proof.campaign.Finding;
import dev.headstone.proof.model.Invariant;
import dev.headstone.proof.model.Mutant;
import dev.headstone.proof.model.Story;
import dev.headstone.proof.model.Verdict;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class ProofTableTest {
    private static final Story STORY =
            new Story(Set.of(Invariant.DEAD_SERVED), List.of("a click stalls", "it wakes"));
    private static final ProofReport.Row HOLDS = row(Set.of(), Set.of(), true);
    private static final ProofReport.Rule FOUND =
            new ProofReport.Rule(
                    "readers lease",
                    Optional.empty(),
                    new Mutant.Result(
                            true, verdict(Set.of(), Set.of(Invariant.DEAD_SERVED), true)));
    private static final ProofReport.Rule NOT_NEEDED =
            new ProofReport.Rule(
                    "the newer stamp wins",
                    Optional.of("the lease"),
                    new Mutant.Result(false, verdict(Set.of(), Set.of(), true)));

    @Test
    void showsVerdictsStoriesAndFigures() {
        ProofReport report = report(List.of(HOLDS), campaign(0));

        assertThat(report.holds()).isTrue();
        assertThat(table(report))
                .contains(
                        "found              without: readers lease",
                        "    1. a click stalls",
                        "not needed         the newer stamp wins",
                        "    made up for by: the lease",
                        "dead links served after a receipt                   0",
                        "Everything holds.");
    }

    @Test
    void aRowThatWasCutShortIsNoProof() {
        ProofReport report = report(List.of(row(Set.of(), Set.of(), false)), campaign(0));

        assertThat(report.complete()).isFalse();
        assertThat(report.violations()).isZero();
        assertThat(report.holds()).isFalse();
        assertThat(table(report))
                .contains(
                        "not known", "incomplete", "was not searched to its end", "NOT EVERYTHING");
    }

    @Test
    void aRowThatBreaksAsTheProtocolSaysIsAsExpected() {
        Set<Invariant> dead = Set.of(Invariant.DEAD_SERVED);
        ProofReport report = report(List.of(row(dead, dead, true)), campaign(0));

        assertThat(report.holds()).isTrue();
        assertThat(table(report)).contains("dead served");
    }

    @Test
    void aRowThatBreaksUnexpectedlyTellsItsStory() {
        ProofReport report =
                report(List.of(row(Set.of(), Set.of(Invariant.DEAD_SERVED), true)), campaign(0));

        assertThat(report.violations()).isEqualTo(1);
        assertThat(report.holds()).isFalse();
        assertThat(table(report)).contains("NOT AS EXPECTED", "    2. it wakes");
    }

    @Test
    void aRowThatBrokeNothingThoughItShouldIsAViolationToo() {
        ProofReport report =
                report(List.of(row(Set.of(Invariant.DEAD_SERVED), Set.of(), true)), campaign(0));

        assertThat(report.violations()).isEqualTo(1);
        assertThat(report.holds()).isFalse();
    }

    @Test
    void aMutantThatIsNotFoundFails() {
        ProofReport.Rule missed =
                new ProofReport.Rule(
                        "readers lease",
                        Optional.empty(),
                        new Mutant.Result(true, verdict(Set.of(), Set.of(), true)));
        ProofReport report = new ProofReport(List.of(HOLDS), List.of(missed), campaign(0));

        assertThat(report.holds()).isFalse();
        assertThat(table(report)).contains("NOT FOUND          without: readers lease");
    }

    @Test
    void aFindingOfTheCampaignFailsAndTellsItsStory() {
        ProofReport report = report(List.of(HOLDS), campaign(1));

        assertThat(report.holds()).isFalse();
        assertThat(table(report))
                .contains("dead link served in trial 42: it led on", "    1. alice creates");
    }

    @Test
    void jsonHasTheFieldsThatOtherProgramsRelyOn() throws Exception {
        JsonNode json =
                new ObjectMapper().readTree(ProofJson.of(report(List.of(HOLDS), campaign(1))));

        assertThat(json.at("/model").toString())
                .isEqualTo("{\"states\":10,\"schedules\":20,\"complete\":true,\"violations\":0}");
        assertThat(json.at("/mutants/0").toString())
                .isEqualTo(
                        "{\"rule\":\"readers lease\",\"found\":true,\"needed\":true,"
                                + "\"story\":\"1. a click stalls\\n2. it wakes\"}");
        assertThat(json.at("/mutants/1").toString())
                .isEqualTo(
                        "{\"rule\":\"the newer stamp wins\",\"found\":false,\"needed\":false,"
                                + "\"story\":\"made up for by: the lease\"}");
        assertThat(json.at("/campaign/trials").asLong()).isEqualTo(100);
        assertThat(json.at("/campaign/faults").asLong()).isEqualTo(5);
        assertThat(json.at("/campaign/dead_links_served").asLong()).isEqualTo(1);
        assertThat(json.at("/campaign/live_links_hidden").asLong(-1)).isZero();
        assertThat(json.at("/campaign/lost_events").asLong(-1)).isZero();
    }

    private static ProofReport report(List<ProofReport.Row> rows, CampaignReport campaign) {
        return new ProofReport(rows, List.of(FOUND, NOT_NEEDED), campaign);
    }

    private static String table(ProofReport report) {
        return ProofTable.of(
                report,
                new ProofSettings(
                        1, Duration.ofMinutes(5), true, List.of("redis-server"), Path.of(".")));
    }

    private static ProofReport.Row row(
            Set<Invariant> expected, Set<Invariant> broken, boolean complete) {
        return new ProofReport.Row("a row", verdict(expected, broken, complete));
    }

    private static Verdict verdict(
            Set<Invariant> expected, Set<Invariant> broken, boolean complete) {
        return new Verdict(
                expected,
                broken,
                10,
                20,
                3,
                4,
                complete,
                broken.isEmpty() ? List.of() : List.of(STORY));
    }

    private static CampaignReport campaign(long deadServed) {
        return new CampaignReport(
                1,
                100,
                110,
                200,
                300,
                Map.of(Fault.EVICTION, 5L),
                Map.of(Damage.DEAD_SERVED, deadServed),
                deadServed == 0
                        ? List.of()
                        : List.of(
                                new Finding(
                                        Damage.DEAD_SERVED,
                                        42,
                                        "it led on",
                                        List.of("alice creates"))),
                Duration.ofSeconds(10));
    }
}
