package dev.headstone.standalone.source;

import static dev.headstone.standalone.source.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.services.dynamodb.model.InternalServerErrorException;

/**
 * Everything that may fail does, at random: whatever happens, each record is handled or in the
 * failure destination, and never before the records of its key that came earlier.
 */
@Tag("slow")
@Timeout(120)
final class StreamSourceRandomisedTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int KEYS = 7;
    private static final int WRITES = 400;

    private final SettableClock clock = new SettableClock();
    private final FakeStreams streams = new FakeStreams(clock);
    private final InMemoryShardCheckpoints.Store store = new InMemoryShardCheckpoints.Store();
    private final InMemoryFailedBatches failed = new InMemoryFailedBatches();

    /** The sequence numbers of each key, in the order in which they were written. */
    private final Map<String, List<String>> written = new HashMap<>();

    private final Ledger ledger = new Ledger();

    static List<Long> seeds() {
        Long given = Long.getLong("headstone.test.seed");
        return given == null ? new Random().longs(4).boxed().toList() : List.of(given);
    }

    @ParameterizedTest(name = "headstone.test.seed={0}")
    @MethodSource("seeds")
    void nothingIsLostAndNoKeyOvertakesItself(long seed) {
        System.out.println("headstone.test.seed=" + seed);
        Random random = new Random(seed);
        List<String> leaves = new ArrayList<>(List.of(streams.open(null), streams.open(null)));
        List<StreamSource> sources = new ArrayList<>();
        sources.add(start("process-0", random.nextLong()));
        for (int i = 1; i <= WRITES; i++) {
            write(random, leaves);
            trouble(random, leaves, sources, i);
            clock.advance(Duration.ofMillis(random.nextInt(200)));
            if (random.nextInt(8) == 0) {
                letHandlersRun();
            }
        }
        ledger.calm();

        eventually(
                () -> {
                    clock.advance(Duration.ofSeconds(1));
                    return unsettled().isEmpty();
                });
        sources.forEach(StreamSource::close);

        assertThat(ledger.overtakings()).isEmpty();
    }

    /**
     * Until the next call, so that trouble meets sources that are at work and not only a backlog.
     */
    private void letHandlersRun() {
        int calls = ledger.calls();
        eventually(
                () -> {
                    clock.advance(Duration.ofMillis(50));
                    return ledger.calls() > calls || unsettled().isEmpty();
                });
    }

    private void write(Random random, List<String> leaves) {
        int key = random.nextInt(KEYS);
        String code = "key-" + key;
        String sequenceNumber = streams.write(leaves.get(key % leaves.size()), code);
        written.computeIfAbsent(code, _ -> new ArrayList<>()).add(sequenceNumber);
        ledger.written(code, sequenceNumber);
    }

    private void trouble(Random random, List<String> leaves, List<StreamSource> sources, int step) {
        if (random.nextInt(15) == 0) {
            int leaf = random.nextInt(leaves.size());
            leaves.set(leaf, streams.roll(leaves.get(leaf)));
        }
        if (random.nextInt(20) == 0) {
            streams.expireIterators();
        }
        if (random.nextInt(10) == 0) {
            streams.fail(InternalServerErrorException.builder().message("down").build());
        }
        if (random.nextInt(12) == 0) {
            store.fail(1 + random.nextInt(3));
        }
        if (random.nextInt(25) == 0) {
            failed.refuse(2);
        }
        if (random.nextInt(60) == 0) {
            restart(sources, "process-" + step, random.nextLong(), random.nextBoolean());
        }
        if (random.nextInt(80) == 0 && sources.size() < 3) {
            sources.add(start("process-" + step, random.nextLong()));
        }
    }

    private void restart(List<StreamSource> sources, String owner, long seed, boolean crash) {
        if (crash) {
            // What was handled and what was to be released goes unsaid.
            store.fail(50);
        }
        sources.removeFirst().close();
        store.fail(0);
        sources.add(start(owner, seed));
    }

    private StreamSource start(String owner, long seed) {
        StreamSettings settings =
                StreamSettings.local("consumer", owner, FakeStreams.ARN)
                        .withBatchSize(8)
                        .withIdlePoll(Duration.ofMillis(1))
                        .withDiscovery(Duration.ofMillis(10))
                        .withHandlerDeadline(Duration.ofMillis(200))
                        .withRetries(
                                new Retries(
                                        2,
                                        Optional.empty(),
                                        new Backoff(Duration.ofMillis(1), Duration.ofMillis(4))));
        StreamSource source =
                new StreamSource(
                        settings,
                        streams,
                        new InMemoryShardCheckpoints(store, owner, Duration.ofSeconds(15), clock),
                        ledger.handler(seed),
                        failed,
                        new SimpleMeterRegistry(),
                        clock,
                        new Random(seed));
        source.start();
        return source;
    }

    private Set<String> unsettled() {
        Set<String> unsettled = new HashSet<>();
        written.values().forEach(unsettled::addAll);
        unsettled.removeAll(ledger.handled());
        unsettled.removeAll(discarded());
        return unsettled;
    }

    private Set<String> discarded() {
        Set<String> discarded = new HashSet<>();
        for (FailedBatch batch : failed.list(Integer.MAX_VALUE)) {
            try {
                JSON.readTree(batch.event())
                        .path("Records")
                        .forEach(r -> discarded.add(r.at("/dynamodb/SequenceNumber").asText()));
            } catch (java.io.IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
        }
        return discarded;
    }

    /**
     * Knows what was written, handles it with all the ways to fail, and notes when a record is
     * handled too early.
     */
    private final class Ledger {
        private final Map<String, List<String>> order = new HashMap<>();
        private final Set<String> handled = new HashSet<>();
        private final List<String> overtakings = new ArrayList<>();
        private boolean calm;
        private int calls;

        synchronized void written(String code, String sequenceNumber) {
            order.computeIfAbsent(code, _ -> new ArrayList<>()).add(sequenceNumber);
        }

        synchronized void calm() {
            calm = true;
        }

        synchronized int calls() {
            return calls;
        }

        synchronized Set<String> handled() {
            return Set.copyOf(handled);
        }

        synchronized List<String> overtakings() {
            return List.copyOf(overtakings);
        }

        EventHandler handler(long seed) {
            Random random = new Random(seed);
            return (event, _) -> handle(event, random);
        }

        private byte[] handle(byte[] event, Random random) throws Exception {
            JsonNode records = JSON.readTree(event).path("Records");
            int mood;
            synchronized (this) {
                calls++;
                mood = calm ? 99 : random.nextInt(40);
            }
            switch (mood) {
                case 0, 1 -> throw new IllegalStateException("before anything");
                case 2 -> new CountDownLatch(1).await();
                case 3 -> {
                    return "not JSON".getBytes(StandardCharsets.UTF_8);
                }
                case 4 -> {
                    return RecordingHandler.failure("1");
                }
                case 5, 6, 7 -> {
                    int failing = random.nextInt(records.size());
                    for (int i = 0; i < failing; i++) {
                        note(records.get(i));
                    }
                    return RecordingHandler.failure(number(records.get(failing)));
                }
                case 8 -> {
                    records.forEach(this::note);
                    throw new IllegalStateException("after everything");
                }
                default -> records.forEach(this::note);
            }
            return new byte[0];
        }

        private synchronized void note(JsonNode record) {
            String code = record.at("/dynamodb/Keys/short_code/S").asText();
            String sequenceNumber = number(record);
            if (handled.contains(sequenceNumber)) {
                return;
            }
            Set<String> discarded = discarded();
            for (String earlier : order.getOrDefault(code, List.of())) {
                if (earlier.equals(sequenceNumber)) {
                    break;
                }
                if (!handled.contains(earlier) && !discarded.contains(earlier)) {
                    overtakings.add(sequenceNumber + " of " + code + " before " + earlier);
                }
            }
            handled.add(sequenceNumber);
        }

        private static String number(JsonNode record) {
            return record.at("/dynamodb/SequenceNumber").asText();
        }
    }
}
