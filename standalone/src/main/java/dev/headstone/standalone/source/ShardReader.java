package dev.headstone.standalone.source;

import dev.headstone.standalone.source.ShardPosition.After;
import dev.headstone.standalone.source.ShardPosition.End;
import dev.headstone.standalone.source.ShardPosition.Horizon;
import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.dynamodb.model.ExpiredIteratorException;
import software.amazon.awssdk.services.dynamodb.model.GetRecordsResponse;
import software.amazon.awssdk.services.dynamodb.model.GetShardIteratorRequest;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;
import software.amazon.awssdk.services.dynamodb.model.ShardIteratorType;
import software.amazon.awssdk.services.dynamodb.model.TrimmedDataAccessException;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;

/**
 * Reads one shard from its checkpoint to its end, a page at a time; a page, at most 1 MB, is a
 * batch. Runs on one thread.
 *
 * @see <a
 *     href="https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_streams_GetRecords.html">GetRecords</a>
 */
final class ShardReader {
    private static final Logger LOG = LoggerFactory.getLogger(ShardReader.class);

    /**
     * The wait after an error: short, since polling is what the source is there for, and never
     * silent for long.
     */
    private static final Backoff ERRORS = new Backoff(Duration.ofMillis(50), Duration.ofSeconds(2));

    /**
     * After so many polls that brought nothing, a shard is polled a third as often: on a small
     * machine the polls of an idle table would take a tenth of a core from the clicks.
     */
    private static final int POLLS_UNTIL_QUIET = 50;

    private static final int QUIET_FACTOR = 3;

    private final DynamoDbStreamsClient streams;
    private final StreamSettings settings;
    private final StreamRecordJson records;
    private final BatchRun batches;
    private final ShardPlace place;
    private final StreamMeters meters;
    private final SourceHealth health;
    private final RandomGenerator random;
    private final Pause pause;

    private @Nullable String iterator;
    private boolean fromHorizon;
    private int errorsInARow;
    private int emptyPollsInARow;

    ShardReader(
            DynamoDbStreamsClient streams,
            StreamSettings settings,
            StreamRecordJson records,
            BatchRun batches,
            ShardPlace place,
            StreamMeters meters,
            SourceHealth health,
            RandomGenerator random,
            Pause pause) {
        this.streams = streams;
        this.settings = settings;
        this.records = records;
        this.batches = batches;
        this.place = place;
        this.meters = meters;
        this.health = health;
        this.random = random;
        this.pause = pause;
    }

    /** Reads until the shard's end, the loss of the lease, or the source's stop. */
    void run() throws InterruptedException {
        boolean more = true;
        while (more && !pause.stopping() && place.held()) {
            more = step();
        }
    }

    private boolean step() throws InterruptedException {
        try {
            boolean more = read();
            errorsInARow = 0;
            health.well(part());
            return more;
        } catch (ExpiredIteratorException e) {
            // Fifteen minutes after it was handed out: while a batch was tried again and again.
            iterator = null;
        } catch (TrimmedDataAccessException e) {
            meters.trimmed();
            LOG.atError()
                    .addKeyValue("shard", place.shardId())
                    .addKeyValue("from", position())
                    .log("records were trimmed, perhaps before they were read");
            iterator = null;
            fromHorizon = true;
        } catch (ResourceNotFoundException e) {
            // Whether the shard is gone for good is for the next look at the stream to say.
            return false;
        } catch (RuntimeException e) {
            iterator = null;
            health.ill(part(), Faults.name(e));
            LOG.atWarn()
                    .addKeyValue("shard", place.shardId())
                    .addKeyValue("fault", Faults.name(e))
                    .log("stream not read");
        }
        pause.hold(ERRORS.delay(errorsInARow++, random));
        return true;
    }

    /** One page. False at the shard's end. */
    private boolean read() throws InterruptedException {
        if (place.position() instanceof End) {
            return moreAfterEnd();
        }
        GetRecordsResponse page = page();
        if (page.hasRecords() && !page.records().isEmpty()) {
            List<StreamEntry> batch = page.records().stream().map(records::entry).toList();
            if (!batches.run(place.shardId(), batch, place)) {
                return false;
            }
            fromHorizon = false;
            emptyPollsInARow = 0;
        }
        iterator = page.nextShardIterator();
        if (iterator == null) {
            return moreAfterEnd();
        }
        if (page.records().isEmpty()) {
            pause.hold(idlePoll());
        }
        return true;
    }

    private Duration idlePoll() {
        emptyPollsInARow = Math.min(emptyPollsInARow + 1, POLLS_UNTIL_QUIET);
        return emptyPollsInARow < POLLS_UNTIL_QUIET
                ? settings.idlePoll()
                : settings.idlePoll().multipliedBy(QUIET_FACTOR);
    }

    /** Notes the end; there is more to do when that could not be written. */
    private boolean moreAfterEnd() throws InterruptedException {
        if (place.ended()) {
            return false;
        }
        pause.hold(ERRORS.delay(errorsInARow, random));
        return true;
    }

    private GetRecordsResponse page() {
        String from = iterator == null ? freshIterator() : iterator;
        return streams.getRecords(
                request ->
                        request.shardIterator(from)
                                .limit(settings.batchSize())
                                .overrideConfiguration(
                                        o -> o.apiCallTimeout(settings.requestTimeout())));
    }

    private String freshIterator() {
        GetShardIteratorRequest.Builder request =
                GetShardIteratorRequest.builder()
                        .streamArn(settings.streamArn())
                        .shardId(place.shardId())
                        .shardIteratorType(ShardIteratorType.TRIM_HORIZON)
                        .overrideConfiguration(o -> o.apiCallTimeout(settings.requestTimeout()));
        if (!fromHorizon && place.position() instanceof After(String sequenceNumber)) {
            request.shardIteratorType(ShardIteratorType.AFTER_SEQUENCE_NUMBER)
                    .sequenceNumber(sequenceNumber);
        }
        return streams.getShardIterator(request.build()).shardIterator();
    }

    private String position() {
        return switch (place.position()) {
            case Horizon _ -> "TRIM_HORIZON";
            case After(String sequenceNumber) -> sequenceNumber;
            case End _ -> "SHARD_END";
        };
    }

    private String part() {
        return place.shardId();
    }
}
