package dev.headstone.infra;

import io.github.cdklabs.cdknag.NagPackSuppression;
import io.github.cdklabs.cdknag.NagSuppressions;
import io.github.cdklabs.cdknag.RegexAppliesTo;
import java.util.List;
import software.constructs.IConstruct;

/** Findings of cdk-nag that are meant to be so, each with its reason. */
final class Accepted {
    private Accepted() {}

    /** Accepts a finding on a construct and what it consists of. */
    static void finding(IConstruct construct, String id, String reason) {
        NagSuppressions.addResourceSuppressions(
                construct,
                List.of(NagPackSuppression.builder().id(id).reason(reason).build()),
                true);
    }

    /** Accepts one detail of a finding, such as {@code Resource::*}, and no other. */
    static void finding(IConstruct construct, String id, String reason, String... details) {
        NagSuppressions.addResourceSuppressions(
                construct,
                List.of(
                        NagPackSuppression.builder()
                                .id(id)
                                .reason(reason)
                                .appliesTo(List.of(details))
                                .build()),
                true);
    }

    /**
     * Accepts those details of a finding that match, and no other.
     *
     * @param pattern between slashes, as JavaScript has it
     */
    static void findingLike(IConstruct construct, String id, String reason, String pattern) {
        NagSuppressions.addResourceSuppressions(
                construct,
                List.of(
                        NagPackSuppression.builder()
                                .id(id)
                                .reason(reason)
                                .appliesTo(List.of(RegexAppliesTo.builder().regex(pattern).build()))
                                .build()),
                true);
    }
}
