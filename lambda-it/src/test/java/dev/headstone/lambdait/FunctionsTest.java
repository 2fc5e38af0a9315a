package dev.headstone.lambdait;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.headstone.auditlog.DynamoAuditLog;
import dev.headstone.auditlog.LogVerifier;
import dev.headstone.link.Link;
import dev.headstone.link.ShortCode;
import dev.headstone.standalone.queue.QueueResources;
import dev.headstone.standalone.source.DynamoDbFailedBatches;
import dev.headstone.standalone.source.EventHandler;
import dev.headstone.standalone.source.QueueSettings;
import dev.headstone.standalone.source.QueueSource;
import dev.headstone.standalone.source.StreamSettings;
import dev.headstone.standalone.source.StreamSource;
import dev.headstone.table.DynamoLinkTable;
import dev.headstone.table.LinkTables;
import dev.headstone.table.TableNames;
import dev.headstone.table.TableRead;
import dev.headstone.writer.Reason;
import dev.headstone.writer.TableTakedown;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/** The whole pipeline, every function in a process of its own that is frozen between two events. */
@Tag("slow")
final class FunctionsTest {
    private static final String TRACE_ID = "1-65a1b2c3-0123456789abcdef01234567";
    private static final Duration SOON = Duration.ofSeconds(15);
    private static final SimpleMeterRegistry METERS = new SimpleMeterRegistry();
    private static final InstantSource CLOCK = InstantSource.system();
    private static final SecureRandom RANDOM = new SecureRandom();

    @TempDir private static Path folder;
    private static Deployment deployment;
    private static Services services;
    private static StreamSource stream;
    private static QueueSource queue;
    private static DynamoAuditLog log;

    @BeforeAll
    static void deploy() {
        deployment = new Deployment(folder);
        services = deployment.services();
        log = new DynamoAuditLog(services.dynamo(), Services.AUDIT_TABLE, CLOCK);
        printColdStarts();
        services.dynamo().createTable(StreamSource.checkpointTable("Links-checkpoints"));
        services.dynamo().createTable(DynamoDbFailedBatches.table("Links-failed"));
        stream = stream();
        queue = queue();
        stream.start();
        queue.start();
    }

    @AfterAll
    static void remove() {
        queue.close();
        stream.close();
        deployment.close();
    }

    /** No limit is asserted on this machine; the ratios stand in the output. */
    private static void printColdStarts() {
        Map<Function, String> first = new LinkedHashMap<>();
        first.put(Function.REDIRECT, Events.click("GET", "/unknown"));
        first.put(Function.LINK_API, Events.signed("GET", "/v1/links/unknown", ""));
        first.put(
                Function.TAKEDOWN,
                Events.signed("POST", "/v1/links/unknown/takedown", "{\"reason\":\"x\"}"));
        first.put(Function.INVALIDATION, death("unknown", 1, 1));
        first.put(Function.STREAM, "{\"Records\":[]}");
        first.put(Function.SWEEP, Events.scheduled());
        first.put(Function.COMPARATOR, "{\"Records\":[]}");
        first.put(Function.AUDIT, "{\"Records\":[]}");
        Path classes = Path.of("target", "test-classes").toAbsolutePath();
        double empty;
        double emptyWork;
        try (FunctionProcess nothing =
                FunctionProcess.start(
                        deployment.newFolder(), classes, EmptyHandler.class.getName(), Map.of())) {
            nothing.answer("{}");
            empty = nothing.age().toNanos();
            emptyWork = nothing.worked().toNanos();
        }
        System.out.printf(
                Locale.ROOT,
                "cold start, empty handler: %.2f s, processor %.2f s%n",
                empty / 1e9,
                emptyWork / 1e9);
        first.forEach(
                (function, event) -> {
                    FunctionProcess process = deployment.starting(function);
                    process.answer(event);
                    double took = process.age().toNanos();
                    double work = process.worked().toNanos();
                    System.out.printf(
                            Locale.ROOT,
                            "cold start, %s: %.2f s, %.1f times; processor %.2f s, %.1f times;"
                                    + " jar %.1f MB, memory %d MiB%n",
                            function.name().toLowerCase(Locale.ROOT),
                            took / 1e9,
                            took / empty,
                            work / 1e9,
                            work / emptyWork,
                            size(FunctionProcess.jar(function.module())) / 1e6,
                            process.peakMemory());
                });
    }

