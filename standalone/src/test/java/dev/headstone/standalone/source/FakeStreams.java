package dev.headstone.standalone.source;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.DescribeStreamRequest;
import software.amazon.awssdk.services.dynamodb.model.DescribeStreamResponse;
import software.amazon.awssdk.services.dynamodb.model.ExpiredIteratorException;
import software.amazon.awssdk.services.dynamodb.model.GetRecordsRequest;
import software.amazon.awssdk.services.dynamodb.model.GetRecordsResponse;
import software.amazon.awssdk.services.dynamodb.model.GetShardIteratorRequest;
import software.amazon.awssdk.services.dynamodb.model.GetShardIteratorResponse;
import software.amazon.awssdk.services.dynamodb.model.OperationType;
import software.amazon.awssdk.services.dynamodb.model.Record;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;
import software.amazon.awssdk.services.dynamodb.model.Shard;
import software.amazon.awssdk.services.dynamodb.model.ShardIteratorType;
import software.amazon.awssdk.services.dynamodb.model.StreamDescription;
import software.amazon.awssdk.services.dynamodb.model.StreamRecord;
import software.amazon.awssdk.services.dynamodb.model.StreamViewType;
import software.amazon.awssdk.services.dynamodb.model.TrimmedDataAccessException;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;

/** A stream in memory: shards that roll over, iterators that expire, records that are trimmed. */
final class FakeStreams implements DynamoDbStreamsClient {
    static final String ARN =
            "arn:aws:dynamodb:us-east-1:123456789012:table/Links/stream/2026-12-01T00:00:00.000";

    private static final int SHARDS_PER_PAGE = 2;

    private static final class FakeShard {
        private final String id;
        private final @Nullable String parent;
        private final List<Record> records = new ArrayList<>();
        private int trimmed;
        private boolean closed;

        FakeShard(String id, @Nullable String parent) {
            this.id = id;
            this.parent = parent;
        }
    }

    /** Where the next read begins, counted from the shard's first record ever. */
    private record Iterator(String shardId, int index, int generation) {}

    private final InstantSource clock;
    private final Map<String, FakeShard> shards = new LinkedHashMap<>();
    private final Map<String, Iterator> iterators = new HashMap<>();
    private final Deque<RuntimeException> faults = new ArrayDeque<>();
    private final Map<String, Integer> reads = new HashMap<>();
    private int generation;
    private long nextSequenceNumber = 1;
    private int nextShard = 1;
    private int looks;

    FakeStreams(InstantSource clock) {
        this.clock = clock;
    }

    synchronized String open(@Nullable String parent) {
        String id = "shardId-%020d-00000000".formatted(nextShard++);
        shards.put(id, new FakeShard(id, parent));
        return id;
    }

    /** Closes a shard and opens its child. */
    synchronized String roll(String shardId) {
        shard(shardId).closed = true;
        return open(shardId);
    }

    synchronized String write(String shardId, String code) {
        return write(shardId, code, clock.instant());
    }

    synchronized String write(String shardId, String code, Instant at) {
        String sequenceNumber = "%021d".formatted(nextSequenceNumber++ * 100);
        shard(shardId)
                .records
                .add(
                        Record.builder()
                                .eventID("event-" + sequenceNumber)
                                .eventName(OperationType.MODIFY)
                                .eventVersion("1.1")
                                .eventSource("aws:dynamodb")
                                .awsRegion("us-east-1")
                                .dynamodb(
                                        StreamRecord.builder()
                                                .approximateCreationDateTime(at)
                                                .keys(
                                                        Map.of(
                                                                "short_code",
                                                                AttributeValue.fromS(code)))
                                                .sequenceNumber(sequenceNumber)
                                                .sizeBytes(42L)
                                                .streamViewType(StreamViewType.NEW_AND_OLD_IMAGES)
                                                .build())
                                .build());
        return sequenceNumber;
    }

