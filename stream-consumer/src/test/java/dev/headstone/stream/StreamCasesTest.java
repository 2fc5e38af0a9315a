package dev.headstone.stream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent;
import com.amazonaws.services.lambda.runtime.events.StreamsEventResponse;
import com.amazonaws.services.lambda.runtime.events.StreamsEventResponse.BatchItemFailure;
import com.amazonaws.services.lambda.runtime.serialization.events.LambdaEventSerializers;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.headstone.audit.AuditEvent;
import dev.headstone.audit.RecordingAuditQueue;
import dev.headstone.cache.CacheRecord;
import dev.headstone.cache.InMemoryLinkCache;
import dev.headstone.cache.Settler;
import dev.headstone.link.ShortCode;
import dev.headstone.link.Stamp;
import dev.headstone.table.InMemoryLinkTable;
import dev.headstone.table.LinkItem;
import dev.headstone.table.TableRead;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Every line of {@code stream-events.jsonl}, through the runtime's own mapping. */
final class StreamCasesTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long NOW = 1_795_000_000_500L;

    static Stream<Arguments> cases() throws IOException {
        try (InputStream lines =
                Objects.requireNonNull(
                        StreamCasesTest.class.getResourceAsStream("/cases/stream-events.jsonl"))) {
            List<Arguments> cases =
                    new String(lines.readAllBytes(), UTF_8)
                            .lines()
                            .map(StreamCasesTest::parsed)
                            .map(line -> Arguments.of(line.get("id").asText(), line))
                            .toList();
            assertThat(cases).hasSizeGreaterThan(20);
            return cases.stream();
        }
    }

    private static JsonNode parsed(String line) {
        try {
            return JSON.readTree(line);
        } catch (IOException e) {
            throw new IllegalArgumentException(line, e);
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void doesWhatTheCaseExpects(String id, JsonNode line) throws IOException {
        JsonNode expect = line.get("expect");
        InstantSource clock =
                InstantSource.fixed(Instant.ofEpochMilli(expect.path("now_ms").asLong(NOW)));
        InMemoryLinkCache cache = new InMemoryLinkCache(clock);
        InMemoryLinkTable table = table(line, expect);
        RecordingAuditQueue audit = new RecordingAuditQueue();
        RecordingParking parking = new RecordingParking();
        StreamHandler handler =
                new StreamHandler(
                        new Settler(cache, table, clock, Duration.ofSeconds(2)),
                        audit,
                        parking,
                        new SimpleMeterRegistry());
        line.get("cache")
                .properties()
                .forEach(entry -> fill(cache, entry.getKey(), entry.getValue()));
        expect.path("cache_fails_for").forEach(code -> cache.unreachableFor(code(code.asText())));
        Map<String, Optional<CacheRecord>> before = new HashMap<>();
        line.get("cache")
                .fieldNames()
                .forEachRemaining(code -> before.put(code, cache.record(code(code))));
        DynamodbEvent event = event(line.get("event"));

        if (expect.path("throws").asBoolean()) {
            assertThatIllegalStateException().isThrownBy(() -> handler.handleRequest(event, null));
            return;
        }
        StreamsEventResponse response = handler.handleRequest(event, null);

        assertThat(failures(response)).isEqualTo(texts(expect.get("failures")));
        assertThat(parking.parked()).hasSize(expect.path("parked").asInt(0));
        expect.path("cache")
                .properties()
                .forEach(
                        entry ->
                                assertThat(described(cache, entry.getKey()))
                                        .isEqualTo(
                                                wanted(
                                                        entry.getValue().asText(),
                                                        before.getOrDefault(
                                                                entry.getKey(),
                                                                Optional.empty()))));
        if (expect.has("ttl_ms_at_least")) {
            assertThat(cache.life(code("aaa")))
                    .hasValueSatisfying(
                            life ->
                                    assertThat(life.toMillis())
                                            .isGreaterThanOrEqualTo(
                                                    expect.get("ttl_ms_at_least").asLong()));
        }
        if (expect.has("audit")) {
            assertThat(audit.events().stream().map(StreamCasesTest::summary))
                    .isEqualTo(
                            expect.get("audit").valueStream().map(StreamCasesTest::texts).toList());
        }
        if (expect.has("audit_ids")) {
            assertThat(audit.events().stream().map(AuditEvent::eventId).distinct())
                    .hasSize(expect.get("audit_ids").asInt());
        }
    }

    private static InMemoryLinkTable table(JsonNode line, JsonNode expect) {
        InMemoryLinkTable table = new InMemoryLinkTable();
        table.failing(expect.path("table_fails").asBoolean());
        line.get("table")
                .properties()
                .forEach(
                        entry -> {
                            switch (LinkItem.read(item(entry.getValue()))) {
                                case TableRead.Found(var link) -> table.put(link);
                                case TableRead.Unreadable(String why) ->
                                        table.putUnreadable(code(entry.getKey()), why);
                                case TableRead.Absent _, TableRead.Failed _ ->
                                        throw new AssertionError(entry.getKey());
                            }
                        });
        return table;
    }

    private static Map<String, AttributeValue> item(JsonNode attributes) {
        Map<String, AttributeValue> item = new HashMap<>();
        attributes
                .properties()
                .forEach(entry -> item.put(entry.getKey(), attribute(entry.getValue())));
        return item;
    }

    private static AttributeValue attribute(JsonNode value) {
        String type = value.fieldNames().next();
        return switch (type) {
            case "S" -> AttributeValue.fromS(value.get(type).asText());
            case "N" -> AttributeValue.fromN(value.get(type).asText());
            case "BOOL" -> AttributeValue.fromBool(value.get(type).asBoolean());
            case "NULL" -> AttributeValue.fromNul(true);
            default -> throw new AssertionError(type);
        };
    }

    private static void fill(InMemoryLinkCache cache, String code, JsonNode given) {
        Stamp stamp = Stamp.parse(given.get("stamp").asText()).orElseThrow();
        Instant later = Instant.ofEpochMilli(1_796_000_000_000L);
        CacheRecord record =
                stamp.deleted()
                        ? new CacheRecord.Tombstone(stamp, later)
                        : new CacheRecord.Active(
                                stamp,
                                "https://example.com/x",
                                Optional.of("example.com"),
                                Optional.empty(),
                                List.of(),
                                Optional.empty(),
                                OptionalLong.empty(),
                                later,
                                later);
        cache.put(code(code), record);
    }

    private static DynamodbEvent event(JsonNode event) throws IOException {
        return LambdaEventSerializers.serializerFor(
                        DynamodbEvent.class, StreamCasesTest.class.getClassLoader())
                .fromJson(new ByteArrayInputStream(JSON.writeValueAsBytes(event)));
    }

    private static List<String> failures(StreamsEventResponse response) {
        return response.getBatchItemFailures().stream()
                .map(BatchItemFailure::getItemIdentifier)
                .toList();
    }

    private static String described(InMemoryLinkCache cache, String code) {
        return cache.record(code(code)).map(StreamCasesTest::described).orElse("absent");
    }

    private static String described(CacheRecord record) {
        return (record.stamp().deleted() ? "deleted " : "active ") + record.stamp();
    }

    private static String wanted(String expected, Optional<CacheRecord> before) {
        return expected.equals("unchanged")
                ? before.map(StreamCasesTest::described).orElse("absent")
                : expected;
    }

    private static List<String> summary(AuditEvent event) {
        return List.of(
                event.shortCode().map(ShortCode::value).orElse(""),
                event.type().wireName(),
                event.outcome().wireName());
    }

    private static List<String> texts(JsonNode array) {
        return array.valueStream().map(JsonNode::asText).toList();
    }

    private static ShortCode code(String text) {
        return new ShortCode(text);
    }
}
