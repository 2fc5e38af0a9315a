package dev.headstone.standalone.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

@Timeout(120)
final class EmbeddedQueueTest {
    private static final Duration LONG = Duration.ofMinutes(10);

    @TempDir private Path folder;

    @Test
    void whatWasSentIsReceivedInOrderWithinItsGroupAfterARestart() throws Exception {
        restarting(
                (sqs, queues) -> {
                    for (int number = 0; number < 25; number++) {
                        sqs.send(queues.auditUrl(), "g" + number % 2, "m" + number);
                    }
                },
                (sqs, queues) -> {
                    List<String> bodies = drained(sqs, queues.auditUrl());
                    assertThat(bodies.stream().filter(body -> number(body) % 2 == 0))
                            .hasSize(13)
                            .isSortedAccordingTo(EmbeddedQueueTest::byNumber);
                    assertThat(bodies.stream().filter(body -> number(body) % 2 == 1))
                            .hasSize(12)
                            .isSortedAccordingTo(EmbeddedQueueTest::byNumber);
                },
                (sqs, queues) -> assertThat(sqs.receive(queues.auditUrl(), LONG)).isEmpty());
    }

    @Test
    void aGroupWithAMessageInFlightIsBlockedAfterARestartToo() throws Exception {
        restarting(
                (sqs, queues) -> {
                    sqs.send(queues.auditUrl(), "g", "m1");
                    sqs.send(queues.auditUrl(), "g", "m2");
                },
                (sqs, queues) -> {
                    Message first = one(sqs, queues.auditUrl());
                    assertThat(first.body()).isEqualTo("m1");
                    assertThat(sqs.receive(queues.auditUrl(), LONG)).isEmpty();

                    sqs.delete(queues.auditUrl(), first);
                    assertThat(one(sqs, queues.auditUrl()).body()).isEqualTo("m2");
                });
    }

    @Test
    void aMessageSentBeforeTheRestartComesBeforeOneSentAfterIt() throws Exception {
        restarting(
                (sqs, queues) -> sqs.send(queues.auditUrl(), "g", "m1"),
                (sqs, queues) -> sqs.send(queues.auditUrl(), "g", "m2"),
                (sqs, queues) ->
                        assertThat(drained(sqs, queues.auditUrl())).containsExactly("m1", "m2"));
    }

    @Test
    void whatWasInFlightIsThereAtOnceAfterARestartAndCountsItsReceives() throws Exception {
        restarting(
                (sqs, queues) -> {
                    sqs.send(queues.auditUrl(), "g", "m");
                    sqs.receive(queues.auditUrl(), LONG);
                },
                (sqs, queues) ->
                        assertThat(one(sqs, queues.auditUrl()).attributes())
                                .containsEntry(
                                        MessageSystemAttributeName.APPROXIMATE_RECEIVE_COUNT, "2"));
    }

    @Test
    void everythingOfAMessageSurvives() throws Exception {
        String body = "İpek 😀 \"\\\n".repeat(100);
        List<Message> before = new ArrayList<>();
        restarting(
                (sqs, queues) -> {
                    sqs.client()
                            .sendMessage(
                                    message ->
                                            message.queueUrl(queues.auditUrl())
                                                    .messageGroupId("g")
                                                    .messageDeduplicationId("d")
                                                    .messageBody(body)
                                                    .messageAttributes(
                                                            Map.of(
                                                                    "text", text("String", "ı"),
                                                                    "kind", text("String.x", "v"),
                                                                    "number", text("Number", "4.5"),
                                                                    "bytes", bytes())));
                    before.add(one(sqs, queues.auditUrl()));
                },
                (sqs, queues) -> {
                    Message after = one(sqs, queues.auditUrl());
                    assertThat(after.body()).isEqualTo(body);
                    assertThat(after.messageId()).isEqualTo(before.getFirst().messageId());
                    assertThat(after.messageAttributes())
                            .isEqualTo(before.getFirst().messageAttributes());
                    for (MessageSystemAttributeName name :
                            List.of(
                                    MessageSystemAttributeName.MESSAGE_GROUP_ID,
                                    MessageSystemAttributeName.MESSAGE_DEDUPLICATION_ID,
                                    MessageSystemAttributeName.SEQUENCE_NUMBER,
                                    MessageSystemAttributeName.SENT_TIMESTAMP)) {
                        assertThat(after.attributes().get(name))
                                .isEqualTo(before.getFirst().attributes().get(name));
                    }
                });
    }

    @Test
    void aMessageThatIsStillThereIsNotAcceptedTwiceAfterARestart() throws Exception {
        restarting(
                (sqs, queues) -> sqs.send(queues.auditUrl(), "g", "m"),
                (sqs, queues) -> {
                    sqs.send(queues.auditUrl(), "g", "m");
                    assertThat(drained(sqs, queues.auditUrl())).containsExactly("m");
                });
    }

    @Test
    void queuesAndTheirAttributesSurvive() throws Exception {
        List<Map<QueueAttributeName, String>> before = new ArrayList<>();
        restarting(
                (sqs, queues) -> {
                    sqs.client()
                            .setQueueAttributes(
                                    request ->
                                            request.queueUrl(queues.auditUrl())
                                                    .attributes(
                                                            Map.of(
                                                                    QueueAttributeName
                                                                            .VISIBILITY_TIMEOUT,
                                                                    "7")));
                    before.add(attributes(sqs, queues.auditUrl()));
                },
                (sqs, queues) -> {
                    assertThat(attributes(sqs, queues.auditUrl()))
                            .isEqualTo(before.getFirst())
                            .containsEntry(QueueAttributeName.VISIBILITY_TIMEOUT, "7")
                            .containsKey(QueueAttributeName.REDRIVE_POLICY);
                    sqs.client().deleteQueue(request -> request.queueUrl(queues.auditUrl()));
                },
                (sqs, _) ->
                        assertThat(sqs.client().listQueues().queueUrls())
                                .allMatch(url -> url.endsWith("fifo")));
    }

