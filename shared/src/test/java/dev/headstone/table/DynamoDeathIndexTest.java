package dev.headstone.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headstone.dynamodb.EmbeddedDynamoDb;
import dev.headstone.dynamodb.Settings;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

@Tag("slow")
final class DynamoDeathIndexTest extends DeathIndexContract {
    private static final TableNames NAMES = new TableNames("Links");
    private static EmbeddedDynamoDb service;
    private static DynamoDbClient dynamo;

    @BeforeAll
    static void start() {
        service = EmbeddedDynamoDb.start(Settings.inMemory(InstantSource.fixed(Links.NOW)));
        dynamo = client(service.endpoint());
        new LinkTables(dynamo, NAMES).createIfMissing();
    }

    @AfterAll
    static void stop() throws Exception {
        dynamo.close();
        service.close();
    }

    private static DynamoDbClient client(URI endpoint) {
        return DynamoDbClient.builder()
                .endpointOverride(endpoint)
                .region(Region.US_EAST_1)
                .credentialsProvider(
                        StaticCredentialsProvider.create(AwsBasicCredentials.create("x", "x")))
                .httpClient(UrlConnectionHttpClient.create())
                .overrideConfiguration(override -> override.apiCallTimeout(Duration.ofSeconds(10)))
                .build();
    }

    @Override
    protected LinkTable table() {
        return new DynamoLinkTable(dynamo, NAMES);
    }

    @Override
    protected DeathIndex index() {
        return new DynamoDeathIndex(dynamo, NAMES, 3);
    }

    @Test
    void passesAnEntryOverThatIsNone() {
        dynamo.putItem(
                put ->
                        put.tableName(NAMES.deaths())
                                .item(
                                        Map.of(
                                                Deaths.BUCKET,
                                                AttributeValue.fromS("1#0"),
                                                Deaths.ENTRY,
                                                AttributeValue.fromS("x"),
                                                "short_code",
                                                AttributeValue.fromS("no code"),
                                                "version",
                                                AttributeValue.fromN("1"),
                                                "created_at",
                                                AttributeValue.fromN("1"))));

        assertThat(index().read(new DeathPartition(1, 0), Optional.empty()))
                .isEqualTo(new DeathPage.Read(List.of(), Optional.empty()));
    }

    @Test
    void failsWithoutAnExceptionWhereNothingAnswers() {
        try (DynamoDbClient nowhere = client(URI.create("http://127.0.0.1:1"))) {
            assertThat(
                            new DynamoDeathIndex(nowhere, NAMES)
                                    .read(new DeathPartition(1, 0), Optional.empty()))
                    .isInstanceOf(DeathPage.Failed.class);
        }
    }
}