    /** Removes all records written so far to a shard. */
    synchronized void trim(String shardId) {
        FakeShard shard = shard(shardId);
        shard.trimmed = shard.records.size();
    }

    /** Removes a shard, as happens a day after its last record. */
    synchronized void remove(String shardId) {
        shards.remove(shardId);
    }

    synchronized void expireIterators() {
        generation++;
    }

    /** The next call of whatever kind fails so. */
    synchronized void fail(RuntimeException fault) {
        faults.add(fault);
    }

    synchronized int reads(String shardId) {
        return reads.getOrDefault(shardId, 0);
    }

    synchronized int looks() {
        return looks;
    }

    @Override
    public synchronized DescribeStreamResponse describeStream(DescribeStreamRequest request) {
        mayFail();
        looks++;
        List<FakeShard> all = List.copyOf(shards.values());
        int from = 0;
        while (request.exclusiveStartShardId() != null
                && !all.get(from++).id.equals(request.exclusiveStartShardId())) {}
        int to = Math.min(all.size(), from + SHARDS_PER_PAGE);
        return DescribeStreamResponse.builder()
                .streamDescription(
                        StreamDescription.builder()
                                .streamArn(ARN)
                                .shards(all.subList(from, to).stream().map(this::shown).toList())
                                .lastEvaluatedShardId(to < all.size() ? all.get(to - 1).id : null)
                                .build())
                .build();
    }

    private Shard shown(FakeShard shard) {
        return Shard.builder().shardId(shard.id).parentShardId(shard.parent).build();
    }

    @Override
    public synchronized GetShardIteratorResponse getShardIterator(GetShardIteratorRequest request) {
        mayFail();
        FakeShard shard = shard(request.shardId());
        int index =
                request.shardIteratorType() == ShardIteratorType.TRIM_HORIZON
                        ? shard.trimmed
                        : indexAfter(shard, request.sequenceNumber());
        return GetShardIteratorResponse.builder()
                .shardIterator(iterator(new Iterator(shard.id, index, generation)))
                .build();
    }

    private static int indexAfter(FakeShard shard, String sequenceNumber) {
        for (int i = 0; i < shard.records.size(); i++) {
            if (shard.records.get(i).dynamodb().sequenceNumber().equals(sequenceNumber)) {
                if (i < shard.trimmed) {
                    throw TrimmedDataAccessException.builder().message("trimmed").build();
                }
                return i + 1;
            }
        }
        throw new IllegalArgumentException("no record " + sequenceNumber);
    }

    private String iterator(Iterator iterator) {
        String token = "iterator-" + iterators.size();
        iterators.put(token, iterator);
        return token;
    }

    @Override
    public synchronized GetRecordsResponse getRecords(GetRecordsRequest request) {
        mayFail();
        Iterator iterator = Objects.requireNonNull(iterators.get(request.shardIterator()));
        if (iterator.generation() != generation) {
            throw ExpiredIteratorException.builder().message("expired").build();
        }
        FakeShard shard = shard(iterator.shardId());
        reads.merge(shard.id, 1, Integer::sum);
        if (iterator.index() < shard.trimmed) {
            throw TrimmedDataAccessException.builder().message("trimmed").build();
        }
        int to = Math.min(shard.records.size(), iterator.index() + request.limit());
        boolean ended = shard.closed && to == shard.records.size();
        return GetRecordsResponse.builder()
                .records(shard.records.subList(iterator.index(), to))
                .nextShardIterator(ended ? null : iterator(new Iterator(shard.id, to, generation)))
                .build();
    }

    private FakeShard shard(String shardId) {
        FakeShard shard = shards.get(shardId);
        if (shard == null) {
            throw ResourceNotFoundException.builder().message("no such shard").build();
        }
        return shard;
    }

    private void mayFail() {
        RuntimeException fault = faults.poll();
        if (fault != null) {
            throw fault;
        }
    }

    @Override
    public String serviceName() {
        return SERVICE_NAME;
    }

    @Override
    public void close() {}
}
