package dev.headstone.standalone.source;

import dev.headstone.standalone.source.Answer.Accepted;
import dev.headstone.standalone.source.Answer.Failed;
import dev.headstone.standalone.source.Answer.ItemsFailed;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.CreateTableRequest;
import software.amazon.awssdk.services.dynamodb.model.DescribeStreamRequest;
import software.amazon.awssdk.services.dynamodb.model.Shard;
import software.amazon.awssdk.services.dynamodb.model.StreamDescription;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;

/**
 * Polls a DynamoDB stream and hands its records to a handler as Lambda's event source mapping does:
 * shard by shard, parents before children, in order, at least once.
 *
 * <p>A new consumer starts at the oldest record there is ({@code TRIM_HORIZON}). Where each shard
 * stands is kept in a table, so that a restart goes on where the last run stopped; a record that
 * was handled and not yet noted comes again. The handler is called for several shards at once,
 * never twice at once for one.
 */
public final class StreamSource implements EventSource {
    private static final Logger LOG = LoggerFactory.getLogger(StreamSource.class);

    /** DescribeStream gives at most 100 shards a page; no stream of ours has this many pages. */
    private static final int MOST_PAGES = 1000;

    /** How much of a lease may pass before it is renewed. */
    private static final int RENEWALS_PER_LEASE = 3;

    private final StreamSettings settings;
    private final DynamoDbStreamsClient streams;
    private final ShardCheckpoints checkpoints;
    private final FailedBatches failed;
    private final Invoker invoker;
    private final StreamRecordJson records;
    private final StreamMeters meters;
    private final SourceHealth health;
    private final InstantSource clock;
    private final RandomGenerator random;
    private final StopSignal stop = new StopSignal();
    private final SourceThreads threads;
    private final ConcurrentMap<String, ShardPlace> places = new ConcurrentHashMap<>();

    /** Has a permit when there is reason to look for shards before it is time. */
    private final Semaphore lookNow = new Semaphore(0);

    /**
     * Wires a source; it does nothing until {@link #start}.
     *
     * @param dynamoDb for the checkpoints
     * @param checkpointTable its form is {@link #checkpointTable}; it must be there
     * @param failed where records go that are given up
     * @param random spreads waits; must be thread-safe
     */
    public StreamSource(
            StreamSettings settings,
            DynamoDbStreamsClient streams,
            DynamoDbClient dynamoDb,
            String checkpointTable,
            EventHandler handler,
            FailedBatches failed,
            MeterRegistry registry,
            InstantSource clock,
            RandomGenerator random) {
        this(
                settings,
                streams,
                new DynamoDbShardCheckpoints(dynamoDb, checkpointTable, settings, clock),
                handler,
                failed,
                registry,
                clock,
                random);
    }

    StreamSource(
            StreamSettings settings,
            DynamoDbStreamsClient streams,
            ShardCheckpoints checkpoints,
            EventHandler handler,
            FailedBatches failed,
            MeterRegistry registry,
            InstantSource clock,
            RandomGenerator random) {
        this.settings = settings;
        this.streams = streams;
        this.checkpoints = checkpoints;
        this.failed = failed;
        this.invoker =
                new Invoker(
                        settings.consumer(),
                        handler,
                        settings.handlerDeadline(),
                        settings.concurrency(),
                        clock);
        this.records = new StreamRecordJson(settings.streamArn(), clock);
        this.meters = new StreamMeters(settings.consumer(), registry, clock);
        this.health = new SourceHealth(clock);
        this.clock = clock;
        this.random = random;
        this.threads = new SourceThreads(settings.consumer(), health);
    }

    /** The checkpoints' table as it has to be created. */
    public static CreateTableRequest checkpointTable(String name) {
        return DynamoDbShardCheckpoints.table(name);
    }

    @Override
    public String name() {
        return settings.consumer();
    }

    @Override
    public SourceState state() {
        return health.state();
    }

    @Override
    public void start() {
        threads.begin();
        threads.run("shards", this::look);
        threads.run("leases", this::keepLeases);
    }