    @Test
    void whatNobodyCanProcessBecomesADeadLetterAcrossRestarts() throws Exception {
        restarting(
                (sqs, queues) -> {
                    sqs.send(queues.auditUrl(), "g", "poison");
                    for (int receive = 0; receive < 3; receive++) {
                        sqs.receive(queues.auditUrl(), Duration.ZERO);
                    }
                },
                (sqs, queues) -> {
                    for (int receive = 0; receive < 2; receive++) {
                        assertThat(sqs.receive(queues.auditUrl(), Duration.ZERO)).hasSize(1);
                    }
                    assertThat(sqs.receive(queues.auditUrl(), Duration.ZERO)).isEmpty();
                    await().until(
                                    () ->
                                            !sqs.receive(queues.deadLettersUrl(), Duration.ZERO)
                                                    .isEmpty());
                },
                (sqs, queues) -> {
                    assertThat(sqs.receive(queues.auditUrl(), LONG)).isEmpty();
                    assertThat(drained(sqs, queues.deadLettersUrl())).containsExactly("poison");
                });
    }

    @Test
    void inMemoryKeepsNothingAndTwoQueuesShareNothing() throws Exception {
        try (EmbeddedQueue one = EmbeddedQueue.start(Optional.empty(), InstantSource.system());
                EmbeddedQueue other =
                        EmbeddedQueue.start(Optional.empty(), InstantSource.system());
                Sqs sqs = new Sqs(one.endpoint());
                Sqs elsewhere = new Sqs(other.endpoint())) {
            Sqs.Queues queues = sqs.queues();
            sqs.send(queues.auditUrl(), "g", "m");

            assertThat(elsewhere.client().listQueues().queueUrls()).isEmpty();
            assertThat(drained(sqs, queues.auditUrl())).containsExactly("m");
        }
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void stopsAtOnceThoughSomebodyWaitsForAMessage() throws Exception {
        EmbeddedQueue queue = start(folder);
        try (Sqs sqs = new Sqs(queue.endpoint())) {
            Sqs.Queues queues = sqs.queues();
            Thread waiting =
                    Thread.startVirtualThread(
                            () -> {
                                try {
                                    sqs.client()
                                            .receiveMessage(
                                                    request ->
                                                            request.queueUrl(queues.auditUrl())
                                                                    .waitTimeSeconds(20));
                                } catch (RuntimeException e) {
                                    assertThat(e).hasMessageNotContaining("Assertion");
                                }
                            });
            await().until(() -> waiting.getState() != Thread.State.NEW);
            long start = System.nanoTime();

            queue.close();

            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .isLessThan(Duration.ofSeconds(4));
            assertThat(waiting.join(Duration.ofSeconds(25))).isTrue();
        }
    }

    @Test
    void aStoreThatIsInUseOrIsNoneIsRefused() throws Exception {
        try (EmbeddedQueue _ = start(folder)) {
            assertThatThrownBy(() -> start(folder)).isInstanceOf(IOException.class);
        }
        Path other = Files.createDirectories(folder.resolve("other"));
        Files.write(
                other.resolve("queue.journal"),
                "x".repeat(10_000).getBytes(StandardCharsets.UTF_8));
        assertThatThrownBy(() -> start(other))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("cannot be opened");
    }

    /** What a test does with the queue between two restarts. */
    @FunctionalInterface
    private interface Phase {
        void run(Sqs sqs, Sqs.Queues queues) throws Exception;
    }

    private void restarting(Phase... phases) throws Exception {
        for (Phase phase : phases) {
            try (EmbeddedQueue queue = start(folder);
                    Sqs sqs = new Sqs(queue.endpoint())) {
                phase.run(sqs, sqs.queues());
            }
        }
    }

    private static EmbeddedQueue start(Path folder) throws IOException, InterruptedException {
        return EmbeddedQueue.start(
                Optional.of(folder.resolve("queue.journal")), InstantSource.system());
    }

    private static Message one(Sqs sqs, String url) {
        List<Message> received =
                sqs.client()
                        .receiveMessage(
                                request ->
                                        request.queueUrl(url)
                                                .maxNumberOfMessages(1)
                                                .messageAttributeNames("All")
                                                .messageSystemAttributeNames(
                                                        MessageSystemAttributeName.ALL))
                        .messages();
        assertThat(received).hasSize(1);
        return received.getFirst();
    }

    private static List<String> drained(Sqs sqs, String url) {
        List<String> bodies = new ArrayList<>();
        for (List<Message> batch = sqs.receive(url, LONG);
                !batch.isEmpty();
                batch = sqs.receive(url, LONG)) {
            for (Message message : batch) {
                bodies.add(message.body());
                sqs.delete(url, message);
            }
        }
        return bodies;
    }

    private static Map<QueueAttributeName, String> attributes(Sqs sqs, String url) {
        return sqs.client()
                .getQueueAttributes(
                        request -> request.queueUrl(url).attributeNames(QueueAttributeName.ALL))
                .attributes();
    }

    private static MessageAttributeValue text(String type, String value) {
        return MessageAttributeValue.builder().dataType(type).stringValue(value).build();
    }

    private static MessageAttributeValue bytes() {
        return MessageAttributeValue.builder()
                .dataType("Binary")
                .binaryValue(SdkBytes.fromByteArray(new byte[] {0, -1, 127}))
                .build();
    }

    private static int byNumber(String one, String other) {
        return Integer.compare(number(one), number(other));
    }

    private static int number(String body) {
        return Integer.parseInt(body.substring(1));
    }
}
