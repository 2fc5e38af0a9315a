package dev.headstone.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.headstone.faults.FaultyService;
import dev.headstone.link.ShortCode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;
import software.amazon.awssdk.services.sqs.model.QueueDoesNotExistException;

@ExtendWith(ElasticMq.Extension.class)
final class SqsAuditQueueTest extends AuditQueueContract {
    /** Generous: the first call of a JVM loads a thousand classes. */
    private static final Duration DEADLINE = Duration.ofSeconds(20);

    private final ElasticMq server;
    private final String name = "audit-" + UUID.randomUUID() + ".fifo";
    private final String url;
    private AuditQueue queue;

    SqsAuditQueueTest(ElasticMq server) {
        this.server = server;
        url = server.createFifo(name);
        queue = new SqsAuditQueue(server.client(), name, DEADLINE);
    }

    @Override
    protected AuditQueue queue() {
        return queue;
    }

    @Override
    protected List<String> delivered() {
        return receive().stream().map(Message::body).toList();
    }

    @Override
    protected void disconnect() {
        SqsClient nobody = ElasticMq.clientOf(URI.create("http://127.0.0.1:1"));
        queue = new SqsAuditQueue(nobody, name, DEADLINE);
    }

    @Test
    void groupsByCodeAndDeduplicatesByEventId() {
        queue.send(AuditEvents.takedown("e-1", "abc", 2));

        assertThat(receive())
                .singleElement()
                .extracting(Message::attributes)
                .satisfies(
                        attributes ->
                                assertThat(attributes)
                                        .containsEntry(
                                                MessageSystemAttributeName.MESSAGE_GROUP_ID, "abc")
                                        .containsEntry(
                                                MessageSystemAttributeName.MESSAGE_DEDUPLICATION_ID,
                                                "e-1"));
    }

    @Test
    void sendsTheTraceOfWhatIsBeingDoneWithTheMessage() {
        Trace trace = Trace.of("Root=1-65a1b2c3-0123456789abcdef01234567;Sampled=1").orElseThrow();

        Acceptance acceptance =
                Trace.within(
                        Optional.of(trace),
                        () -> queue.send(AuditEvents.takedown("e-1", "abc", 2)));

        assertThat(acceptance).isEqualTo(new Acceptance.Accepted());
        assertThat(receive())
                .singleElement()
                .extracting(message -> message.attributes())
                .satisfies(
                        attributes ->
                                assertThat(attributes)
                                        .containsEntry(
                                                MessageSystemAttributeName.AWS_TRACE_HEADER,
                                                trace.header()));
    }

    @Test
    void acceptsTheLongestIdThatACommittedChangeCanHave() {
        AuditEvent event =
                AuditEvent.committed(
                        AuditType.LINK_DEACTIVATED,
                        new ShortCode("a".repeat(ShortCode.LONGEST)),
                        Long.MAX_VALUE,
                        Long.MAX_VALUE,
                        "alice",
                        Optional.empty(),
                        AuditEvents.AT,
                        AuditDetail.none());

        assertThat(queue.send(event)).isEqualTo(new Acceptance.Accepted());
    }

    @Test
    void findsAQueueThatIsCreatedAfterTheFirstAttempt() {
        String late = "late-" + UUID.randomUUID() + ".fifo";
        AuditQueue early = new SqsAuditQueue(server.client(), late, DEADLINE);
        AuditEvent event = AuditEvents.takedown("e-1", "abc", 2);

        assertThat(early.send(event))
                .isInstanceOfSatisfying(
                        Acceptance.NotAccepted.class,
                        failure ->
                                assertThat(failure.cause())
                                        .isInstanceOf(QueueDoesNotExistException.class));
        server.createFifo(late);
        assertThat(early.send(event)).isEqualTo(new Acceptance.Accepted());
    }

    @Test
    void givesUpAtItsDeadlineWhenTheQueueTakesTheConnectionAndSaysNothing() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                SqsClient client =
                        ElasticMq.clientOf(
                                URI.create("http://127.0.0.1:" + silent.getLocalPort()))) {
            AuditQueue deaf = new SqsAuditQueue(client, name, Duration.ofMillis(200));
            long before = System.nanoTime();

            Acceptance acceptance = deaf.send(AuditEvents.takedown("e-1", "abc", 2));

            assertThat(Duration.ofNanos(System.nanoTime() - before))
                    .isLessThan(Duration.ofSeconds(2));
            assertThat(acceptance)
                    .isInstanceOfSatisfying(
                            Acceptance.NotAccepted.class,
                            failure ->
                                    assertThat(failure.cause())
                                            .isInstanceOf(TimeoutException.class));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "200, <html>Welcome</html>",
        "200, '{\"MessageId\":\"m\",\"MD5OfMessageBody\":\"0\"}'",
        "403, '{\"__type\":\"com.amazonaws.sqs#AccessDenied\"}'",
        "500, {}"
    })
    void takesNothingForAnAcceptanceThatIsNone(int status, String answer) {
        try (FaultyService service = FaultyService.answering(status, answer);
                SqsClient client = ElasticMq.clientOf(service.endpoint())) {
            AuditQueue odd = new SqsAuditQueue(client, name, DEADLINE);

            assertThat(odd.send(AuditEvents.takedown("e-1", "abc", 2)))
                    .isInstanceOf(Acceptance.NotAccepted.class);
        }
    }

    @Test
    void stopsWaitingWhenItsThreadIsInterruptedAndLeavesTheInterruptStanding() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                SqsClient client =
                        ElasticMq.clientOf(
                                URI.create("http://127.0.0.1:" + silent.getLocalPort()))) {
            AuditQueue deaf = new SqsAuditQueue(client, name, DEADLINE);
            Thread.currentThread().interrupt();

            Acceptance acceptance = deaf.send(AuditEvents.takedown("e-1", "abc", 2));

            assertThat(Thread.interrupted()).isTrue();
            assertThat(acceptance).isInstanceOf(Acceptance.NotAccepted.class);
        }
    }

    @Test
    void refusesADeadlineThatIsNone() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new SqsAuditQueue(server.client(), name, Duration.ZERO))
                .withMessageContaining("deadline");
    }

    private List<Message> receive() {
        List<Message> all = new ArrayList<>();
        List<Message> some;
        do {
            some =
                    server.client()
                            .receiveMessage(
                                    request ->
                                            request.queueUrl(url)
                                                    .maxNumberOfMessages(10)
                                                    .messageSystemAttributeNames(
                                                            MessageSystemAttributeName.ALL))
                            .messages();
            all.addAll(some);
            some.forEach(
                    message ->
                            server.client()
                                    .deleteMessage(
                                            request ->
                                                    request.queueUrl(url)
                                                            .receiptHandle(
                                                                    message.receiptHandle())));
        } while (!some.isEmpty());
        return all;
    }
}
