package dev.headstone.standalone.source;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.BatchResultErrorEntry;
import software.amazon.awssdk.services.sqs.model.ChangeMessageVisibilityBatchRequest;
import software.amazon.awssdk.services.sqs.model.ChangeMessageVisibilityBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.ChangeMessageVisibilityBatchResponse;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchRequest;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchResponse;
import software.amazon.awssdk.services.sqs.model.GetQueueAttributesRequest;
import software.amazon.awssdk.services.sqs.model.GetQueueAttributesResponse;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;
import software.amazon.awssdk.services.sqs.model.ReceiveMessageRequest;
import software.amazon.awssdk.services.sqs.model.ReceiveMessageResponse;

/** A FIFO queue in memory, as far as a poller sees one; time passes when its clock does. */
final class FakeQueue implements SqsClient {
    static final String ARN = "arn:aws:sqs:us-east-1:123456789012:headstone-audit.fifo";
    static final String URL = "http://queue.test/headstone-audit.fifo";

    private static final class Entry {
        private final String id;
        private final String group;
        private final String body;
        private Instant hiddenUntil = Instant.EPOCH;
        private int receives;

        Entry(String id, String group, String body) {
            this.id = id;
            this.group = group;
            this.body = body;
        }

        String handle() {
            return id + "#" + receives;
        }
    }

    private final InstantSource clock;
    private final Duration secondOfPoll;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final List<Entry> entries = new ArrayList<>();
    private final Deque<RuntimeException> faults = new ArrayDeque<>();
    private final List<String> attempts = new ArrayList<>();
    private final List<Integer> visibilityTimeouts = new ArrayList<>();
    private int failingDeletes;
    private int sent;

    /**
     * @param secondOfPoll how long a second of a long poll really takes
     */
    FakeQueue(InstantSource clock, Duration secondOfPoll) {
        this.clock = clock;
        this.secondOfPoll = secondOfPoll;
    }

    void send(String group, String body) {
        locked(
                () -> {
                    entries.add(new Entry("m" + sent++, group, body));
                    changed.signalAll();
                    return true;
                });
    }

    /** The next poll fails so. */
    void fail(RuntimeException fault) {
        locked(() -> faults.add(fault));
    }

    /** So many of the next single deletions fail, within requests that succeed. */
    void failDeletes(int deletions) {
        locked(() -> failingDeletes = deletions);
    }

    List<String> bodies() {
        return locked(() -> entries.stream().map(entry -> entry.body).toList());
    }

    List<String> attempts() {
        return locked(() -> List.copyOf(attempts));
    }

    /** Visibility timeouts in seconds that were asked for after a failure. */
    List<Integer> visibilityTimeouts() {
        return locked(() -> List.copyOf(visibilityTimeouts));
    }

    @Override
    public ReceiveMessageResponse receiveMessage(ReceiveMessageRequest request) {
        lock.lock();
        try {
            attempts.add(Objects.requireNonNullElse(request.receiveRequestAttemptId(), "none"));
            RuntimeException fault = faults.poll();
            if (fault != null) {
                throw fault;
            }
            long nanos = secondOfPoll.multipliedBy(request.waitTimeSeconds()).toNanos();
            List<Message> messages = take(request);
            while (messages.isEmpty() && nanos > 0) {
                // Looks again every so often, since the clock tells nobody that it was set.
                long step = Math.min(nanos, Duration.ofMillis(5).toNanos());
                nanos -= step - changed.awaitNanos(step);
                messages = take(request);
            }
            return ReceiveMessageResponse.builder().messages(messages).build();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw AbortedException.create("interrupted", e);
        } finally {
            lock.unlock();
        }
    }

    private List<Message> take(ReceiveMessageRequest request) {
        Instant now = clock.instant();
        Set<String> blocked = new HashSet<>();
        entries.stream()
                .filter(entry -> entry.hiddenUntil.isAfter(now))
                .forEach(entry -> blocked.add(entry.group));
        List<Message> messages = new ArrayList<>();
        for (Entry entry : entries) {
            if (!blocked.contains(entry.group) && messages.size() < request.maxNumberOfMessages()) {
                entry.receives++;
                entry.hiddenUntil = now.plusSeconds(request.visibilityTimeout());
                messages.add(message(entry));
            }
        }
        return messages;
    }

    private static Message message(Entry entry) {
        return Message.builder()
                .messageId(entry.id)
                .receiptHandle(entry.handle())
                .body(entry.body)
                .md5OfBody("md5")
                .attributes(
                        Map.of(
                                MessageSystemAttributeName.MESSAGE_GROUP_ID,
                                entry.group,
                                MessageSystemAttributeName.APPROXIMATE_RECEIVE_COUNT,
                                Integer.toString(entry.receives)))
                .build();
    }

    @Override
    public DeleteMessageBatchResponse deleteMessageBatch(DeleteMessageBatchRequest request) {
        return locked(
                () -> {
                    List<BatchResultErrorEntry> failed = new ArrayList<>();
                    for (DeleteMessageBatchRequestEntry deletion : request.entries()) {
                        if (failingDeletes > 0) {
                            failingDeletes--;
                            failed.add(failure(deletion.id()));
                        } else {
                            entries.removeIf(e -> e.handle().equals(deletion.receiptHandle()));
                        }
                    }
                    return DeleteMessageBatchResponse.builder()
                            .successful(List.of())
                            .failed(failed)
                            .build();
                });
    }

    @Override
    public ChangeMessageVisibilityBatchResponse changeMessageVisibilityBatch(
            ChangeMessageVisibilityBatchRequest request) {
        return locked(
                () -> {
                    for (ChangeMessageVisibilityBatchRequestEntry change : request.entries()) {
                        visibilityTimeouts.add(change.visibilityTimeout());
                        find(change.receiptHandle())
                                .ifPresent(
                                        entry ->
                                                entry.hiddenUntil =
                                                        clock.instant()
                                                                .plusSeconds(
                                                                        change
                                                                                .visibilityTimeout()));
                    }
                    return ChangeMessageVisibilityBatchResponse.builder()
                            .successful(List.of())
                            .failed(List.of())
                            .build();
                });
    }

    @Override
    public GetQueueAttributesResponse getQueueAttributes(GetQueueAttributesRequest request) {
        return locked(
                () -> {
                    RuntimeException fault = faults.poll();
                    if (fault != null) {
                        throw fault;
                    }
                    return GetQueueAttributesResponse.builder()
                            .attributes(
                                    Map.of(
                                            QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES,
                                            Integer.toString(entries.size())))
                            .build();
                });
    }

    private Optional<Entry> find(String handle) {
        return entries.stream().filter(entry -> entry.handle().equals(handle)).findFirst();
    }

    private static BatchResultErrorEntry failure(String id) {
        return BatchResultErrorEntry.builder()
                .id(id)
                .code("InternalError")
                .senderFault(false)
                .build();
    }

    private <T> T locked(java.util.function.Supplier<T> action) {
        lock.lock();
        try {
            return action.get();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public String serviceName() {
        return SERVICE_NAME;
    }

    @Override
    public void close() {}
}
