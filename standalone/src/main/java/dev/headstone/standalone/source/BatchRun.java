package dev.headstone.standalone.source;

import dev.headstone.standalone.source.Answer.Accepted;
import dev.headstone.standalone.source.Answer.Failed;
import dev.headstone.standalone.source.Answer.ItemsFailed;
import dev.headstone.standalone.source.Answer.Kind;
import dev.headstone.standalone.source.FailedBatch.Condition;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings the records of one shard to their end, in order, as Lambda's event source mapping does
 * with {@code ReportBatchItemFailures}, {@code BisectBatchOnFunctionError}, a retry limit, a record
 * age and an on-failure destination:
 *
 * <ul>
 *   <li>What is settled is settled at once: a later failure does not bring it back.
 *   <li>A reported failure splits the batch there, at the lowest sequence number; only the rest is
 *       tried again.
 *   <li>A batch that fails as a whole is halved until the bad record is alone. Splitting uses up no
 *       retry.
 *   <li>A record that fails alone is retried until the limit, then goes to the destination, and the
 *       shard goes on.
 * </ul>
 *
 * <p>A batch whose first record is reported has settled nothing, so it is halved too: AWS does not
 * say what happens then, and retrying it whole would in the end give up good records with the bad
 * one.
 *
 * <p>Called by one thread at a time per shard.
 *
 * @see <a
 *     href="https://docs.aws.amazon.com/lambda/latest/dg/services-ddb-batchfailurereporting.html">Bisecting
 *     a batch</a>
 * @see <a
 *     href="https://docs.aws.amazon.com/lambda/latest/dg/services-dynamodb-errors.html">Splitting
 *     batches doesn't consume the retry quota</a>
 */
final class BatchRun {
    private static final Logger LOG = LoggerFactory.getLogger(BatchRun.class);

    /** The shard's hold on its place in the stream. */
    interface Place {
        /** Whether this process may still handle the shard's records. */
        boolean held();

        /** Notes that everything up to this entry is settled. */
        void settled(StreamEntry entry);
    }

    private final String streamArn;
    private final Invoker invoker;
    private final Retries retries;
    private final FailedBatches failed;
    private final StreamMeters meters;
    private final SourceHealth health;
    private final InstantSource clock;
    private final RandomGenerator random;
    private final Pause pause;

    BatchRun(
            String streamArn,
            Invoker invoker,
            Retries retries,
            FailedBatches failed,
            StreamMeters meters,
            SourceHealth health,
            InstantSource clock,
            RandomGenerator random,
            Pause pause) {
        this.streamArn = streamArn;
        this.invoker = invoker;
        this.retries = retries;
        this.failed = failed;
        this.meters = meters;
        this.health = health;
        this.clock = clock;
        this.random = random;
        this.pause = pause;
    }

    /**
     * Handles a batch to its end.
     *
     * @return false when it stopped before: the source is stopping or the place is lost
     */
    boolean run(String shardId, List<StreamEntry> batch, Place place) throws InterruptedException {
        Deque<Piece> pending = new ArrayDeque<>();
        pending.push(Piece.fresh(batch));
        try {
            while (!pending.isEmpty()) {
                if (pause.stopping() || !place.held()) {
                    return false;
                }
                Piece piece = pending.pop();
                meters.inHand(shardId, piece.first().createdAt());
                step(shardId, piece, place, pending);
            }
            return true;
        } finally {
            meters.idle(shardId);
        }
    }

    private void step(String shardId, Piece piece, Place place, Deque<Piece> pending)
            throws InterruptedException {
        int expired = expired(piece.entries());
        if (expired > 0) {
            Piece old = piece;
            if (expired < piece.size()) {
                old = piece.upTo(expired);
                pending.push(piece.from(expired));
            }
            giveUp(shardId, old, Condition.RECORD_AGE_EXCEEDED, place, pending);
            return;
        }
        switch (invoke(piece)) {
            case Accepted _ -> settle(shardId, piece, place);
            case ItemsFailed(Set<String> identifiers) ->
                    resume(shardId, piece, identifiers, place, pending);
            case Failed failure -> retry(shardId, piece.failing(failure), place, pending);
        }
    }

    private int expired(List<StreamEntry> entries) {
        return retries.maximumAge()
                .map(age -> clock.instant().minus(age))
                .map(
                        oldest ->
                                (int)
                                        entries.stream()
                                                .takeWhile(e -> e.createdAt().isBefore(oldest))
                                                .count())
                .orElse(0);
    }

    private Answer invoke(Piece piece) throws InterruptedException {
        String event = StreamEntry.event(piece.entries());
        Answer answer = invoker.invoke(event.getBytes(StandardCharsets.UTF_8));
        meters.answered(answer);
        return answer;
    }

    private void settle(String shardId, Piece piece, Place place) {
        Instant now = clock.instant();
        piece.entries().forEach(entry -> meters.handled(Duration.between(entry.createdAt(), now)));
        health.well(shardId);
        place.settled(piece.last());
    }

