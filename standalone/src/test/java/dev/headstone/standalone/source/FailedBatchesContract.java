package dev.headstone.standalone.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headstone.standalone.source.FailedBatch.Condition;
import java.time.Instant;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What must hold of a failure destination wherever it is. */
abstract class FailedBatchesContract {
    static final int CAPACITY = 3;

    /** A destination with room for {@link #CAPACITY} batches. */
    abstract FailedBatches batches();

    @Test
    void aBatchIsKeptWithAllThatIsKnownOfIt() {
        FailedBatches batches = batches();
        FailedBatch batch = batch(1, "{\"Records\":[\"ünï\"]}");

        assertThat(batches.store(batch)).isTrue();

        assertThat(batches.list(10)).containsExactly(batch);
        assertThat(batches.depth()).isEqualTo(1);
    }

    @Test
    void theSameBatchAgainReplacesTheFirst() {
        FailedBatches batches = batches();
        batches.store(batch(1, "first"));

        batches.store(batch(1, "second"));

        assertThat(batches.list(10)).extracting(FailedBatch::event).containsExactly("second");
    }

    @Test
    void batchesAreListedInTheOrderOfTheirShard() {
        FailedBatches batches = batches();
        batches.store(batch(11, "c"));
        batches.store(batch(9, "b"));
        batches.store(batch(1, "a"));

        assertThat(batches.list(2)).extracting(FailedBatch::event).containsExactly("a", "b");
    }

    @Test
    void aFullDestinationTakesNothingMore() {
        FailedBatches batches = batches();
        for (int i = 0; i < CAPACITY; i++) {
            assertThat(batches.store(batch(i, "event"))).isTrue();
        }

        assertThat(batches.store(batch(CAPACITY, "event"))).isFalse();
        assertThat(batches.depth()).isEqualTo(CAPACITY);

        batches.remove(batch(0, "event"));
        assertThat(batches.store(batch(CAPACITY, "event"))).isTrue();
    }

    @Test
    void aRemovedBatchIsGoneAndRemovingItAgainDoesNothing() {
        FailedBatches batches = batches();
        batches.store(batch(1, "a"));
        batches.store(batch(2, "b"));

        batches.remove(batch(1, "a"));
        batches.remove(batch(1, "a"));

        assertThat(batches.list(10)).extracting(FailedBatch::event).containsExactly("b");
    }

    @Test
    void anEventOfMegabytesThatDoesNotCompressIsKept() {
        FailedBatches batches = batches();
        String noise =
                new Random(1)
                        .ints(1_500_000, 0x20, 0x7f)
                        .collect(
                                StringBuilder::new,
                                StringBuilder::appendCodePoint,
                                StringBuilder::append)
                        .toString();

        batches.store(batch(1, noise));

        assertThat(batches.list(1).getFirst().event()).isEqualTo(noise);
        batches.remove(batch(1, noise));
        assertThat(batches.depth()).isZero();
    }

    static FailedBatch batch(int number, String event) {
        return new FailedBatch(
                FakeStreams.ARN,
                "shardId-00000000000000000001-00000000",
                Integer.toString(number * 100),
                Integer.toString(number * 100 + 5),
                Instant.parse("2026-12-01T00:00:00Z"),
                Instant.parse("2026-12-01T00:00:05Z"),
                3,
                Condition.RETRY_ATTEMPTS_EXHAUSTED,
                Instant.parse("2026-12-01T01:00:00.123Z"),
                4,
                number % 2 == 0 ? Optional.empty() : Optional.of("IllegalStateException"),
                event);
    }
}
