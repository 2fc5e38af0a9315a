package dev.headstone.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headstone.dynamodb.EmbeddedDynamoDb;
import dev.headstone.dynamodb.Settings;
import dev.headstone.link.Cause;
import dev.headstone.link.LastChange;
import dev.headstone.link.Link;
import dev.headstone.link.ShortCode;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

final class DynamoLinkTableTest extends LinkTableContract {
    private static final ShortCode CODE = new ShortCode("dynamo-abc");
    private static EmbeddedDynamoDb service;
    private static DynamoDbClient dynamo;

    private final TableNames names = new TableNames("Links-" + UUID.randomUUID());
    private DynamoLinkTable table;

    @BeforeAll
    static void start() {
        service = EmbeddedDynamoDb.start(Settings.inMemory(InstantSource.fixed(Links.NOW)));
        dynamo = client(service.endpoint());
    }

    @AfterAll
    static void stop() throws Exception {
        dynamo.close();
        service.close();
    }

    @BeforeEach
    void create() {
        new LinkTables(dynamo, names).createIfMissing();
        table = new DynamoLinkTable(dynamo, names);
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
        return table;
    }

    @Override
    protected int deaths(ShortCode code) {
        return (int)
                dynamo.scan(scan -> scan.tableName(names.deaths())).items().stream()
                        .filter(item -> code.value().equals(text(item)))
                        .count();
    }

    private static String text(Map<String, AttributeValue> item) {
        AttributeValue code = item.get(LinkItem.CODE);
        return code == null ? "" : code.s();
    }

    @Test
    void entersADeathWhereASweepLooksForIt() {
        table.create(Links.plain(CODE), Optional.empty());
        table.change(Links.plain(CODE), dead());

        String bucket = Deaths.bucket(Links.NOW.toEpochMilli(), 0);
        String hour = bucket.substring(0, bucket.indexOf('#'));
        assertThat(dynamo.scan(scan -> scan.tableName(names.deaths())).items())
                .singleElement()
                .satisfies(
                        item ->
                                assertThat(item.get(Deaths.BUCKET))
                                        .extracting(AttributeValue::s)
                                        .asString()
                                        .startsWith(hour + "#"));
    }

    private static Link dead() {
        return Links.plain(CODE)
                .ended(
                        Cause.TAKEDOWN,
                        new LastChange(
                                Links.NOW,
                                "bob",
                                Optional.of("spam"),
                                UUID.randomUUID().toString()),
                        Optional.empty());
    }

    @Test
    void saysWhichAttributeMakesAnItemUnreadable() {
        dynamo.putItem(
                put ->
                        put.tableName(names.links())
                                .item(
                                        Map.of(
                                                "short_code", AttributeValue.fromS("dynamo-abc"),
                                                "is_active", AttributeValue.fromBool(true),
                                                "long_url",
                                                        AttributeValue.fromS("https://a.example/"),
                                                "created_at", AttributeValue.fromN("1790000000000"),
                                                "version", AttributeValue.fromN("1e30"))));

        assertThat(table.read(CODE))
                .isInstanceOfSatisfying(
                        TableRead.Unreadable.class,
                        unreadable -> assertThat(unreadable.why()).contains("'version'"));
    }

    @Test
    void failsWithoutAnExceptionWhereNothingAnswers() {
        try (DynamoDbClient nowhere = client(URI.create("http://127.0.0.1:1"))) {
            DynamoLinkTable lost = new DynamoLinkTable(nowhere, names);

            assertThat(lost.read(CODE)).isInstanceOf(TableRead.Failed.class);
            assertThat(lost.create(Links.plain(CODE), Optional.empty()))
                    .isInstanceOf(CreateOutcome.Failed.class);
            assertThat(lost.change(Links.plain(CODE), dead()))
                    .isInstanceOf(ChangeOutcome.Failed.class);
        }
    }

    @Test
    void leavesTablesThatExistAsTheyAre() {
        LinkTables tables = new LinkTables(dynamo, names);
        String stream = tables.streamArn();
        tables.createIfMissing();

        assertThat(tables.streamArn()).isEqualTo(stream);
    }
}
