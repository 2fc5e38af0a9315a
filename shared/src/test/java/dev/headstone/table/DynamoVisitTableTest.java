package dev.headstone.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headstone.dynamodb.EmbeddedDynamoDb;
import dev.headstone.dynamodb.Settings;
import dev.headstone.link.Link;
import dev.headstone.link.ShortCode;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

final class DynamoVisitTableTest extends VisitTableContract {
    private static final ShortCode CODE = new ShortCode("abc");
    private static final Instant NOW = Links.NOW;
    private static EmbeddedDynamoDb service;
    private static DynamoDbClient dynamo;

    private final TableNames names = new TableNames("Links-" + UUID.randomUUID());
    private DynamoVisitTable visits;

    @BeforeAll
    static void start() {
        service = EmbeddedDynamoDb.start(Settings.inMemory(InstantSource.fixed(NOW)));
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
        visits = new DynamoVisitTable(dynamo, names);
    }

    private static DynamoDbClient client(URI endpoint) {
        return DynamoDbClient.builder()
                .endpointOverride(endpoint)
                .region(Region.US_EAST_1)
                .credentialsProvider(
                        StaticCredentialsProvider.create(AwsBasicCredentials.create("x", "x")))
                .httpClient(UrlConnectionHttpClient.create())
                .overrideConfiguration(
                        override ->
                                override.apiCallTimeout(Duration.ofSeconds(10))
                                        .retryStrategy(AwsRetryStrategy.doNotRetry()))
                .build();
    }

    @Override
    protected LinkTable links() {
        return new DynamoLinkTable(dynamo, names);
    }

    @Override
    protected VisitTable visits() {
        return visits;
    }

    @Override
    protected NotableLinks lists() {
        return visits;
    }

    @Override
    protected Optional<Instant> purgeAt(ShortCode code, long epoch, LocalDate day) {
        return Optional.ofNullable(item(code, epoch, day).get("purge_at"))
                .map(value -> Instant.ofEpochSecond(Long.parseLong(value.n())));
    }

    private Map<String, AttributeValue> item(ShortCode code, long epoch, LocalDate day) {
        return dynamo.getItem(get -> get.tableName(names.visits()).key(key(code, epoch, day)))
                .item();
    }

    private static Map<String, AttributeValue> key(ShortCode code, long epoch, LocalDate day) {
        return Map.of(
                VisitItem.BUCKET, LinkItem.text(VisitItem.bucket(code, epoch)),
                VisitItem.ENTRY, LinkItem.text(VisitItem.entry(day)));
    }

    @Test
    void leavesTheItemOfTheLinkAlone() {
        links().create(Links.plain(CODE), Optional.empty());
        var before = dynamo.getItem(get -> get.tableName(names.links()).key(code())).item();

        visits.add("some", List.of(visited(CODE, 3)));

        assertThat(dynamo.getItem(get -> get.tableName(names.links()).key(code())).item())
                .isEqualTo(before);
    }

    private static Map<String, AttributeValue> code() {
        return Map.of("short_code", LinkItem.text(CODE.value()));
    }

    @Test
    void saysWhichVisitsItWillNeverTake() {
        garble(CODE);
        Visits other = visited(new ShortCode("other"), 1);

        VisitsAdded outcome = visits.add("mixed", List.of(other, visited(CODE, 2)));

        assertThat(outcome)
                .isInstanceOfSatisfying(
                        VisitsAdded.NotAdded.class,
                        not -> assertThat(not.hopeless()).containsExactly(visited(CODE, 2)));
        assertThat(visits.read(other.code(), other.epoch()))
                .isEqualTo(new VisitsRead.Counted(VisitHistory.none()));
    }

    @Test
    void countsNothingOfWhatIsNoCount() {
        garble(CODE);

        assertThat(visits.read(CODE, NOW.toEpochMilli()))
                .isEqualTo(new VisitsRead.Counted(VisitHistory.none()));
    }

    private void garble(ShortCode code) {
        var garbage = new HashMap<>(key(code, NOW.toEpochMilli(), Visits.dayOf(NOW)));
        garbage.put(VisitItem.dayAttribute(Visits.dayOf(NOW)), LinkItem.text("many"));
        garbage.put("d99", LinkItem.number(3));
        dynamo.putItem(put -> put.tableName(names.visits()).item(garbage));
    }

    @Test
    void failsWithoutAnExceptionWhereNothingAnswers() {
        try (DynamoDbClient nowhere = client(URI.create("http://127.0.0.1:1"))) {
            DynamoVisitTable gone = new DynamoVisitTable(nowhere, names);

            assertThat(gone.add("x", List.of(visited(CODE, 1))))
                    .isInstanceOf(VisitsAdded.Unknown.class);
            assertThat(gone.read(CODE, 1)).isInstanceOf(VisitsRead.Failed.class);
            assertThat(gone.keepUntil(CODE, 1, Optional.empty())).isFalse();
            assertThat(gone.newest(1)).isInstanceOf(NotableLinks.Listing.Failed.class);
            assertThat(gone.mostVisited(1, NOW)).isInstanceOf(NotableLinks.Listing.Failed.class);
        }
    }

    @Test
    void knowsThatNothingWasAddedWhereThereIsNoTable() {
        DynamoVisitTable missing = new DynamoVisitTable(dynamo, new TableNames("Nowhere"));

        assertThat(missing.add("x", List.of(visited(CODE, 1))))
                .isInstanceOf(VisitsAdded.NotAdded.class);
    }

    @Test
    void forgetsWhoIsNewWithTheLinkOrAfterAWhile() {
        assertThat(forgotten(Links.plain(CODE)))
                .isEqualTo("" + NOW.plus(VisitItem.NEW_KEPT).getEpochSecond());
        assertThat(forgotten(Links.expiring(CODE, NOW.plusSeconds(60))))
                .isEqualTo("" + NOW.plusSeconds(61).getEpochSecond());
    }

    private static String forgotten(Link link) {
        return Objects.requireNonNull(VisitItem.news(link).get("purge_at")).n();
    }

    private static Visits visited(ShortCode code, long count) {
        return new Visits(
                code, NOW.toEpochMilli(), Visits.dayOf(NOW), count, NOW, Optional.empty());
    }
}
