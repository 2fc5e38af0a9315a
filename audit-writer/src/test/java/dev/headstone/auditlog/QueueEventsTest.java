package dev.headstone.auditlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.amazonaws.services.lambda.runtime.events.SQSBatchResponse;
import com.amazonaws.services.lambda.runtime.events.SQSEvent;
import com.amazonaws.services.lambda.runtime.serialization.PojoSerializer;
import com.amazonaws.services.lambda.runtime.serialization.events.LambdaEventSerializers;
import com.amazonaws.services.lambda.runtime.serialization.factories.JacksonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.headstone.auditlog.LogEntry.Marker;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Events as Lambda hands them over, through Lambda's own JSON. */
final class QueueEventsTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final PojoSerializer<SQSEvent> EVENTS =
            LambdaEventSerializers.serializerFor(
                    SQSEvent.class, QueueEventsTest.class.getClassLoader());
    private static final PojoSerializer<SQSBatchResponse> RESPONSES =
            JacksonFactory.getInstance().getSerializer(SQSBatchResponse.class);

    private final MeterRegistry registry = new SimpleMeterRegistry();
    private final InMemoryAuditLog log =
            new InMemoryAuditLog(InstantSource.fixed(Instant.parse("2026-11-30T12:00:01Z")));
    private final AuditHandler handler = new AuditHandler(log, registry);

    static Stream<Named<JsonNode>> cases() throws IOException {
        try (InputStream lines =
                QueueEventsTest.class.getResourceAsStream("/cases/queue-events.jsonl")) {
            assertThat(lines).isNotNull();
            List<Named<JsonNode>> cases = new ArrayList<>();
            for (String line :
                    new String(lines.readAllBytes(), StandardCharsets.UTF_8).lines().toList()) {
                JsonNode node = JSON.readTree(line);
                cases.add(
                        Named.of(
                                node.get("id").textValue() + ": " + node.get("why").textValue(),
                                node));
            }
            assertThat(cases).hasSizeGreaterThanOrEqualTo(8);
            return cases.stream();
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void theSmallInputsThatHaveBrokenSystemsLikeThisOne(JsonNode given) {
        JsonNode expected = given.get("expect");
        log.failsFor(texts(given.at("/given/write_fails_for")).toArray(String[]::new));

        if (expected.path("throws").booleanValue()) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> handle(given.get("event").toString()));
        } else {
            assertThat(handle(given.get("event").toString()))
                    .isEqualTo(texts(expected.path("failures")));
        }

        if (expected.has("written")) {
            assertThat(writtenIds())
                    .containsExactlyInAnyOrderElementsOf(texts(expected.get("written")));
        }
        expected.path("events_of")
                .properties()
                .forEach(
                        link ->
                                assertThat(log.lastSeq(link.getKey()))
                                        .isEqualTo(link.getValue().longValue()));
        assertThat(
                        registry.get("headstone.audit.events")
                                .tag("result", "conflict")
                                .counter()
                                .count())
                .isEqualTo(expected.path("alarm").booleanValue() ? 1 : 0);
        assertThat(new LogVerifier(log).verify(Optional.empty()).ok()).isTrue();
    }

    @Test
    void keepsTheFieldsOfANewerProducerAndTheNanoseconds() {
        String body =
                """
                {"event_id":"e1","type":"link.taken_down","outcome":"success","short_code":"aaa",\
                "epoch":1,"version":2,"actor":"alice","at":"2026-11-30T12:00:00.123456789Z","trace":"abc"}""";

        handle(event(message("m1", "aaa", body)));

        assertThat(log.chain("aaa", 0, Optional.empty(), 1).events().getFirst().body())
                .isEqualTo(body);
    }

    @Test
    void nothingToDoIsSuccess() {
        assertThat(handle("{\"Records\":null}")).isEmpty();
        assertThat(handle("{}")).isEmpty();
    }

    @Test
    void aRecordWithoutIdThatSucceedsIsNoReasonToFail() {
        assertThat(handle(event(message(null, "aaa", Bodies.takedown("e1", "aaa").body()))))
                .isEmpty();
        assertThat(log.lastSeq("aaa")).isEqualTo(1);
    }

    @Test
    void aRecordWithoutIdThatIsHeldBackFailsTheWholeBatch() {
        assertThatIllegalStateException()
                .isThrownBy(
                        () ->
                                handle(
                                        event(
                                                message("m1", "aaa", "{"),
                                                message(
                                                        null,
                                                        "aaa",
                                                        Bodies.takedown("e1", "aaa").body()))));
    }

    @Test
    void recordsWithoutAGroupAreTakenForOneGroup() {
        assertThat(handle(event("{\"messageId\":\"m1\",\"body\":\"{\"}", "{\"messageId\":\"m2\"}")))
                .containsExactly("m1", "m2");
    }

    private List<String> handle(String json) {
        SQSEvent event =
                EVENTS.fromJson(new ByteArrayInputStream(json.getBytes(StandardCharsets.UTF_8)));
        ByteArrayOutputStream response = new ByteArrayOutputStream();
        RESPONSES.toJson(handler.handleRequest(event, null), response);
        try {
            JsonNode failures =
                    JSON.readTree(response.toString(StandardCharsets.UTF_8))
                            .get("batchItemFailures");
            return StreamSupport.stream(failures.spliterator(), false)
                    .map(failure -> failure.get("itemIdentifier").textValue())
                    .toList();
        } catch (JsonProcessingException impossible) {
            throw new AssertionError(impossible);
        }
    }

    private static String event(String... messages) {
        return "{\"Records\":[" + String.join(",", messages) + "]}";
    }

    private static String message(@Nullable String id, String group, String body) {
        var message = JSON.createObjectNode();
        if (id != null) {
            message.put("messageId", id);
        }
        message.put("body", body);
        message.putObject("attributes").put("MessageGroupId", group);
        return message.toString();
    }

    private static List<String> texts(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false).map(JsonNode::textValue).toList();
    }

    private List<String> writtenIds() {
        List<String> ids = new ArrayList<>();
        log.sweep(
                Optional.empty(),
                entry -> {
                    if (entry instanceof Marker marker) {
                        ids.add(marker.eventId());
                    }
                });
        return ids;
    }
}
