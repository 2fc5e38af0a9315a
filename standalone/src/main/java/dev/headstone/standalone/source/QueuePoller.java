package dev.headstone.standalone.source;

import io.micrometer.core.instrument.Counter;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.BatchResultErrorEntry;
import software.amazon.awssdk.services.sqs.model.ChangeMessageVisibilityBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;

/** Receives, hands over and settles one batch after the other, on one thread. */
final class QueuePoller {
    private static final Logger LOG = LoggerFactory.getLogger(QueuePoller.class);

    /** The wait after an error of the queue. */
    private static final Backoff ERRORS =
            new Backoff(Duration.ofMillis(100), Duration.ofSeconds(5));

    /**
     * How often a deletion or a change of visibility is tried; after that the visibility timeout
     * decides.
     */
    private static final int TRIES = 4;

    private final String name;
    private final QueueSettings settings;
    private final SqsClient sqs;
    private final Invoker invoker;
    private final BatchMeters batches;
    private final Counter redelivered;
    private final SourceHealth health;
    private final RandomGenerator random;
    private final Pause pause;
    private final QueueEventJson events;

    /**
     * The thread while it waits for messages, when it may be interrupted without harm to a batch.
     */
    private @Nullable Thread receiving;

    private int errorsInARow;

    QueuePoller(
            String name,
            QueueSettings settings,
            SqsClient sqs,
            Invoker invoker,
            BatchMeters batches,
            Counter redelivered,
            SourceHealth health,
            RandomGenerator random,
            Pause pause) {
        this.name = name;
        this.settings = settings;
        this.sqs = sqs;
        this.invoker = invoker;
        this.batches = batches;
        this.redelivered = redelivered;
        this.health = health;
        this.random = random;
        this.pause = pause;
        this.events = new QueueEventJson(settings.queueArn());
    }

    String name() {
        return name;
    }

    void run() throws InterruptedException {
        String attempt = newAttempt();
        while (!pause.stopping()) {
            try {
                List<Message> messages = receive(attempt);
                attempt = newAttempt();
                errorsInARow = 0;
                health.well(name);
                if (!messages.isEmpty()) {
                    handle(messages);
                }
            } catch (RuntimeException e) {
                // The same attempt again: had the answer been lost, it would bring the same
                // messages.
                noteFailedPoll(e);
                pause.hold(ERRORS.delay(errorsInARow++, random));
            }
        }
    }

    private void noteFailedPoll(RuntimeException fault) {
        if (!pause.stopping()) {
            health.ill(name, Faults.name(fault));
            LOG.atWarn()
                    .addKeyValue("source", settings.name())
                    .addKeyValue("fault", Faults.name(fault))
                    .log("queue not polled");
        }
    }

    /** Interrupts the poll, if it is one that the thread waits for. */
    synchronized void breakOff() {
        if (receiving != null) {
            receiving.interrupt();
        }
    }

    private synchronized void receiving(@Nullable Thread thread) {
        receiving = thread;
    }

    private List<Message> receive(String attempt) {
        receiving(Thread.currentThread());
        List<Message> messages;
        try {
            messages =
                    sqs.receiveMessage(
                                    request ->
                                            request.queueUrl(settings.queueUrl())
                                                    .maxNumberOfMessages(settings.batchSize())
                                                    .waitTimeSeconds(settings.longPollSeconds())
                                                    .visibilityTimeout(settings.visibilitySeconds())
                                                    .messageSystemAttributeNames(
                                                            MessageSystemAttributeName.ALL)
                                                    .messageAttributeNames("All")
                                                    .receiveRequestAttemptId(
                                                            settings.repeatsPolls()
                                                                    ? attempt
                                                                    : null)
                                                    .overrideConfiguration(
                                                            o ->
                                                                    o.apiCallTimeout(
                                                                            receiveTimeout())))
                            .messages();
        } finally {
            receiving(null);
        }
        // An interrupt that came after the answer was meant for the poll, not for what it brought.
        Thread.interrupted();
        return messages;
    }

    private Duration receiveTimeout() {
        return settings.longPoll().plus(settings.requestTimeout());
    }

    private String newAttempt() {
        return new UUID(random.nextLong(), random.nextLong()).toString();
    }

    private void handle(List<Message> messages) throws InterruptedException {
        Answer answer = invoker.invoke(events.event(messages));
        batches.answered(answer);
        Settlement settlement = Settlement.of(messages, answer);
        delete(settlement.done());
        if (!settlement.again().isEmpty()) {
            logFailure(answer, settlement);
            redelivered.increment(settlement.again().size());
            showAgain(settlement.again());
        }
    }

