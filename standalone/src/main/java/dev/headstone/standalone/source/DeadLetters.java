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

    private final SqsClient sqs;
    private final Map<String, String> queueUrls;
    private final Map<String, LongSupplier> depths = new HashMap<>();
    private final Duration requestTimeout;
    private final Duration refresh;
    private final ConcurrentMap<String, Long> known = new ConcurrentHashMap<>();
    private final StopSignal stop = new StopSignal();
    private final Thread refresher;

    /**
     * Registers the gauges; they are brought up to date from {@link #start} on.
     *
     * @param queueUrls the dead-letter queues by the name that the gauge gives them
     * @param streams the failure destinations of streams, likewise
     * @param requestTimeout how long one request may take, with the client's own retries
     * @param refresh the wait between two updates
     */
    public DeadLetters(
            SqsClient sqs,
            Map<String, String> queueUrls,
            Map<String, FailedBatches> streams,
            Duration requestTimeout,
            Duration refresh,
            MeterRegistry registry) {
        this.sqs = sqs;
        this.queueUrls = Map.copyOf(queueUrls);
        this.requestTimeout = requestTimeout;
        this.refresh = refresh;
        this.refresher = Thread.ofVirtual().name("dead-letters").unstarted(this::keepKnown);
        queueUrls.forEach((name, url) -> depths.put(name, () -> depthOf(url)));
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
     * Has the messages of a dead-letter queue moved back to where they came from. For the batches
     * of a stream see {@link StreamSource#redrive}.
     *
     * @throws NoSuchElementException when no dead-letter queue has this name
     */
    public void redrive(String queue) {
        String url = queueUrls.get(queue);
        if (url == null) {
            throw new NoSuchElementException("no dead-letter queue '%s'".formatted(queue));
        }
        String arn =
                attributes(url, List.of(QueueAttributeName.QUEUE_ARN))
                        .getOrDefault(QueueAttributeName.QUEUE_ARN, "");
        sqs.startMessageMoveTask(
                request ->
                        request.sourceArn(arn)
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
        return attributes(url, DEPTHS).values().stream().mapToLong(Long::parseLong).sum();
    }

    private Map<QueueAttributeName, String> attributes(String url, List<QueueAttributeName> names) {
        return sqs.getQueueAttributes(
                        request ->
                                request.queueUrl(url)
                                        .attributeNames(names)
                                        .overrideConfiguration(
                                                o -> o.apiCallTimeout(requestTimeout)))
                .attributes();
    }
}
