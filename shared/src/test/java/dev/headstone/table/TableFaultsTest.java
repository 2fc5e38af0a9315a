package dev.headstone.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headstone.faults.FaultyService;
import dev.headstone.freshness.Freshness;
import dev.headstone.link.Cause;
import dev.headstone.link.LastChange;
import dev.headstone.link.Link;
import dev.headstone.link.ShortCode;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** The adapters of the table over a service that is slow, fails, refuses or talks nonsense. */
final class TableFaultsTest {
    private static final ShortCode CODE = new ShortCode("abc");
    private static final Link LINK = Links.limited(CODE, 5);
    private static final Instant NOW = Links.NOW;
    private static final TableNames NAMES = TableNames.DEFAULT;
    private static final String THROTTLED =
            "{\"__type\":\"com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException\","
                    + "\"message\":\"too much\"}";

    @Test
    void aTableThatSaysNothingFailsWithinTheDeadline() {
        long began = System.nanoTime();
        with(FaultyService.silent(), Duration.ofMillis(500), TableFaultsTest::assertAllFail);

        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(20));
    }

    @ParameterizedTest
    @ValueSource(strings = {"<html>Welcome</html>", "{\"Item\":", "[]", "\u0000"})
    void aTableThatTalksNonsenseFails(String nonsense) {
        with(FaultyService.answering(200, nonsense), (links, _) -> assertReadFails(links));
    }

    @Test
    void aTableThatFailsFails() {
        with(FaultyService.answering(500, "{}"), TableFaultsTest::assertAllFail);
    }

    @Test
    void aTableThatRefusesFails() {
        with(
                FaultyService.answering(400, THROTTLED),
                (links, visits) -> {
                    assertReadFails(links);
                    assertThat(links.claimVisit(LINK)).isInstanceOf(VisitClaim.Failed.class);
                    assertThat(links.create(LINK, Optional.empty()))
                            .isInstanceOf(CreateOutcome.Failed.class);
                    assertThat(visits.add("x", List.of(visited())))
                            .isInstanceOf(VisitsAdded.NotAdded.class);
                });
    }

    private static void assertAllFail(DynamoLinkTable links, DynamoVisitTable visits) {
        assertReadFails(links);
        assertThat(links.create(LINK, Optional.empty())).isInstanceOf(CreateOutcome.Failed.class);
        assertThat(links.change(LINK, dead())).isInstanceOf(ChangeOutcome.Failed.class);
        assertThat(links.claimVisit(LINK)).isInstanceOf(VisitClaim.Failed.class);
        assertThat(links.recall("key")).isInstanceOf(IdempotencyRead.Failed.class);
        assertThat(visits.add("x", List.of(visited()))).isInstanceOf(VisitsAdded.Unknown.class);
        assertThat(visits.read(CODE, 1)).isInstanceOf(VisitsRead.Failed.class);
        assertThat(visits.newest(1)).isInstanceOf(NotableLinks.Listing.Failed.class);
    }

    private static void assertReadFails(DynamoLinkTable links) {
        assertThat(links.read(CODE)).isInstanceOf(TableRead.Failed.class);
    }

    /** Over a service that answers, so that no deadline decides what the answer is. */
    private static void with(
            FaultyService service, BiConsumer<DynamoLinkTable, DynamoVisitTable> play) {
        with(service, Duration.ofSeconds(10), play);
    }

    private static void with(
            FaultyService service,
            Duration deadline,
            BiConsumer<DynamoLinkTable, DynamoVisitTable> play) {
        try (service;
                DynamoDbClient dynamo = client(service.endpoint(), deadline)) {
            play.accept(new DynamoLinkTable(dynamo, NAMES), new DynamoVisitTable(dynamo, NAMES));
        }
    }

    private static DynamoDbClient client(URI endpoint, Duration deadline) {
        return DynamoDbClient.builder()
                .endpointOverride(endpoint)
                .region(Region.US_EAST_1)
                .credentialsProvider(
                        StaticCredentialsProvider.create(AwsBasicCredentials.create("x", "x")))
                .httpClient(UrlConnectionHttpClient.create())
                .overrideConfiguration(
                        override ->
                                override.apiCallTimeout(deadline)
                                        .retryStrategy(
                                                AwsRetryStrategy.standardRetryStrategy().toBuilder()
                                                        .maxAttempts(2)
                                                        .build()))
                .build();
    }

    private static Link dead() {
        return LINK.ended(
                Cause.TAKEDOWN,
                new LastChange(NOW, "bob", Optional.of("why"), "change"),
                Freshness.purgeOfDead(Cause.TAKEDOWN, NOW));
    }

    private static Visits visited() {
        return new Visits(CODE, 1, Visits.dayOf(NOW), 1, NOW, Optional.empty());
    }
}
