package dev.headstone.dynamodb;

import static dev.headstone.dynamodb.Clients.item;
import static dev.headstone.dynamodb.Clients.streamedTableOf;
import static dev.headstone.dynamodb.ItemsOverHttpTest.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.OperationType;
import software.amazon.awssdk.services.dynamodb.model.Record;
import software.amazon.awssdk.services.dynamodb.model.TimeToLiveDescription;

final class ExpiryOverHttpTest {
    private static final Instant START = Instant.parse("2026-12-01T00:00:00Z");
    private static final long NOW = START.getEpochSecond();

    private final SettableClock clock = new SettableClock(START);
    private final EmbeddedDynamoDb server =
            EmbeddedDynamoDb.start(
                    Settings.inMemory(clock).withSweepInterval(Duration.ofMillis(20)));
    private final Clients clients = new Clients(server.endpoint());

    @BeforeEach
    void createTable() {
        clients.create(streamedTableOf("Links", "code:S"));
    }

    @AfterEach
    void stop() {
        clients.close();
        server.close();
    }

    @Test
    void whatHasExpiredIsRemovedByTheService() {
        setExpiry("purge_at", true);
        clients.put("Links", "code", "due", "purge_at", NOW + 10);
        clients.put("Links", "code", "later", "purge_at", NOW + 1000);

        clock.advance(Duration.ofSeconds(11));

        await().untilAsserted(() -> assertThat(clients.get("Links", "code", "due")).isEmpty());
        assertThat(clients.get("Links", "code", "later")).isNotEmpty();
        Record removal = clients.records(clients.streamArn("Links")).getLast();
        assertThat(removal.eventName()).isEqualTo(OperationType.REMOVE);
        assertThat(removal.userIdentity().type()).isEqualTo("Service");
        assertThat(removal.userIdentity().principalId()).isEqualTo("dynamodb.amazonaws.com");
        assertThat(removal.dynamodb().oldImage())
                .isEqualTo(item("code", "due", "purge_at", NOW + 10));
    }

    @Test
    void whatIsNoSecondOrOlderThanFiveYearsStays() {
        setExpiry("purge_at", true);
        clients.put("Links", "code", "text", "purge_at", Long.toString(NOW - 10));
        clients.put("Links", "code", "ancient", "purge_at", NOW - 6L * 366 * 24 * 3600);
        clients.put("Links", "code", "huge", "purge_at", AttributeValue.fromN("1e100"));
        clients.put("Links", "code", "negative", "purge_at", -5);
        clients.put("Links", "code", "without");
        clients.put("Links", "code", "due", "purge_at", AttributeValue.fromN(NOW - 10 + ".5"));

        await().untilAsserted(() -> assertThat(clients.get("Links", "code", "due")).isEmpty());
        for (String kept : new String[] {"text", "ancient", "huge", "negative", "without"}) {
            assertThat(clients.get("Links", "code", kept)).isNotEmpty();
        }
    }

    @Test
    void whatIsExtendedInTimeStays() {
        setExpiry("purge_at", true);
        clients.put("Links", "code", "extended", "purge_at", NOW + 10);
        clients.put("Links", "code", "extended", "purge_at", NOW + 1000);
        clients.put("Links", "code", "due", "purge_at", NOW + 11);

        clock.advance(Duration.ofSeconds(20));

        await().untilAsserted(() -> assertThat(clients.get("Links", "code", "due")).isEmpty());
        assertThat(clients.get("Links", "code", "extended")).isNotEmpty();
    }

    @Test
    void itemsFromBeforeItWasEnabledExpireToo() {
        clients.put("Links", "code", "old", "purge_at", NOW - 10);

        setExpiry("purge_at", true);

        await().untilAsserted(() -> assertThat(clients.get("Links", "code", "old")).isEmpty());
    }

    @Test
    void nothingExpiresOnceItIsDisabled() {
        setExpiry("purge_at", true);
        setExpiry("purge_at", false);
        clients.put("Links", "code", "kept", "purge_at", NOW - 10);
        setExpiry("other", true);
        clients.put("Links", "code", "due", "other", NOW - 10);

        await().untilAsserted(() -> assertThat(clients.get("Links", "code", "due")).isEmpty());
        assertThat(clients.get("Links", "code", "kept")).isNotEmpty();
    }

    @Test
    void itIsDescribedAndChangesOnlyWhenThatIsMeant() {
        assertThat(describe().timeToLiveStatusAsString()).isEqualTo("DISABLED");
        assertRefused(
                () -> setExpiry("purge_at", false),
                "ValidationException",
                "TimeToLive is already disabled");

        setExpiry("purge_at", true);

        assertThat(describe().timeToLiveStatusAsString()).isEqualTo("ENABLED");
        assertThat(describe().attributeName()).isEqualTo("purge_at");
        assertRefused(
                () -> setExpiry("purge_at", true),
                "ValidationException",
                "TimeToLive is already enabled");
        assertRefused(
                () -> setExpiry("other", true),
                "ValidationException",
                "TimeToLive is active on a different AttributeName: current AttributeName is purge_at");
    }

    private void setExpiry(String attribute, boolean enabled) {
        clients.table.updateTimeToLive(
                update ->
                        update.tableName("Links")
                                .timeToLiveSpecification(
                                        ttl -> ttl.attributeName(attribute).enabled(enabled)));
    }

    private TimeToLiveDescription describe() {
        return clients.table
                .describeTimeToLive(describe -> describe.tableName("Links"))
                .timeToLiveDescription();
    }
}
