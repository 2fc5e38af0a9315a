package dev.headstone.infra;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
final class CacheStackTest {
    private final Templates templates = Templates.usual();
    private final JsonNode cache = templates.only("AWS::ElastiCache::ReplicationGroup");

    @Test
    void isValkeyInClusterModeOnNodesOfItsOwn() {
        assertThat(cache.path("Engine").asText()).isEqualTo("valkey");
        assertThat(Integer.parseInt(cache.path("EngineVersion").asText().split("\\.", -1)[0]))
                .as("synchronous durability begins with 9")
                .isGreaterThanOrEqualTo(9);
        assertThat(cache.path("ClusterMode").asText()).isEqualTo("enabled");
        assertThat(cache.path("CacheNodeType").asText()).startsWith("cache.r");
        assertThat(
                        templates
                                .only("AWS::ElastiCache::ParameterGroup")
                                .at("/Properties/cluster-enabled")
                                .asText())
                .isEqualTo("yes");
        assertThat(templates.resources("AWS::ElastiCache::ServerlessCache")).isEmpty();
    }

    @Test
    void persistsAWriteBeforeItAnswers() {
        assertThat(cache.path("Durability").asText()).isEqualTo("sync");
    }

    @Test
    void functionsAreToldThatItIsDurableAndWaitForNoReplica() {
        assertThat(templates.functionsOfTheCache())
                .hasSize(7)
                .allSatisfy(
                        (name, function) -> {
                            JsonNode variables = function.at("/Properties/Environment/Variables");
                            assertThat(variables.path("HEADSTONE_REDIS_DURABLE").asText())
                                    .as(name)
                                    .isEqualTo("true");
                            assertThat(variables.has("HEADSTONE_REDIS_ACKS")).isFalse();
                        });
    }

    @Test
    void survivesTheLossOfAZone() {
        assertThat(cache.path("MultiAZEnabled").asBoolean()).isTrue();
        assertThat(cache.path("AutomaticFailoverEnabled").asBoolean()).isTrue();
        assertThat(cache.path("ReplicasPerNodeGroup").asInt()).isGreaterThanOrEqualTo(1);
    }

    @Test
    void isEncryptedOnTheWayAndAtRest() {
        assertThat(cache.path("TransitEncryptionEnabled").asBoolean()).isTrue();
        assertThat(cache.path("TransitEncryptionMode").asText()).isEqualTo("required");
        assertThat(cache.path("AtRestEncryptionEnabled").asBoolean()).isTrue();
        assertThat(templates.functionsOfTheCache().values())
                .allSatisfy(
                        function ->
                                assertThat(
                                                function.at(
                                                                "/Properties/Environment/Variables/HEADSTONE_REDIS")
                                                        .toString())
                                        .contains("rediss-cluster://"));
    }

    @Test
    void bringsNoOldSnapshotBack() {
        assertThat(cache.path("SnapshotRetentionLimit").asInt(-1)).isZero();
        assertThat(cache.has("SnapshotName")).isFalse();
        assertThat(cache.has("SnapshotArns")).isFalse();
    }

    @Test
    void onlyItsUserGetsInAndOnlyToTheKeysAndCommandsOfTheProtocol() {
        assertThat(cache.path("UserGroupIds")).hasSize(1);
        JsonNode users = templates.only("AWS::ElastiCache::UserGroup");
        assertThat(users.path("UserIds")).hasSize(1);
        String access = templates.only("AWS::ElastiCache::User").path("AccessString").asText();
        assertThat(access)
                .contains("~url:*", "~lease:*", "~swept:*", "-@all")
                .doesNotContain("~* ");
        assertThat(List.of(access.split(" ", -1)))
                .doesNotContain("+@all", "allkeys", "allcommands", "nopass", "+flushall", "+keys");
    }

    @Test
    void itsTokenIsMadeByTheSecretsManagerAndStandsInNoTemplate() {
        JsonNode password = templates.only("AWS::ElastiCache::User").path("Passwords").get(0);

        assertThat(password.toString()).contains("{{resolve:secretsmanager:");
        assertThat(
                        templates
                                .only("AWS::SecretsManager::Secret")
                                .at("/GenerateSecretString/PasswordLength")
                                .asInt())
                .isEqualTo(64);
    }

    @Test
    void functionsReadTheTokenAsAnEncryptedParameterAndHaveItInNoVariable() {
        assertThat(templates.functionsOfTheCache().values())
                .allSatisfy(
                        function -> {
                            JsonNode variables = function.at("/Properties/Environment/Variables");
                            assertThat(variables.path("HEADSTONE_REDIS_TOKEN_PARAMETER").asText())
                                    .isEqualTo(
                                            "/aws/reference/secretsmanager/headstone/cache-token");
                            assertThat(variables.toString()).doesNotContain("{{resolve");
                        });
    }

    @Test
    void theTokenIsReplacedEveryMonth() {
        JsonNode schedule = templates.only("AWS::SecretsManager::RotationSchedule");

        assertThat(schedule.at("/RotationRules/ScheduleExpression").asText())
                .isEqualTo("rate(30 days)");
        assertThat(schedule.at("/RotationLambdaARN/Fn::GetAtt/0").asText()).startsWith("Rotation");
        assertThat(schedule.path("RotateImmediatelyOnUpdate").asBoolean(true)).isFalse();
    }
}