    private void resume(
            String shardId, Piece piece, Set<String> identifiers, Place place, Deque<Piece> pending)
            throws InterruptedException {
        if (!piece.holdsAll(identifiers)) {
            Failed unknown = new Failed(Kind.MALFORMED, "itemIdentifier is not of the batch");
            retry(shardId, piece.failing(unknown), place, pending);
            return;
        }
        int lowest = piece.lowest(identifiers);
        if (lowest == 0) {
            retry(shardId, piece.failing(), place, pending);
            return;
        }
        settle(shardId, piece.upTo(lowest), place);
        pending.push(piece.from(lowest));
        reportTrouble(shardId, piece);
        pause.hold(retries.backoff().delay(0, random));
    }

    private void retry(String shardId, Piece piece, Place place, Deque<Piece> pending)
            throws InterruptedException {
        reportTrouble(shardId, piece);
        if (piece.size() > 1) {
            meters.bisected();
            pending.push(piece.secondHalf());
            pending.push(piece.firstHalf());
            pause.hold(retries.backoff().delay(0, random));
        } else if (retries.exhaustedBy(piece.invocations() - 1)) {
            giveUp(shardId, piece, Condition.RETRY_ATTEMPTS_EXHAUSTED, place, pending);
        } else {
            meters.retried();
            pending.push(piece);
            pause.hold(retries.backoff().delay(piece.invocations() - 1, random));
        }
    }

    private void giveUp(
            String shardId, Piece piece, Condition condition, Place place, Deque<Piece> pending)
            throws InterruptedException {
        if (!stored(shardId, piece.givenUp(streamArn, shardId, condition, clock.instant()))) {
            // Going on would lose the records; they are offered again, and may succeed by then.
            pending.push(piece);
            pause.hold(retries.backoff().ceiling());
            return;
        }
        meters.discarded(piece.size());
        LOG.atError()
                .addKeyValue("shard", shardId)
                .addKeyValue("from", piece.first().sequenceNumber())
                .addKeyValue("records", piece.size())
                .addKeyValue("condition", condition)
                .addKeyValue("fault", piece.fault().orElse("reported by the handler"))
                .log("records given up and sent to the failure destination");
        place.settled(piece.last());
    }

    private boolean stored(String shardId, FailedBatch batch) {
        try {
            if (failed.store(batch)) {
                return true;
            }
            health.ill(shardId, "failure destination is full");
        } catch (RuntimeException e) {
            health.ill(shardId, "failure destination: " + Faults.name(e));
        }
        return false;
    }

    private void reportTrouble(String shardId, Piece piece) {
        String fault = piece.fault().orElse("handler reported a record as failed");
        health.ill(shardId, fault);
        LOG.atWarn()
                .addKeyValue("shard", shardId)
                .addKeyValue("from", piece.first().sequenceNumber())
                .addKeyValue("records", piece.size())
                .addKeyValue("invocations", piece.invocations())
                .addKeyValue("fault", fault)
                .log("batch failed");
    }

    /**
     * A run of records that is tried as one, with how often exactly these were tried and failed.
     */
    private record Piece(List<StreamEntry> entries, int invocations, Optional<String> fault) {
        static Piece fresh(List<StreamEntry> entries) {
            return new Piece(entries, 0, Optional.empty());
        }

        int size() {
            return entries.size();
        }

        StreamEntry first() {
            return entries.getFirst();
        }

        StreamEntry last() {
            return entries.getLast();
        }

        Piece upTo(int index) {
            return fresh(entries.subList(0, index));
        }

        Piece from(int index) {
            return fresh(entries.subList(index, size()));
        }

        Piece firstHalf() {
            return upTo((size() + 1) / 2);
        }

        Piece secondHalf() {
            return from((size() + 1) / 2);
        }

        Piece failing() {
            return new Piece(entries, invocations + 1, Optional.empty());
        }

        Piece failing(Failed failure) {
            return new Piece(entries, invocations + 1, Optional.of(failure.fault()));
        }

        boolean holdsAll(Set<String> sequenceNumbers) {
            return entries.stream()
                            .map(StreamEntry::sequenceNumber)
                            .filter(sequenceNumbers::contains)
                            .distinct()
                            .count()
                    == sequenceNumbers.size();
        }

        int lowest(Set<String> sequenceNumbers) {
            return IntStream.range(0, size())
                    .filter(i -> sequenceNumbers.contains(entries.get(i).sequenceNumber()))
                    .findFirst()
                    .orElseThrow();
        }

        FailedBatch givenUp(String streamArn, String shardId, Condition condition, Instant at) {
            return new FailedBatch(
                    streamArn,
                    shardId,
                    first().sequenceNumber(),
                    last().sequenceNumber(),
                    first().createdAt(),
                    last().createdAt(),
                    size(),
                    condition,
                    at,
                    invocations,
                    fault,
                    StreamEntry.event(entries));
        }
    }
}
