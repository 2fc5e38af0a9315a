package dev.headstone.standalone.source;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import software.amazon.awssdk.services.sqs.SqsClient;

/**
 * Polls an SQS queue and hands its messages to a handler as Lambda's event source mapping does:
 * what is settled is deleted, what failed is seen again after a while, and after the queue's own
 * {@code maxReceiveCount} lands in its dead-letter queue.
 *
 * <p>At least once, and in order within a message group. The handler is called for several batches
 * at once, never for two of one group.
 */
public final class QueueSource implements EventSource {
    /** How long closing lets polls run on; what they bring within it is still handled. */
    private static final Duration POLL_GRACE = Duration.ofMillis(1200);

    private final QueueSettings settings;
    private final SqsClient sqs;
    private final Invoker invoker;
    private final BatchMeters batches;
    private final Counter redelivered;
    private final SourceHealth health;
    private final RandomGenerator random;
    private final StopSignal stop = new StopSignal();
    private final SourceThreads threads;
    private final List<QueuePoller> pollers;

    /**
     * Wires a source; it does nothing until {@link #start}.
     *
     * @param random spreads waits and names receive attempts; must be thread-safe
     */
    public QueueSource(
            QueueSettings settings,
            SqsClient sqs,
            EventHandler handler,
            MeterRegistry registry,
            InstantSource clock,
            RandomGenerator random) {
        this.settings = settings;
        this.sqs = sqs;
        this.invoker =
                new Invoker(
                        settings.name(),
                        handler,
                        settings.handlerDeadline(),
                        settings.concurrency(),
                        clock);
        this.batches = new BatchMeters(settings.name(), registry);
        this.redelivered =
                Counter.builder("headstone_queue_redelivered")
                        .description("messages that were made visible again after a failure")
                        .tag("source", settings.name())
                        .register(registry);
        this.health = new SourceHealth(clock);
        this.random = random;
        this.threads = new SourceThreads(settings.name(), health);
        this.pollers = IntStream.range(0, settings.concurrency()).mapToObj(this::poller).toList();
    }

    private QueuePoller poller(int number) {
        return new QueuePoller(
                "poller-" + number,
                settings,
                sqs,
                invoker,
                batches,
                redelivered,
                health,
                random,
                stop);
    }

    @Override
    public String name() {
        return settings.name();
    }

    @Override
    public SourceState state() {
        return health.state();
    }

    @Override
    public void start() {
        threads.begin();
        for (QueuePoller poller : pollers) {
            threads.run(poller.name(), poller::run);
        }
    }

    @Override
    public void close() {
        stop.give();
        threads.end(
                POLL_GRACE,
                () -> pollers.forEach(QueuePoller::breakOff),
                CLOSE_GRACE.minus(POLL_GRACE));
        health.stopped();
    }
}
