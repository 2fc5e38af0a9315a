package dev.headstone.infra;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.headstone.auditlog.AuditTables;
import dev.headstone.dynamodb.EmbeddedDynamoDb;
import dev.headstone.stream.DynamoParking;
import dev.headstone.table.LinkTables;
import dev.headstone.table.TableNames;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;

@Tag("slow")
final class DataStackTest {
    private static final String TABLE = "AWS::DynamoDB::Table";
    private final Templates templates = Templates.usual();

    @Test
    void hasTheVeryTablesThatTheCodeCreates() {
        try (EmbeddedDynamoDb embedded =
                        EmbeddedDynamoDb.start(
                                dev.headstone.dynamodb.Settings.inMemory(InstantSource.system()));
                DynamoDbClient client = client(embedded)) {
            new LinkTables(client, TableNames.DEFAULT).createIfMissing();
            AuditTables.createIfMissing(client, "AuditLog");
            client.createTable(DynamoParking.table("Links-parked"));

            Map<String, String> created = new TreeMap<>();
            for (String name : client.listTables().tableNames()) {
                String ttl =
                        String.valueOf(
                                client.describeTimeToLive(describe -> describe.tableName(name))
                                        .timeToLiveDescription()
                                        .attributeName());
                created.put(
                        name,
                        schema(client.describeTable(describe -> describe.tableName(name)).table())
                                + " ttl "
                                + ttl);
            }

            assertThat(tables()).isEqualTo(created);
        }
    }

    private static DynamoDbClient client(EmbeddedDynamoDb embedded) {
        return DynamoDbClient.builder()
                .endpointOverride(embedded.endpoint())
                .region(Region.US_EAST_1)
                .credentialsProvider(
                        StaticCredentialsProvider.create(AwsBasicCredentials.create("a", "b")))
                .httpClient(UrlConnectionHttpClient.create())
                .build();
    }

    private static String schema(TableDescription table) {
        Map<String, String> types =
                table.attributeDefinitions().stream()
                        .collect(
                                Collectors.toMap(
                                        definition -> definition.attributeName(),
                                        definition -> definition.attributeTypeAsString(),
                                        (one, _) -> one,
                                        TreeMap::new));
        String indexes =
                table.globalSecondaryIndexes().stream()
                        .map(
                                index ->
                                        index.indexName()
                                                + keys(index.keySchema())
                                                + index.projection().projectionTypeAsString())
                        .collect(Collectors.joining(","));
        String stream =
                table.streamSpecification() == null
                        ? "null"
                        : String.valueOf(table.streamSpecification().streamViewTypeAsString());
        return "%s %s indexes [%s] stream %s"
                .formatted(keys(table.keySchema()), types, indexes, stream);
    }

    private static List<String> keys(List<KeySchemaElement> keys) {
        return keys.stream().map(key -> key.attributeName() + key.keyTypeAsString()).toList();
    }

    private Map<String, String> tables() {
        Map<String, String> tables = new TreeMap<>();
        templates
                .resources(TABLE)
                .values()
                .forEach(
                        resource -> {
                            JsonNode table = resource.path("Properties");
                            tables.put(table.path("TableName").asText(), schema(table));
                        });
        return tables;
    }

    private static String schema(JsonNode table) {
        Map<String, String> types = new TreeMap<>();
        for (JsonNode definition : table.path("AttributeDefinitions")) {
            types.put(
                    definition.path("AttributeName").asText(),
                    definition.path("AttributeType").asText());
        }
        String indexes =
                Templates.each(table.path("GlobalSecondaryIndexes")).stream()
                        .filter(JsonNode::isObject)
                        .map(
                                index ->
                                        index.path("IndexName").asText()
                                                + keys(index)
                                                + index.at("/Projection/ProjectionType").asText())
                        .collect(Collectors.joining(","));
        return "%s %s indexes [%s] stream %s ttl %s"
                .formatted(
                        keys(table),
                        types,
                        indexes,
                        table.at("/StreamSpecification/StreamViewType").asText("null"),
                        table.at("/TimeToLiveSpecification/AttributeName").asText("null"));
    }