    private static long size(Path jar) {
        try {
            return Files.size(jar);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static EventHandler through(Function function) {
        FunctionProcess process = deployment.function(function);
        return (event, deadline) ->
                switch (process.invoke(
                        new String(event, StandardCharsets.UTF_8),
                        Duration.between(Instant.now(), deadline))) {
                    case RuntimeApi.Outcome.Answered(String payload) ->
                            payload.getBytes(StandardCharsets.UTF_8);
                    case RuntimeApi.Outcome.Failed(String error) ->
                            throw new IllegalStateException(error);
                    case RuntimeApi.Outcome.TimedOut _ -> throw new IllegalStateException("late");
                };
    }

    private static StreamSource stream() {
        return new StreamSource(
                StreamSettings.local(
                        "stream-consumer",
                        "it",
                        new LinkTables(services.dynamo(), TableNames.DEFAULT).streamArn()),
                services.streams(),
                services.dynamo(),
                "Links-checkpoints",
                through(Function.STREAM),
                new DynamoDbFailedBatches(
                        services.dynamo(),
                        "Links-failed",
                        "stream-consumer",
                        10,
                        Duration.ofSeconds(5)),
                METERS,
                CLOCK,
                RANDOM);
    }

    private static QueueSource queue() {
        var audit = new QueueResources(services.sqs()).find(Services.AUDIT_QUEUE);
        return new QueueSource(
                QueueSettings.local("audit-writer", audit.url(), audit.arn()),
                services.sqs(),
                through(Function.AUDIT),
                METERS,
                CLOCK,
                RANDOM);
    }

    @Test
    void aLinkIsCreatedClickedTakenDownStaysDeadAndIsRecorded() {
        JsonNode created = create("tour");
        assertThat(created.get("short_url").asText()).isEqualTo("https://short.test/tour");

        JsonNode alive = click("/tour");
        assertThat(alive.get("statusCode").asInt()).isEqualTo(302);
        assertThat(alive.at("/headers/Location").asText()).isEqualTo("https://example.com/tour");
        assertThat(alive.at("/headers/Cache-Status").asText()).isEqualTo("headstone; hit");

        JsonNode receipt = takeDown("tour");
        assertThat(receipt.get("outcome").asText()).isEqualTo("confirmed");
        assertThat(receipt.get("version").asLong()).isEqualTo(2);

        JsonNode dead = click("/tour");
        assertThat(dead.get("statusCode").asInt()).isEqualTo(404);
        assertThat(dead.at("/headers/Cache-Status").asText())
                .isEqualTo("headstone; hit; detail=tombstone");
        assertThat(dead.at("/headers/Cache-Control").asText()).isEqualTo("no-store");

        List<JsonNode> events = eventsOf("tour", 3);
        assertThat(events)
                .extracting(
                        event -> event.get("type").asText() + " " + event.get("outcome").asText())
                .containsExactlyInAnyOrder(
                        "link.created committed",
                        "link.taken_down success",
                        "link.taken_down committed");
        assertThat(events)
                .filteredOn(event -> event.get("type").asText().equals("link.taken_down"))
                .allSatisfy(
                        event -> {
                            assertThat(event.get("actor").asText()).isEqualTo(Events.OPERATOR);
                            assertThat(event.at("/detail/trace_id").asText()).isEqualTo(TRACE_ID);
                        });
        assertThat(new LogVerifier(log).verify(Optional.empty()).ok()).isTrue();
    }

    @Test
    void theInvalidationFinishesWhatSomebodyMadeInTheTable() {
        create("half");
        click("/half");
        Link dead = makeDeadInTable("half", "arn:aws:iam::123456789012:user/bob");
        FunctionProcess invalidation = deployment.function(Function.INVALIDATION);

        JsonNode receipt = invalidation.answer(death("half", dead.epoch(), dead.version()));

        assertThat(receipt.get("outcome").asText()).isEqualTo("confirmed");
        assertThat(receipt.get("version").asLong()).isEqualTo(2);
        assertThat(click("/half").at("/headers/Cache-Status").asText())
                .isEqualTo("headstone; hit; detail=tombstone");
        assertThat(eventsOf("half", 3))
                .filteredOn(event -> event.get("outcome").asText().equals("success"))
                .extracting(event -> event.get("actor").asText())
                .contains("arn:aws:iam::123456789012:user/bob");
        assertThat(invalidation.answer(death("half", dead.epoch(), 1)).get("outcome").asText())
                .isEqualTo("superseded");
        assertThat(invalidation.answer(death("half", dead.epoch(), 9)).get("outcome").asText())
                .isEqualTo("refused");
    }

    private static Link makeDeadInTable(String code, String by) {
        DynamoLinkTable table = new DynamoLinkTable(services.dynamo(), TableNames.DEFAULT);
        new TableTakedown(table, CLOCK, RANDOM)
                .takeDown(new ShortCode(code), new Reason("spam"), by);
        return linkOf(code);
    }

    @Test
    void aPayloadThatIsNoDeathIsAnErrorThatNamesItsField() {
        RuntimeApi.Outcome outcome =
                deployment
                        .function(Function.INVALIDATION)
                        .invoke(
                                "{\"short_code\":\"abc\",\"epoch\":1,\"version\":0,\"deleted_at\":1}");

        assertThat(outcome)
                .isInstanceOfSatisfying(
                        RuntimeApi.Outcome.Failed.class,
                        failed -> assertThat(failed.error()).contains("version: "));
    }

    @Test
    void whoeverIsNotSignedGetsNothing() {
        for (Function function : List.of(Function.LINK_API, Function.TAKEDOWN)) {
            JsonNode answer =
                    deployment
                            .function(function)
                            .answer(
                                    Events.http(
                                            "POST",
                                            "/v1/links/tour/takedown",
                                            Optional.empty(),
                                            Optional.of("{\"reason\":\"x\"}")));

            assertThat(answer.get("statusCode").asInt()).isEqualTo(401);
        }
    }

    @Test
    void theLinkApiTakesNothingDownAndTheTakedownFunctionCreatesNothing() {
        create("mine");

        JsonNode takedown =
                deployment
                        .function(Function.LINK_API)
                        .answer(
                                Events.signed(
                                        "POST",
                                        "/v1/links/mine/takedown",
                                        "{\"reason\":\"x\",\"actor\":\"root\"}"));
        JsonNode create =
                deployment
                        .function(Function.TAKEDOWN)
                        .answer(
                                Events.signed(
                                        "POST",
                                        "/v1/links",
                                        "{\"long_url\":\"https://example.com/\"}"));

        assertThat(takedown.get("statusCode").asInt()).isEqualTo(403);
        assertThat(create.get("statusCode").asInt()).isEqualTo(404);
        assertThat(click("/mine").get("statusCode").asInt()).isEqualTo(302);
    }

    @Test
    void aBatchOfTheStreamIsAnsweredWithTheRecordThatItStoppedAt() {
        String records =
                "{\"Records\":[%s,%s]}"
                        .formatted(
                                "{\"eventName\":\"MODIFY\",\"dynamodb\":{\"Keys\":{\"short_code\":{\"S\":\"aaa\"}},"
                                        + "\"SequenceNumber\":\"100\",\"ApproximateCreationDateTime\":1795000000.5}}",
                                "{\"eventName\":\"MODIFY\",\"dynamodb\":{\"Keys\":{\"short_code\":{\"S\":\"bbb\"}},"
                                        + "\"SequenceNumber\":\"101\"}}");
        FunctionProcess stream = deployment.function(Function.STREAM);

        assertThat(stream.answer(records).get("batchItemFailures")).isEmpty();
        services.redis().freeze();
        try {
            assertThat(stream.answer(records).at("/batchItemFailures/0/itemIdentifier").asText())
                    .isEqualTo("100");
        } finally {
            services.redis().thaw();
        }
    }

    @Test
    void aBatchOfMessagesIsAnsweredWithThoseThatMustComeAgain() {
        Message unreadable =
                Message.builder()
                        .messageId("m-1")
                        .body("{")
                        .attributesWithStrings(Map.of("MessageGroupId", "zzz"))
                        .build();

        JsonNode answer =
                deployment.function(Function.AUDIT).answer(Events.messages(List.of(unreadable)));

        assertThat(answer.at("/batchItemFailures/0/itemIdentifier").asText()).isEqualTo("m-1");
    }

    @Test
    void theSweepIsDrivenByItsSchedule() {
        JsonNode report = deployment.function(Function.SWEEP).answer(Events.scheduled());

        assertThat(report.get("outcome").asText()).isEqualTo("swept");
    }

    @Test
    void aDisagreementIsFoundByTheMessageThatTheStreamDelayedAndIsSettled() {
        create("astray");
        Message due =
                Awaitility.await("the stream asks for a comparison")
                        .atMost(SOON)
                        .until(() -> waiting("astray"), Optional::isPresent)
                        .orElseThrow();
        overwrite("url:{astray}", tombstoneOf("astray"));
        FunctionProcess comparator = deployment.function(Function.COMPARATOR);

        assertThat(comparator.answer(Events.messages(List.of(due))).get("batchItemFailures"))
                .isEmpty();

        assertThat(click("/astray").get("statusCode").asInt()).isEqualTo(302);
        assertThat(comparator.lines())
                .anySatisfy(
                        line -> {
                            assertThat(line.path("kind").asText()).isEqualTo("live_hidden");
                            assertThat(line.path("headstone_cache_disagreements_total").asInt())
                                    .isOne();
                        });
        assertThat(eventsOf("astray", 2))
                .extracting(event -> event.get("type").asText())
                .contains("cache.repaired");
        assertThat(
                        Awaitility.await("the look that follows")
                                .atMost(Duration.ofSeconds(5))
                                .until(
                                        () ->
                                                services.sqs()
                                                        .getQueueAttributes(
                                                                ask ->
                                                                        ask.queueUrl(comparisons())
                                                                                .attributeNames(
                                                                                        QueueAttributeName
                                                                                                .APPROXIMATE_NUMBER_OF_MESSAGES_DELAYED))
                                                        .attributes()
                                                        .get(
                                                                QueueAttributeName
                                                                        .APPROXIMATE_NUMBER_OF_MESSAGES_DELAYED),
                                        delayed -> !"0".equals(delayed)))
                .isNotNull();
    }

    private static void overwrite(String key, String value) {
        try (RedisClient client = RedisClient.create(services.redis().uri());
                StatefulRedisConnection<String, String> connection = client.connect()) {
            connection.sync().set(key, value);
        }
    }

    private static String comparisons() {
        return services.sqs().getQueueUrl(ask -> ask.queueName(Services.COMPARISONS)).queueUrl();
    }

    private static Optional<Message> waiting(String code) {
        return services
                .sqs()
                .receiveMessage(
                        ask ->
                                ask.queueUrl(comparisons())
                                        .maxNumberOfMessages(10)
                                        .visibilityTimeout(0)
                                        .waitTimeSeconds(1))
                .messages()
                .stream()
                .filter(message -> message.body().contains("\"" + code + "\""))
                .findFirst();
    }

    /** A tombstone that nobody wrote, of a version that the table does not know. */
    private static String tombstoneOf(String code) {
        return "{\"state\":\"deleted\",\"stamp\":\"%013d.%019d.1\",\"stale_until\":4102444800000}"
                .formatted(linkOf(code).epoch(), 7L);
    }

    private static Link linkOf(String code) {
        return switch (new DynamoLinkTable(services.dynamo(), TableNames.DEFAULT)
                .read(new ShortCode(code))) {
            case TableRead.Found(Link link) -> link;
            case TableRead.Absent _, TableRead.Unreadable _, TableRead.Failed _ ->
                    throw new AssertionError(code);
        };
    }

    @Test
    void aMessageThatAsksForNoComparisonIsLetGo() {
        Message nonsense =
                Message.builder()
                        .messageId("m-2")
                        .body("{")
                        .attributesWithStrings(Map.of())
                        .build();

        assertThat(
                        deployment
                                .function(Function.COMPARATOR)
                                .answer(Events.messages(List.of(nonsense)))
                                .get("batchItemFailures"))
                .isEmpty();
    }

    @Test
    void aFrozenCacheCostsATakedownItsReceiptAndAClickNothing() {
        create("frozen");
        services.redis().freeze();
        try {
            assertThat(click("/frozen").get("statusCode").asInt()).isEqualTo(302);
            JsonNode answer = takeDownAnswer("frozen");
            assertThat(answer.get("statusCode").asInt()).isEqualTo(503);
            assertThat(FunctionProcess.parsed(answer.get("body").asText()).get("outcome").asText())
                    .isEqualTo("invalidate_failed");
            assertThat(click("/frozen").get("statusCode").asInt()).isEqualTo(404);
        } finally {
            services.redis().thaw();
        }

        Awaitility.await() // the stream entombs it without a retry
                .atMost(SOON)
                .until(
                        () ->
                                click("/frozen")
                                        .at("/headers/Cache-Status")
                                        .asText()
                                        .equals("headstone; hit; detail=tombstone"));
        assertThat(
                        deployment
                                .function(Function.TAKEDOWN)
                                .figure("headstone_takedown_seconds", "invalidate_failed"))
                .isPresent();
    }

    @Test
    void eachLineOfTheLogIsJsonAndKnowsItsRequestAndItsTrace() {
        deployment.function(Function.STREAM).answer("{\"Records\":[{\"eventName\":\"INSERT\"}]}");

        assertThat(deployment.function(Function.STREAM).lines())
                .anySatisfy(
                        line -> {
                            assertThat(line.path("message").asText()).isEqualTo("record parked");
                            assertThat(line.path("level").asText()).isEqualTo("ERROR");
                            assertThat(line.path("trace_id").asText()).isEqualTo(TRACE_ID);
                            assertThat(line.path("request_id").asText()).hasSize(36);
                        });
    }

    @Test
    void figuresLeaveInTheEmbeddedMetricFormatUnderTheirUsualNames() {
        create("figures");
        click("/figures");
        takeDown("figures");

        assertThat(
                        deployment
                                .function(Function.REDIRECT)
                                .figure("headstone_redirect_seconds", "redirect"))
                .hasValueSatisfying(line -> assertThat(line.get("cache").asText()).isNotEmpty());
        assertThat(
                        deployment
                                .function(Function.TAKEDOWN)
                                .figure("headstone_takedown_seconds", "confirmed"))
                .hasValueSatisfying(
                        line ->
                                assertThat(line.at("/_aws/CloudWatchMetrics/0/Namespace").asText())
                                        .isEqualTo("Headstone"));
    }

    private static JsonNode create(String alias) {
        JsonNode answer =
                deployment
                        .function(Function.LINK_API)
                        .answer(
                                Events.signed(
                                        "POST",
                                        "/v1/links",
                                        "{\"long_url\":\"https://example.com/%s\",\"alias\":\"%s\"}"
                                                .formatted(alias, alias)));
        assertThat(answer.get("statusCode").asInt()).as(answer.toString()).isEqualTo(201);
        return FunctionProcess.parsed(answer.get("body").asText());
    }

    private static JsonNode click(String path) {
        return deployment.function(Function.REDIRECT).answer(Events.click("GET", path));
    }

    private static JsonNode takeDown(String code) {
        JsonNode answer = takeDownAnswer(code);
        return FunctionProcess.parsed(answer.get("body").asText());
    }

    private static JsonNode takeDownAnswer(String code) {
        return deployment
                .function(Function.TAKEDOWN)
                .answer(
                        Events.signed(
                                "POST",
                                "/v1/links/" + code + "/takedown",
                                "{\"reason\":\"phishing\"}"));
    }

    private static String death(String code, long epoch, long version) {
        return "{\"short_code\":\"%s\",\"epoch\":%s,\"version\":%s,\"deleted_at\":1795000000000}"
                .formatted(code, Long.toString(epoch), Long.toString(version));
    }

    private static List<JsonNode> eventsOf(String code, int count) {
        return Awaitility.await()
                .atMost(SOON)
                .pollInterval(Duration.ofMillis(50))
                .until(() -> events(code), events -> events.size() >= count);
    }

    private static List<JsonNode> events(String code) {
        return log.chain(code, 0, Optional.empty(), 100).events().stream()
                .map(event -> FunctionProcess.parsed(event.body()))
                .toList();
    }
}
