package dev.headstone.stream;

import dev.headstone.freshness.Freshness;
import dev.headstone.link.ShortCode;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequestEntry;

/**
 * Comparisons that wait in a queue: an environment of Lambda is frozen between two events, and
 * waits for nothing itself. What is asked for is sent with {@link #flush}, ten at a time; what
 * cannot be sent is counted as shed, since a comparison that is missing is no reason to hold up a
 * repair. For one thread.
 */
final class DelayedComparisons implements Comparisons {
    private static final Logger log = LoggerFactory.getLogger(DelayedComparisons.class);

    /** As many as SQS takes at once. */
    private static final int BATCH = 10;

    /** More than the largest batch of the stream has records. */
    private static final int MOST = 10_000;

    private final SqsClient client;
    private final String queueName;
    private final InstantSource clock;
    private final Map<Duration, Counter> shed = new HashMap<>();
    private final List<Comparison> pending = new ArrayList<>();
    private Optional<String> queueUrl = Optional.empty();

    /**
     * @param queueName a standard queue, looked up when it is first needed
     */
    DelayedComparisons(
            SqsClient client, String queueName, InstantSource clock, MeterRegistry meters) {
        this.client = client;
        this.queueName = queueName;
        this.clock = clock;
        for (Duration after : Freshness.COMPARED_AFTER) {
            shed.put(
                    after,
                    Counter.builder("headstone.comparisons")
                            .description("Comparisons of cache and table, by what came of them")
                            .tag("horizon", "%ds".formatted(after.toSeconds()))
                            .tag("result", "shed")
                            .register(meters));
        }
    }

    @Override
    public void after(ShortCode code, Instant changed) {
        add(Comparison.first(code, changed));
    }

    void add(Comparison comparison) {
        if (pending.size() < MOST) {
            pending.add(comparison);
        } else {
            shed(comparison);
        }
    }

    /** Sends what was asked for since. Blocks as long as the client's own deadlines say. */
    void flush() {
        for (int from = 0; from < pending.size(); from += BATCH) {
            send(pending.subList(from, Math.min(from + BATCH, pending.size())));
        }
        pending.clear();
    }

    private void send(List<Comparison> batch) {
        try {
            Instant now = clock.instant();
            List<SendMessageBatchRequestEntry> entries = new ArrayList<>();
            for (Comparison comparison : batch) {
                entries.add(entry(entries.size(), comparison, now));
            }
            String url = url();
            client.sendMessageBatch(request -> request.queueUrl(url).entries(entries))
                    .failed()
                    .forEach(failed -> shed(batch.get(Integer.parseInt(failed.id()))));
        } catch (SdkException e) {
            log.atWarn().setCause(e).addKeyValue("count", batch.size()).log("comparisons not sent");
            batch.forEach(this::shed);
        }
    }

    private static SendMessageBatchRequestEntry entry(int id, Comparison comparison, Instant now) {
        return SendMessageBatchRequestEntry.builder()
                .id(String.valueOf(id))
                .delaySeconds(comparison.delaySeconds(now))
                .messageBody(comparison.encode())
                .build();
    }

    private String url() {
        String url =
                queueUrl.orElseGet(
                        () -> client.getQueueUrl(ask -> ask.queueName(queueName)).queueUrl());
        queueUrl = Optional.of(url);
        return url;
    }

    private void shed(Comparison comparison) {
        Counter counter = shed.get(comparison.after());
        if (counter != null) {
            counter.increment();
        }
    }
}