    private static List<String> keys(JsonNode keyed) {
        return Templates.each(keyed.path("KeySchema")).stream()
                .map(key -> key.path("AttributeName").asText() + key.path("KeyType").asText())
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"Links", "Deaths", "Idempotency", "Parked", "Visits", "AuditLog"})
    void everyTableCanBeRestoredAndIsNotDeletedByMistake(String name) {
        JsonNode resource = templates.onlyResource(TABLE, name);
        JsonNode table = resource.path("Properties");

        assertThat(
                        table.at("/PointInTimeRecoverySpecification/PointInTimeRecoveryEnabled")
                                .asBoolean())
                .isTrue();
        assertThat(table.path("DeletionProtectionEnabled").asBoolean()).isTrue();
        assertThat(table.at("/SSESpecification/SSEEnabled").asBoolean()).isTrue();
        assertThat(resource.path("DeletionPolicy").asText()).isEqualTo("Retain");
        assertThat(resource.path("UpdateReplacePolicy").asText()).isEqualTo("Retain");
    }

    @Test
    void linksHaveAStreamOfBothImagesAndAreCleanedUpByPurgeAt() {
        JsonNode links = templates.only(TABLE, "Links");

        assertThat(links.at("/StreamSpecification/StreamViewType").asText())
                .isEqualTo("NEW_AND_OLD_IMAGES");
        assertThat(links.at("/TimeToLiveSpecification/AttributeName").asText())
                .isEqualTo("purge_at");
        assertThat(links.at("/TimeToLiveSpecification/Enabled").asBoolean()).isTrue();
    }

    @Test
    void theAuditQueueIsFifoEncryptedAndGivesUpAfterFiveDeliveries() {
        JsonNode queue = templates.only("AWS::SQS::Queue", "AuditQueue");

        assertThat(queue.path("QueueName").asText()).isEqualTo("headstone-audit.fifo");
        assertThat(queue.path("FifoQueue").asBoolean()).isTrue();
        assertThat(queue.path("SqsManagedSseEnabled").asBoolean()).isTrue();
        assertThat(queue.path("DeduplicationScope").asText()).isEqualTo("messageGroup");
        assertThat(queue.path("FifoThroughputLimit").asText()).isEqualTo("perMessageGroupId");
        assertThat(queue.at("/RedrivePolicy/maxReceiveCount").asInt()).isEqualTo(5);
        assertThat(queue.at("/RedrivePolicy/deadLetterTargetArn/Fn::GetAtt/0").asText())
                .startsWith("AuditDeadLetters");
    }

    @Test
    void theQueueHidesAMessageSixTimesAsLongAsItsFunctionMayTake() {
        assertThat(
                        templates
                                .only("AWS::SQS::Queue", "AuditQueue")
                                .path("VisibilityTimeout")
                                .asLong())
                .isEqualTo(6 * FunctionKind.AUDIT.timeout().toSeconds());
    }

    @Test
    void deadLettersAreFifoEncryptedAndKeptAsLongAsSqsKeepsAnything() {
        JsonNode resource = templates.onlyResource("AWS::SQS::Queue", "AuditDeadLetters");
        JsonNode queue = resource.path("Properties");

        assertThat(queue.path("QueueName").asText()).isEqualTo("headstone-audit-dlq.fifo");
        assertThat(queue.path("FifoQueue").asBoolean()).isTrue();
        assertThat(queue.path("SqsManagedSseEnabled").asBoolean()).isTrue();
        assertThat(queue.path("MessageRetentionPeriod").asInt()).isEqualTo(14 * 24 * 3600);
        assertThat(resource.path("DeletionPolicy").asText()).isEqualTo("Retain");
    }

    @Test
    void comparisonsWaitInAnEncryptedQueueThatMayDelayThem() {
        JsonNode queue = templates.only("AWS::SQS::Queue", "Comparisons");

        assertThat(queue.path("QueueName").asText()).isEqualTo("Links-comparisons");
        assertThat(queue.path("FifoQueue").asBoolean()).as("it delays each by itself").isFalse();
        assertThat(queue.path("SqsManagedSseEnabled").asBoolean()).isTrue();
    }

    @Test
    void queuesAndBucketsRefuseWhatIsNotEncryptedOnTheWay() {
        assertThat(templates.resources("AWS::SQS::QueuePolicy")).hasSize(3);
        assertThat(templates.resources("AWS::SQS::QueuePolicy").values())
                .allSatisfy(
                        policy -> assertThat(policy.toString()).contains("aws:SecureTransport"));
        assertThat(templates.resources("AWS::S3::BucketPolicy")).hasSize(2);
        assertThat(templates.resources("AWS::S3::BucketPolicy").values())
                .allSatisfy(
                        policy -> assertThat(policy.toString()).contains("aws:SecureTransport"));
    }
}
