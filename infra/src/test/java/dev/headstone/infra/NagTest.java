package dev.headstone.infra;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
final class NagTest {
    private final Templates templates = Templates.usual();

    @Test
    void neitherTheRulesOfAwsSolutionsNorTheKitHaveAnythingToSay() {
        assertThat(templates.findings()).isEmpty();
    }

    @Test
    void whatIsAcceptedHasAReason() {
        int accepted = 0;
        for (JsonNode template : templates.all().values()) {
            for (JsonNode resource : template.path("Resources")) {
                for (JsonNode rule : resource.at("/Metadata/cdk_nag/rules_to_suppress")) {
                    accepted++;
                    assertThat(rule.path("reason").asText()).hasSizeGreaterThan(30);
                }
            }
        }
        assertThat(accepted).isPositive();
    }

    @Test
    void noTemplateNamesAnAccountOrARegion() {
        assertThat(templates.all().toString())
                .doesNotContainPattern("arn:aws:[a-z]+:[a-z]+-[a-z]+-[0-9]:[0-9]{12}");
    }
}
