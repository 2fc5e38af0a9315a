package dev.headstone.infra;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
final class AuditLogPolicyTest {
    private final Templates templates = Templates.usual();

    private JsonNode statement(String sid) {
        List<JsonNode> found =
                Templates.each(
                                templates
                                        .only("AWS::DynamoDB::Table", "AuditLog")
                                        .at("/ResourcePolicy/PolicyDocument/Statement"))
                        .stream()
                        .filter(statement -> statement.path("Sid").asText().equals(sid))
                        .toList();
        assertThat(found).hasSize(1);
        return found.getFirst();
    }

    @Test
    void nobodyMayUpdateOrDelete() {
        JsonNode statement = statement("NobodyRewrites");

        assertThat(statement.path("Effect").asText()).isEqualTo("Deny");
        assertThat(statement.at("/Principal/AWS").asText()).isEqualTo("*");
        assertThat(statement.has("Condition")).isFalse();
        assertThat(Templates.each(statement.path("Action")).stream().map(JsonNode::asText))
                .contains(
                        "dynamodb:UpdateItem",
                        "dynamodb:DeleteItem",
                        "dynamodb:BatchWriteItem",
                        "dynamodb:PartiQLUpdate",
                        "dynamodb:PartiQLDelete",
                        "dynamodb:PartiQLInsert",
                        "dynamodb:UpdateTimeToLive");
    }

    @Test
    void nobodyButTheWriterMayPut() {
        JsonNode statement = statement("OnlyTheWriterAppends");

        assertThat(statement.path("Effect").asText()).isEqualTo("Deny");
        assertThat(statement.at("/Principal/AWS").asText()).isEqualTo("*");
        assertThat(statement.path("Action").asText()).isEqualTo("dynamodb:PutItem");
        assertThat(statement.at("/Condition/ArnNotEquals/aws:PrincipalArn/Fn::GetAtt/0").asText())
                .startsWith("AuditWriter");
    }

    @Test
    void nothingExpiresFromTheLog() {
        assertThat(
                        templates
                                .only("AWS::DynamoDB::Table", "AuditLog")
                                .has("TimeToLiveSpecification"))
                .isFalse();
    }
}
