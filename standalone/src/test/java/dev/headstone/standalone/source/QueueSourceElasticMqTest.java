package dev.headstone.standalone.source;

import static dev.headstone.standalone.source.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.headstone.standalone.source.DeadLetters.DeadLetterQueue;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import org.elasticmq.rest.sqs.SQSRestServer;
import org.elasticmq.rest.sqs.SQSRestServerBuilder;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

@Timeout(90)
@Tag("slow")
final class QueueSourceElasticMqTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    private static SQSRestServer server;
    private static SqsClient sqs;

    private final RecordingHandler handler = new RecordingHandler();
    private final List<QueueSource> sources = new ArrayList<>();
    private String queueUrl = "";
    private String deadLetterUrl = "";

    @BeforeAll
    static void startServer() {
        server = SQSRestServerBuilder.withDynamicPort().withInterface("127.0.0.1").start();
        int port = server.waitUntilStarted().localAddress().getPort();
        sqs =
                SqsClient.builder()
                        .endpointOverride(URI.create("http://127.0.0.1:" + port))
                        .region(Region.US_EAST_1)
                        .credentialsProvider(
                                StaticCredentialsProvider.create(
                                        AwsBasicCredentials.create("local", "local")))
                        .httpClient(UrlConnectionHttpClient.create())
                        .build();
    }

    @AfterAll
    static void stopServer() {
        sqs.close();
        server.stopAndWait();
    }

    @BeforeEach
    void createQueues(TestInfo test) {
        String name = test.getTestMethod().orElseThrow().getName().substring(0, 20);
        deadLetterUrl = create(name + "-dlq.fifo", Map.of());
        String deadLetterArn =
                sqs.getQueueAttributes(
                                request ->
                                        request.queueUrl(deadLetterUrl)
                                                .attributeNames(QueueAttributeName.QUEUE_ARN))
                        .attributes()
                        .getOrDefault(QueueAttributeName.QUEUE_ARN, "");
        queueUrl =
                create(
                        name + ".fifo",
                        Map.of(
                                QueueAttributeName.REDRIVE_POLICY,
                                "{\"deadLetterTargetArn\":\"%s\",\"maxReceiveCount\":\"3\"}"
                                        .formatted(deadLetterArn)));
    }

    @AfterEach
    void close() {
        sources.forEach(QueueSource::close);
    }

    @Test
    void messagesArriveInOrderAsLambdaWouldSendThemAndAreDeleted() throws Exception {
        List<JsonNode> events = new CopyOnWriteArrayList<>();
        for (int i = 0; i < 25; i++) {
            send("group-" + i % 3, "body-" + i);
        }
        start(
                (event, deadline) -> {
                    JSON.readTree(event).path("Records").forEach(events::add);
                    return handler.handle(event, deadline);
                });

        eventually(() -> handler.settled().size() == 25 && depth(queueUrl) == 0);

        for (int group = 0; group < 3; group++) {
            int number = group;
            assertThat(handler.settled())
                    .filteredOn(body -> Integer.parseInt(body.substring(5)) % 3 == number)
                    .isSortedAccordingTo(
                            Comparator.comparingInt(body -> Integer.parseInt(body.substring(5))));
        }
        assertThat(events)
                .allSatisfy(
                        record -> {
                            JsonNode attributes = record.path("attributes");
                            assertThat(attributes.path("ApproximateReceiveCount").asText())
                                    .isEqualTo("1");
                            assertThat(attributes.path("SentTimestamp").asText())
                                    .matches("\\d{13}");
                            assertThat(attributes.path("ApproximateFirstReceiveTimestamp").asText())
                                    .matches("\\d{13}");
                            assertThat(attributes.path("MessageGroupId").asText())
                                    .startsWith("group-");
                            assertThat(attributes.path("MessageDeduplicationId").asText())
                                    .startsWith("dedup-");
                            assertThat(attributes.has("SequenceNumber")).isTrue();
                            assertThat(attributes.has("SenderId")).isTrue();
                            assertThat(record.path("eventSource").asText()).isEqualTo("aws:sqs");
                            assertThat(record.path("md5OfBody").asText()).hasSize(32);
                        });
    }

    @Test
    void aFailedMessageComesAgainBeforeWhatFollowsItInItsGroup() {
        for (String body : List.of("a1", "a2", "a3")) {
            send("a", body);
        }
        send("b", "b1");
        handler.reportNext("a2", 1);

        start(handler);

        eventually(() -> handler.settled().size() == 4 && depth(queueUrl) == 0);
        assertThat(handler.settled())
                .filteredOn(body -> body.startsWith("a"))
                .containsExactly("a1", "a2", "a3");
        assertThat(depth(deadLetterUrl)).isZero();
    }

    @Test
    void aMessageThatAlwaysFailsIsADeadLetterByTheQueuesOwnRuleAndCanBeRedriven() throws Exception {
        send("b", "b1");
        handler.reportNext("poison", 3);
        try (DeadLetters letters =
                new DeadLetters(
                        sqs,
                        Map.of("audit", new DeadLetterQueue(deadLetterUrl, queueUrl)),
                        Map.of(),
                        Duration.ofSeconds(5),
                        Duration.ofMinutes(1),
                        new SimpleMeterRegistry())) {
            start(handler);
            eventually(() -> handler.settled().equals(List.of("b1")));
            send("a", "poison");

            eventually(() -> letters.depth().equals(Map.of("audit", OptionalLong.of(1))));
            assertThat(handler.settled()).containsExactly("b1");

            assertThat(letters.redrive("audit", 100)).isEqualTo(1);
            eventually(() -> handler.settled().equals(List.of("b1", "poison")));
            eventually(() -> letters.depth().equals(Map.of("audit", OptionalLong.of(0))));
        }
    }

    @Test
    void closingInTheMiddleOfALongPollLosesNothing() throws Exception {
        QueueSource first = start(handler);
        eventually(() -> first.state().equals(new SourceState.Polling()));
        first.close();

        send("a", "a1");
        start(handler);

        eventually(() -> handler.settled().equals(List.of("a1")));
    }

    private QueueSource start(EventHandler called) {
        QueueSource source =
                new QueueSource(
                        QueueSettings.local("audit", queueUrl, FakeQueue.ARN),
                        sqs,
                        called,
                        new SimpleMeterRegistry(),
                        InstantSource.system(),
                        new Random(5));
        sources.add(source);
        source.start();
        return source;
    }

    private static String create(String name, Map<QueueAttributeName, String> attributes) {
        Map<QueueAttributeName, String> all = new HashMap<>(attributes);
        all.put(QueueAttributeName.FIFO_QUEUE, "true");
        return sqs.createQueue(request -> request.queueName(name).attributes(all)).queueUrl();
    }

    private void send(String group, String body) {
        sqs.sendMessage(
                request ->
                        request.queueUrl(queueUrl)
                                .messageGroupId(group)
                                .messageDeduplicationId("dedup-" + group + body)
                                .messageBody(body));
    }

    private static long depth(String url) {
        return sqs
                .getQueueAttributes(
                        request -> request.queueUrl(url).attributeNames(QueueAttributeName.ALL))
                .attributes()
                .entrySet()
                .stream()
                .filter(attribute -> attribute.getKey().toString().startsWith("ApproximateNumber"))
                .mapToLong(attribute -> Long.parseLong(attribute.getValue()))
                .sum();
    }
}
