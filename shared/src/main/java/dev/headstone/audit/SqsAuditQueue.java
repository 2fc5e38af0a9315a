package dev.headstone.audit;

import dev.headstone.link.ShortCode;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeNameForSends;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeValue;

/**
 * {@link AuditQueue} over an SQS FIFO queue: one message group a link, deduplicated by event id.
 */
public final class SqsAuditQueue implements AuditQueue {
    /** How long a send may take: a takedown waits for it, and its caller for the takedown. */
    public static final Duration DEADLINE = Duration.ofSeconds(2);

    private final SqsClient client;
    private final String queueName;
    private final Duration deadline;
    private volatile @Nullable String queueUrl;

    /** With the usual {@link #DEADLINE}. */
    public SqsAuditQueue(SqsClient client, String queueName) {
        this(client, queueName, DEADLINE);
    }

    /**
     * @param client stays the caller's, to be closed after the last send
     * @param queueName the name of a FIFO queue; it is looked up at the first send that needs it,
     *     so that a queue which is away does not keep anything from starting
     * @param deadline of one send, look-up and the client's own retries included
     * @throws IllegalArgumentException if the deadline is not positive
     */
    public SqsAuditQueue(SqsClient client, String queueName, Duration deadline) {
        if (!deadline.isPositive()) {
            throw new IllegalArgumentException("deadline: not positive");
        }
        this.client = client;
        this.queueName = queueName;
        this.deadline = deadline;
    }

    /**
     * The send runs on a thread of its own: the client's timeouts do not interrupt a read on a
     * socket, an interrupted virtual thread does.
     */
    @Override
    public Acceptance send(AuditEvent event) {
        Optional<Trace> trace = Trace.current(); // another thread does not know it
        FutureTask<Acceptance> sending = new FutureTask<>(() -> sendNow(event, trace));
        Thread.ofVirtual().name("audit-send").start(sending);
        try {
            return sending.get(deadline.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException failed) {
            return new Acceptance.NotAccepted(
                    failed.getCause() instanceof Exception cause ? cause : failed);
        } catch (TimeoutException late) {
            sending.cancel(true);
            return new Acceptance.NotAccepted(late);
        } catch (InterruptedException interrupted) {
            sending.cancel(true);
            Thread.currentThread().interrupt();
            return new Acceptance.NotAccepted(interrupted);
        }
    }

    private Acceptance sendNow(AuditEvent event, Optional<Trace> trace) {
        String url = queueUrl();
        client.sendMessage(
                message ->
                        message.queueUrl(url)
                                .messageSystemAttributes(attributes(trace))
                                .messageGroupId(groupOf(event))
                                .messageDeduplicationId(event.eventId())
                                .messageBody(AuditEventJson.encode(event)));
        return new Acceptance.Accepted();
    }

    private static Map<MessageSystemAttributeNameForSends, MessageSystemAttributeValue> attributes(
            Optional<Trace> trace) {
        return trace.map(
                        known ->
                                Map.of(
                                        MessageSystemAttributeNameForSends.AWS_TRACE_HEADER,
                                        MessageSystemAttributeValue.builder()
                                                .dataType("String")
                                                .stringValue(known.header())
                                                .build()))
                .orElse(Map.of());
    }

    private String queueUrl() {
        String known = queueUrl;
        if (known == null) {
            known = client.getQueueUrl(request -> request.queueName(queueName)).queueUrl();
            queueUrl = known;
        }
        return known;
    }

    /** The code; without one, what kind of thing the event is about. */
    private static String groupOf(AuditEvent event) {
        return event.shortCode().map(ShortCode::value).orElseGet(() -> groupOf(event.type()));
    }

    private static String groupOf(AuditType type) {
        return type == AuditType.RECORD_PARKED ? "parked" : type.subject();
    }
}
