package dev.headstone.standalone.source;

import static dev.headstone.standalone.source.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
@Tag("slow")
final class EventSourcesTest {
    private final SettableClock clock = new SettableClock();
    private final FakeStreams streams = new FakeStreams(clock);
    private final FakeQueue queue = new FakeQueue(clock, Duration.ofMillis(50));
    private final InMemoryFailedBatches failed = new InMemoryFailedBatches();
    private final PrometheusMeterRegistry registry =
            new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

    @Test
    void theSourcesStartReportAndStopAsOne() {
        streams.open(null);
        RecordingHandler handler = new RecordingHandler();
        EventSources sources = sources(handler);
        assertThat(sources.states())
                .containsExactly(
                        Map.entry("stream", new SourceState.Starting()),
                        Map.entry("audit", new SourceState.Starting()));

        sources.start();
        queue.send("a", "a1");

        eventually(() -> handler.settled().equals(List.of("a1")));
        eventually(
                () ->
                        sources.states()
                                .equals(
                                        Map.of(
                                                "stream", new SourceState.Polling(),
                                                "audit", new SourceState.Polling())));

        sources.close();
        assertThat(sources.states().values()).containsOnly(new SourceState.Stopped());
    }

    @Test
    void closingTakesAtMostFiveSecondsHoweverManyHandlersHang() throws Exception {
        String shard = streams.open(null);
        CountDownLatch hanging = new CountDownLatch(2);
        EventSources sources =
                sources(
                        (_, _) -> {
                            hanging.countDown();
                            new CountDownLatch(1).await();
                            return new byte[0];
                        });
        sources.start();
        streams.write(shard, "a");
        queue.send("a", "a1");
        hanging.await();

        long began = System.nanoTime();
        sources.close();

        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(5));
    }

    @Test
    void everyMeterIsThereFromTheStart() {
        try (EventSources _ = sources(new RecordingHandler())) {
            assertThat(registry.scrape())
                    .contains(
                            "headstone_stream_lag_seconds 0.0",
                            "headstone_stream_record_age_seconds_count{source=\"stream\"} 0",
                            "headstone_stream_bisects_total{source=\"stream\"} 0.0",
                            "headstone_stream_retries_total{source=\"stream\"} 0.0",
                            "headstone_stream_discarded_total{source=\"stream\"} 0.0",
                            "headstone_stream_trimmed_total{source=\"stream\"} 0.0",
                            "headstone_source_batches_total{result=\"accepted\",source=\"stream\"} 0.0",
                            "headstone_source_batches_total{result=\"partly_failed\",source=\"stream\"} 0.0",
                            "headstone_source_batches_total{result=\"threw\",source=\"audit\"} 0.0",
                            "headstone_source_batches_total{result=\"timed_out\",source=\"audit\"} 0.0",
                            "headstone_source_batches_total{result=\"malformed\",source=\"audit\"} 0.0",
                            "headstone_queue_redelivered_total{source=\"audit\"} 0.0",
                            "headstone_dead_letters{queue=\"stream\"} NaN");
        }
    }

    private EventSources sources(EventHandler handler) {
        StreamSource stream =
                new StreamSource(
                        StreamSettings.local("stream", "one", FakeStreams.ARN)
                                .withIdlePoll(Duration.ofMillis(2)),
                        streams,
                        new InMemoryShardCheckpoints(
                                new InMemoryShardCheckpoints.Store(),
                                "one",
                                Duration.ofSeconds(15),
                                clock),
                        handler,
                        failed,
                        registry,
                        clock,
                        new Random(1));
        QueueSource audit =
                new QueueSource(
                        QueueSettings.local("audit", FakeQueue.URL, FakeQueue.ARN)
                                .withHandlerDeadline(Duration.ofMinutes(1)),
                        queue,
                        handler,
                        registry,
                        clock,
                        new Random(2));
        DeadLetters letters =
                new DeadLetters(
                        queue,
                        Map.of(),
                        Map.of("stream", failed),
                        Duration.ofSeconds(5),
                        Duration.ofMinutes(1),
                        registry);
        return new EventSources(List.of(stream, audit), letters);
    }
}
