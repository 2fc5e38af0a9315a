package dev.headstone.standalone.source;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/**
 * What was given up: the messages in dead-letter queues and the batches in failure destinations.
 * Counts them as {@code headstone_dead_letters{queue}}, a gauge that is brought up to date in the
 * background and is not a number until the first answer.
 *
 * <p>Safe for use by several threads.
 */
public final class DeadLetters implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DeadLetters.class);

    private static final List<QueueAttributeName> DEPTHS =
            List.of(
                    QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES,
                    QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_NOT_VISIBLE,
                    QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_DELAYED);

    /** SQS gives out no more at once. */
    private static final int MOST_MESSAGES = 10;

    /**
     * A FIFO queue's dead-letter queue.
     *
     * @param url where the dead letters are
     * @param sourceUrl where they were first sent to
     */
    public record DeadLetterQueue(String url, String sourceUrl) {}

    private final SqsClient sqs;
    private final Map<String, DeadLetterQueue> queues;
    private final Map<String, LongSupplier> depths = new HashMap<>();
    private final Duration requestTimeout;
    private final Duration refresh;
    private final ConcurrentMap<String, Long> known = new ConcurrentHashMap<>();
    private final StopSignal stop = new StopSignal();
    private final Thread refresher;

    /**
     * Registers the gauges; they are brought up to date from {@link #start} on.
     *
     * @param queues the dead-letter queues by the name that the gauge gives them
     * @param streams the failure destinations of streams, likewise
     * @param requestTimeout how long one request may take, with the client's own retries
     * @param refresh the wait between two updates
     */
    public DeadLetters(
            SqsClient sqs,
            Map<String, DeadLetterQueue> queues,
            Map<String, FailedBatches> streams,
            Duration requestTimeout,
            Duration refresh,
            MeterRegistry registry) {
        this.sqs = sqs;
        this.queues = Map.copyOf(queues);
        this.requestTimeout = requestTimeout;
        this.refresh = refresh;
        this.refresher = Thread.ofVirtual().name("dead-letters").unstarted(this::keepKnown);
        queues.forEach((name, letters) -> depths.put(name, () -> depthOf(letters.url())));
        streams.forEach((name, batches) -> depths.put(name, batches::depth));
        depths.keySet().forEach(name -> register(name, registry));
    }

    private void register(String name, MeterRegistry registry) {
        Gauge.builder("headstone_dead_letters", () -> known.get(name))
                .description("messages and stream batches that were given up")
                .tag("queue", name)
                .register(registry);
    }

    /** Begins to keep the gauges up to date. */
    public void start() {
        refresher.start();
    }

    /** Asks every place how much it holds; empty for one that does not answer. */
    public Map<String, OptionalLong> depth() {
        Map<String, OptionalLong> answers = new HashMap<>();
        depths.forEach((name, depth) -> answers.put(name, ask(name, depth)));
        return answers;
    }

    /**
     * Sends the messages of a dead-letter queue to where they came from, in order, with new
     * deduplication ids since the queue may still know the old ones. A message is deleted only
     * after it was sent, so that after a fault it may be in both. For the batches of a stream see
     * {@link StreamSource#redrive}.
     *
     * @param limit how many messages at most
     * @return how many were sent
     * @throws NoSuchElementException when no dead-letter queue has this name
     */
    public int redrive(String queue, int limit) {
        DeadLetterQueue letters = queues.get(queue);
        if (letters == null) {
            throw new NoSuchElementException("no dead-letter queue '%s'".formatted(queue));
        }
        int sent = 0;
        while (sent < limit) {
            List<Message> messages = receive(letters.url(), Math.min(limit - sent, MOST_MESSAGES));
            if (messages.isEmpty()) {
                break;
            }
            messages.forEach(message -> sendBack(letters, message));
            sent += messages.size();
        }
        return sent;
    }

    private List<Message> receive(String url, int most) {
        return sqs.receiveMessage(
                        request ->
                                request.queueUrl(url)
                                        .maxNumberOfMessages(most)
                                        .messageSystemAttributeNames(MessageSystemAttributeName.ALL)
                                        .messageAttributeNames("All")
                                        .overrideConfiguration(
                                                o -> o.apiCallTimeout(requestTimeout)))
                .messages();
    }

    private void sendBack(DeadLetterQueue letters, Message message) {
        sqs.sendMessage(
                request ->
                        request.queueUrl(letters.sourceUrl())
                                .messageGroupId(
                                        message.attributes()
                                                .get(MessageSystemAttributeName.MESSAGE_GROUP_ID))
                                .messageDeduplicationId("redriven-" + message.messageId())
                                .messageBody(message.body())
                                .messageAttributes(message.messageAttributes())
                                .overrideConfiguration(o -> o.apiCallTimeout(requestTimeout)));
        sqs.deleteMessage(
                request ->
                        request.queueUrl(letters.url())
                                .receiptHandle(message.receiptHandle())
                                .overrideConfiguration(o -> o.apiCallTimeout(requestTimeout)));
    }

    @Override
    public void close() {
        stop.give();
        refresher.interrupt();
    }

    private void keepKnown() {
        try {
            do {
                depth().forEach(
                                (name, answer) ->
                                        answer.ifPresent(depth -> known.put(name, depth)));
            } while (stop.hold(refresh));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static OptionalLong ask(String name, LongSupplier depth) {
        try {
            return OptionalLong.of(depth.getAsLong());
        } catch (RuntimeException e) {
            LOG.atWarn()
                    .addKeyValue("queue", name)
                    .addKeyValue("fault", Faults.name(e))
                    .log("dead letters not counted");
            return OptionalLong.empty();
        }
    }

    private long depthOf(String url) {
        return sqs
                .getQueueAttributes(
                        request ->
                                request.queueUrl(url)
                                        .attributeNames(DEPTHS)
                                        .overrideConfiguration(
                                                o -> o.apiCallTimeout(requestTimeout)))
                .attributes()
                .values()
                .stream()
                .mapToLong(Long::parseLong)
                .sum();
    }
}