    private void logFailure(Answer answer, Settlement settlement) {
        String fault =
                switch (answer) {
                    case Answer.Failed failed -> failed.fault();
                    case Answer.ItemsFailed _, Answer.Accepted _ -> "reported by the handler";
                };
        health.ill(name, fault);
        LOG.atWarn()
                .addKeyValue("source", settings.name())
                .addKeyValue("settled", settlement.done().size())
                .addKeyValue("again", settlement.again().size())
                .addKeyValue("fault", fault)
                .log("messages failed");
    }

    private void delete(List<Message> messages) throws InterruptedException {
        settle(
                "delete",
                messages,
                entries ->
                        sqs.deleteMessageBatch(
                                        request ->
                                                request.queueUrl(settings.queueUrl())
                                                        .entries(deletions(entries))
                                                        .overrideConfiguration(
                                                                o ->
                                                                        o.apiCallTimeout(
                                                                                settings
                                                                                        .requestTimeout())))
                                .failed());
    }

    private void showAgain(List<Message> messages) throws InterruptedException {
        settle(
                "show again",
                messages,
                entries ->
                        sqs.changeMessageVisibilityBatch(
                                        request ->
                                                request.queueUrl(settings.queueUrl())
                                                        .entries(visibilities(entries))
                                                        .overrideConfiguration(
                                                                o ->
                                                                        o.apiCallTimeout(
                                                                                settings
                                                                                        .requestTimeout())))
                                .failed());
    }

    private static List<DeleteMessageBatchRequestEntry> deletions(Map<String, Message> entries) {
        return entries.entrySet().stream()
                .map(
                        entry ->
                                DeleteMessageBatchRequestEntry.builder()
                                        .id(entry.getKey())
                                        .receiptHandle(entry.getValue().receiptHandle())
                                        .build())
                .toList();
    }

    /** One wait for all of a group: none of them may be seen before the first. */
    private List<ChangeMessageVisibilityBatchRequestEntry> visibilities(
            Map<String, Message> entries) {
        Map<String, Integer> seconds = new HashMap<>();
        return entries.entrySet().stream()
                .map(
                        entry ->
                                ChangeMessageVisibilityBatchRequestEntry.builder()
                                        .id(entry.getKey())
                                        .receiptHandle(entry.getValue().receiptHandle())
                                        .visibilityTimeout(
                                                seconds.computeIfAbsent(
                                                        Settlement.group(entry.getValue()),
                                                        _ -> secondsUntilSeen(entry.getValue())))
                                        .build())
                .toList();
    }

    private int secondsUntilSeen(Message message) {
        Duration delay = settings.retry().delay(receiveCount(message) - 1, random);
        return QueueSettings.wholeSeconds(delay);
    }

    private static int receiveCount(Message message) {
        String count =
                message.attributes().get(MessageSystemAttributeName.APPROXIMATE_RECEIVE_COUNT);
        return count == null ? 1 : Integer.parseInt(count);
    }

    /** One request for at most ten messages; returns the entries that it failed for. */
    @FunctionalInterface
    private interface BatchRequest {
        List<BatchResultErrorEntry> send(Map<String, Message> entries);
    }

    private void settle(String action, List<Message> messages, BatchRequest request)
            throws InterruptedException {
        Map<String, Message> left = new LinkedHashMap<>();
        messages.forEach(message -> left.put(Integer.toString(left.size()), message));
        String fault = "";
        for (int tries = 0; !left.isEmpty() && tries < TRIES; tries++) {
            if (tries > 0) {
                Thread.sleep(ERRORS.delay(tries - 1, random));
            }
            try {
                List<BatchResultErrorEntry> failed = request.send(left);
                left.keySet().retainAll(failed.stream().map(BatchResultErrorEntry::id).toList());
                fault = failed.stream().map(BatchResultErrorEntry::code).findFirst().orElse("");
            } catch (RuntimeException e) {
                fault = Faults.name(e);
            }
        }
        if (!left.isEmpty()) {
            LOG.atWarn()
                    .addKeyValue("source", settings.name())
                    .addKeyValue("action", action)
                    .addKeyValue("messages", left.size())
                    .addKeyValue("fault", fault)
                    .log("messages not settled, the visibility timeout decides");
        }
    }
}
