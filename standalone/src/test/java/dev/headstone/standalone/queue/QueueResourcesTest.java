package dev.headstone.standalone.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;
import software.amazon.awssdk.services.sqs.model.QueueDoesNotExistException;

final class QueueResourcesTest {
    private EmbeddedQueue queue;
    private Sqs sqs;

    @BeforeEach
    void start() throws IOException, InterruptedException {
        queue = EmbeddedQueue.start(Optional.empty(), InstantSource.system());
        sqs = new Sqs(queue.endpoint());
    }

    @AfterEach
    void stop() {
        sqs.close();
        queue.close();
    }

    @Test
    void createsAFifoQueueWhoseDeadLettersGoToAnother() {
        Sqs.Queues created = sqs.queues();

        Map<QueueAttributeName, String> audit = attributes(created.auditUrl());
        Map<QueueAttributeName, String> dead = attributes(created.deadLettersUrl());
        assertThat(audit)
                .containsEntry(QueueAttributeName.FIFO_QUEUE, "true")
                .containsEntry(QueueAttributeName.VISIBILITY_TIMEOUT, "180")
                .hasEntrySatisfying(
                        QueueAttributeName.REDRIVE_POLICY,
                        policy ->
                                assertThat(policy)
                                        .contains(dead.get(QueueAttributeName.QUEUE_ARN))
                                        .contains("\"maxReceiveCount\":5"));
        assertThat(dead)
                .containsEntry(QueueAttributeName.FIFO_QUEUE, "true")
                .doesNotContainKey(QueueAttributeName.REDRIVE_POLICY);
        assertThat(new QueueResources(sqs.client()).find(Sqs.AUDIT).arn())
                .isEqualTo(audit.get(QueueAttributeName.QUEUE_ARN));
    }

    @Test
    void leavesWhatExistsAsItIs() {
        Sqs.Queues created = sqs.queues();
        sqs.client()
                .setQueueAttributes(
                        request ->
                                request.queueUrl(created.auditUrl())
                                        .attributes(
                                                Map.of(
                                                        QueueAttributeName.VISIBILITY_TIMEOUT,
                                                        "7")));
        Map<QueueAttributeName, String> before = attributes(created.auditUrl());

        assertThat(sqs.queues()).isEqualTo(created);
        assertThat(attributes(created.auditUrl())).isEqualTo(before);
    }

    @Test
    void manyMayCreateAtOnce() {
        List<Sqs.Queues> created =
                IntStream.range(0, 8).parallel().mapToObj(_ -> sqs.queues()).toList();

        assertThat(created).allMatch(created.getFirst()::equals);
    }

    @Test
    void aQueueThatIsMissingIsNotFound() {
        assertThatThrownBy(() -> new QueueResources(sqs.client()).find(Sqs.AUDIT))
                .isInstanceOf(QueueDoesNotExistException.class);
    }

    private Map<QueueAttributeName, String> attributes(String url) {
        return sqs.client()
                .getQueueAttributes(
                        request -> request.queueUrl(url).attributeNames(QueueAttributeName.ALL))
                .attributes();
    }
}
