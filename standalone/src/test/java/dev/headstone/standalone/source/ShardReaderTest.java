package dev.headstone.standalone.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class ShardReaderTest {
    private static final Duration IDLE = Duration.ofMillis(30);

    private final SettableClock clock = new SettableClock();
    private final FakeStreams streams = new FakeStreams(clock);
    private final List<Duration> waits = new ArrayList<>();

    @Test
    void aShardThatIsQuietIsPolledLessOftenUntilARecordComes() throws Exception {
        String shard = streams.open(null);

        reader(
                        shard,
                        () -> {
                            if (waits.size() == 60) {
                                streams.write(shard, "a");
                            }
                            return waits.size() < 70;
                        })
                .run();

        assertThat(waits.subList(0, 49)).containsOnly(IDLE);
        assertThat(waits.subList(49, 60)).containsOnly(IDLE.multipliedBy(3));
        assertThat(waits.subList(60, 70)).containsOnly(IDLE);
    }

    /** What happens at each wait of the reader; false stops it. */
    private interface Step {
        boolean goOn();
    }

    private ShardReader reader(String shard, Step step) {
        StreamSettings settings =
                StreamSettings.local("consumer", "one", FakeStreams.ARN).withIdlePoll(IDLE);
        SourceHealth health = new SourceHealth(clock);
        StreamMeters meters = new StreamMeters("consumer", new SimpleMeterRegistry(), clock);
        ShardCheckpoints checkpoints =
                new InMemoryShardCheckpoints(
                        new InMemoryShardCheckpoints.Store(), "one", Duration.ofSeconds(15), clock);
        Pause pause =
                new Pause() {
                    private boolean stopping;

                    @Override
                    public boolean stopping() {
                        return stopping;
                    }

                    @Override
                    public boolean hold(Duration time) {
                        waits.add(time);
                        stopping = !step.goOn();
                        return !stopping;
                    }
                };
        BatchRun batches =
                new BatchRun(
                        FakeStreams.ARN,
                        new Invoker(
                                "consumer",
                                new RecordingHandler(),
                                Duration.ofSeconds(5),
                                1,
                                clock),
                        settings.retries(),
                        new InMemoryFailedBatches(),
                        meters,
                        health,
                        clock,
                        new Random(1),
                        pause);
        return new ShardReader(
                streams,
                settings,
                new StreamRecordJson(FakeStreams.ARN, clock),
                batches,
                new ShardPlace(
                        checkpoints, health, clock, checkpoints.acquire(shard).orElseThrow()),
                meters,
                health,
                new Random(1),
                pause);
    }
}