    @Override
    public void close() {
        stop.give();
        lookNow.release();
        threads.end(CLOSE_GRACE);
        health.stopped();
    }

    /**
     * Hands batches that were given up to the handler once more and removes those that it settles
     * whole.
     *
     * @param limit how many batches at most
     * @return how many were settled
     * @throws InterruptedException when the calling thread is interrupted; what was not yet settled
     *     stays
     */
    public int redrive(int limit) throws InterruptedException {
        int settled = 0;
        for (FailedBatch batch : failed.list(limit)) {
            Answer answer = invoker.invoke(batch.event().getBytes(StandardCharsets.UTF_8));
            meters.answered(answer);
            settled +=
                    switch (answer) {
                        case Accepted _ -> {
                            failed.remove(batch);
                            yield 1;
                        }
                        case ItemsFailed _, Failed _ -> 0;
                    };
        }
        return settled;
    }

    private void look() throws InterruptedException {
        while (!stop.stopping()) {
            try {
                startReaders();
                health.well("shards");
            } catch (RuntimeException e) {
                health.ill("shards", Faults.name(e));
                LOG.atWarn()
                        .addKeyValue("stream", settings.streamArn())
                        .addKeyValue("fault", Faults.name(e))
                        .log("shards not looked up");
            }
            if (lookNow.tryAcquire(settings.discovery().toNanos(), TimeUnit.NANOSECONDS)) {
                lookNow.drainPermits();
            }
        }
    }

    private void startReaders() {
        List<Shard> shards = describe();
        ShardLineage lineage = new ShardLineage(shards, checkpoints.positions());
        for (String shardId : lineage.ready()) {
            if (!places.containsKey(shardId) && !stop.stopping()) {
                checkpoints.acquire(shardId).ifPresent(this::startReader);
            }
        }
        lineage.trimmed().forEach(this::noteTrimmed);
        lineage.past().forEach(checkpoints::forget);
    }

    private List<Shard> describe() {
        List<Shard> shards = new ArrayList<>();
        DescribeStreamRequest.Builder request =
                DescribeStreamRequest.builder()
                        .streamArn(settings.streamArn())
                        .overrideConfiguration(o -> o.apiCallTimeout(settings.requestTimeout()));
        for (int page = 0; page < MOST_PAGES; page++) {
            StreamDescription description =
                    streams.describeStream(request.build()).streamDescription();
            shards.addAll(description.shards());
            if (description.lastEvaluatedShardId() == null) {
                return shards;
            }
            request.exclusiveStartShardId(description.lastEvaluatedShardId());
        }
        throw new IllegalStateException("stream has more than %d pages".formatted(MOST_PAGES));
    }

    private void noteTrimmed(String shardId) {
        meters.trimmed();
        LOG.atError()
                .addKeyValue("shard", shardId)
                .log("shard is gone, perhaps before its end was read");
    }

    private void startReader(ShardLease lease) {
        ShardPlace place = new ShardPlace(checkpoints, health, clock, lease);
        places.put(lease.shardId(), place);
        LOG.atInfo().addKeyValue("shard", lease.shardId()).log("reading shard");
        threads.run(lease.shardId(), () -> read(place));
    }

    private void read(ShardPlace place) throws InterruptedException {
        try {
            new ShardReader(
                            streams, settings, records, batches(), place, meters, health, random,
                            stop)
                    .run();
        } finally {
            // An interrupt that came too late for the batch must not keep the lease from its end.
            boolean interrupted = Thread.interrupted();
            place.release();
            health.forget(place.shardId());
            places.remove(place.shardId());
            lookNow.release();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private BatchRun batches() {
        return new BatchRun(
                settings.streamArn(),
                invoker,
                settings.retries(),
                failed,
                meters,
                health,
                clock,
                random,
                stop);
    }

    private void keepLeases() throws InterruptedException {
        Duration wait = settings.lease().dividedBy(RENEWALS_PER_LEASE);
        while (stop.hold(wait)) {
            Map.copyOf(places).values().forEach(ShardPlace::renew);
        }
    }
}
