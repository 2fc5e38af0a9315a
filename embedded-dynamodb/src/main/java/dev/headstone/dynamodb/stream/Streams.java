package dev.headstone.dynamodb.stream;

import dev.headstone.dynamodb.error.ErrorType;
import dev.headstone.dynamodb.error.ServiceException;
import dev.headstone.dynamodb.schema.Arns;
import dev.headstone.dynamodb.schema.Catalog;
import dev.headstone.dynamodb.schema.KeySchema;
import dev.headstone.dynamodb.schema.Stream;
import dev.headstone.dynamodb.schema.StreamViewType;
import dev.headstone.dynamodb.schema.Table;
import dev.headstone.dynamodb.storage.Direction;
import dev.headstone.dynamodb.storage.Entries;
import dev.headstone.dynamodb.storage.KeyRange;
import dev.headstone.dynamodb.storage.Numbers;
import dev.headstone.dynamodb.storage.Transaction;
import dev.headstone.dynamodb.storage.View;
import dev.headstone.dynamodb.value.ValidationException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The streams of all tables. Numbers run without a gap through a stream, from shard to shard.
 * Thread-safe.
 */
public final class Streams {
    /** How long an iterator is valid, as at the service. */
    static final Duration ITERATOR_LIFETIME = Duration.ofMinutes(15);

    private static final int PAGE_BYTES = 1024 * 1024;

    /** One transaction trims at most that many records, so that writers do not wait long. */
    private static final int TRIM_BATCH = 500;

    private static final DateTimeFormatter LABEL =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS", Locale.ROOT)
                    .withZone(ZoneOffset.UTC);

    private final Catalog catalog;
    private final StreamLimits limits;

    /** The streams that {@code catalog} lists. */
    public Streams(Catalog catalog, StreamLimits limits) {
        this.catalog = catalog;
        this.limits = limits;
    }

    /** Opens a stream with one shard. */
    public Stream create(
            Transaction transaction,
            String tableName,
            KeySchema key,
            StreamViewType viewType,
            Instant now) {
        Stream stream =
                new Stream(
                        tableName,
                        freeLabel(transaction, tableName, now),
                        viewType,
                        key,
                        now,
                        Optional.empty(),
                        catalog.newTree(transaction));
        put(transaction, stream, Shard.open(stream, Optional.empty(), 1, now));
        new Head(1, 1).write(transaction, stream);
        return stream;
    }

    /** Two streams of one table's name need different labels, even within a millisecond. */
    private String freeLabel(View view, String tableName, Instant now) {
        Instant at = now;
        while (catalog.stream(view, arn(tableName, at)).isPresent()) {
            at = at.plusMillis(1);
        }
        return LABEL.format(at);
    }

    private static String arn(String tableName, Instant at) {
        return Arns.stream(tableName, LABEL.format(at));
    }

    /** Adds a record of {@code change} to the stream of {@code table}, if it has one. */
    public void append(Transaction transaction, Table table, Change change, Instant now) {
        table.stream().ifPresent(stream -> append(transaction, stream, change, now));
    }

    private void append(Transaction transaction, Stream stream, Change change, Instant now) {
        Head head = rolled(transaction, stream, Head.read(transaction, stream), now);
        transaction.put(
                stream.records(),
                Numbers.ofLong(head.next),
                StreamRecord.encode(change, stream.viewType(), now));
        head.advanced().write(transaction, stream);
    }

    /** Closes the open shard and opens its child if it is full, or old and not empty. */
    public void rollIfDue(Transaction transaction, Stream stream, Instant now) {
        Head head = Head.read(transaction, stream);
        Head rolled = rolled(transaction, stream, head, now);
        if (!rolled.equals(head)) {
            rolled.write(transaction, stream);
        }
    }

    /** Whether {@link #rollIfDue} would change anything. */
    public boolean isRollDue(View view, Stream stream, Instant now) {
        Head head = Head.read(view, stream);
        return stream.disabledAt().isEmpty() && isRollDue(head, openShard(view, stream, head), now);
    }

    private Head rolled(Transaction transaction, Stream stream, Head head, Instant now) {
        Shard open = openShard(transaction, stream, head);
        if (!isRollDue(head, open, now)) {
            return head;
        }
        put(transaction, stream, open.closed(head.next - 1));
        put(transaction, stream, Shard.open(stream, Optional.of(open), head.next, now));
        return new Head(head.next, head.next);
    }

    private boolean isRollDue(Head head, Shard open, Instant now) {
        long records = head.next - open.first();
        boolean full = records >= limits.shardRecords();
        boolean old = !now.isBefore(open.createdAt().plus(limits.shardAge()));
        return records > 0 && (full || old);
    }

    /** Ends a stream. It stays readable until its last record is trimmed. */
    public void disable(Transaction transaction, Stream stream, Instant now) {
        Head head = Head.read(transaction, stream);
        put(transaction, stream, openShard(transaction, stream, head).closed(head.next - 1));
        catalog.put(transaction, stream.disabled(now));
    }

    /**
     * Removes records that are older than the stream keeps them, closed shards that have no others,
     * and the stream itself if it was disabled that long ago.
     *
     * @return whether there may be more to remove
     */
    public boolean trim(Transaction transaction, Stream stream, Instant now) {
        Instant horizon = now.minus(limits.retention());
        Entries entries = transaction.entries(stream.records(), KeyRange.ALL, Direction.FORWARD);
        int trimmed = 0;
        long oldest = Head.read(transaction, stream).next;
        while (entries.next()) {
            if (trimmed == TRIM_BATCH || !StreamRecord.at(entries.value()).isBefore(horizon)) {
                oldest = Numbers.readLong(entries.key());
                break;
            }
            transaction.remove(stream.records(), entries.key());
            trimmed++;
        }
        removeShardsBefore(transaction, stream, oldest);
        if (trimmed < TRIM_BATCH
                && stream.disabledAt().map(at -> at.isBefore(horizon)).orElse(false)) {
            remove(transaction, stream);
        }
        return trimmed == TRIM_BATCH;
    }

    /** Whether {@link #trim} would remove anything. */
    public boolean isTrimDue(View view, Stream stream, Instant now) {
        Instant horizon = now.minus(limits.retention());
        Entries entries = view.entries(stream.records(), KeyRange.ALL, Direction.FORWARD);
        if (entries.next()) {
            return StreamRecord.at(entries.value()).isBefore(horizon);
        }
        return stream.disabledAt().map(at -> at.isBefore(horizon)).orElse(false);
    }

    private static void removeShardsBefore(Transaction transaction, Stream stream, long oldest) {
        for (Shard shard : shards(transaction, stream)) {
            if (shard.last().isPresent()
                    && shard.last().getAsLong() < oldest
                    && stream.disabledAt().isEmpty()) {
                transaction.remove(Catalog.SHARDS, Shard.key(stream, shard.first()));
            }
        }
    }

    private void remove(Transaction transaction, Stream stream) {
        for (Shard shard : shards(transaction, stream)) {
            transaction.remove(Catalog.SHARDS, Shard.key(stream, shard.first()));
        }
        transaction.remove(Catalog.STREAM_NUMBERS, Head.key(stream));
        catalog.remove(transaction, stream);
    }

    /**
     * Describes a stream with up to {@code limit} of its shards, behind {@code after} if given, and
     * only the children of {@code parent} if given.
     *
     * @throws ServiceException if there is no such stream
     */
    public StreamDescription describe(
            View view, String arn, Optional<String> after, Optional<String> parent, int limit) {
        Stream stream = stream(view, arn);
        List<StreamDescription.ShardDescription> page = new ArrayList<>();
        boolean behind = after.isEmpty();
        for (Shard shard : shards(view, stream)) {
            if (behind && (parent.isEmpty() || parent.equals(shard.parent()))) {
                if (page.size() == limit) {
                    return new StreamDescription(stream, page, Optional.of(page.getLast().id()));
                }
                page.add(StreamDescription.ShardDescription.of(shard));
            }
            behind |= after.isPresent() && after.get().equals(shard.id());
        }
        return new StreamDescription(stream, page, Optional.empty());
    }

    /**
     * An iterator over a shard.
     *
     * @throws ServiceException if there is no such stream or shard, or the record is trimmed
     * @throws ValidationException if the sequence number is not one of the shard's
     */
    public String iterator(
            View view, String arn, String shardId, IteratorStart start, Instant now) {
        Stream stream = stream(view, arn);
        Shard shard =
                shards(view, stream).stream()
                        .filter(candidate -> candidate.id().equals(shardId))
                        .findFirst()
                        .orElseThrow(
                                () ->
                                        new ServiceException(
                                                ErrorType.RESOURCE_NOT_FOUND,
                                                "Requested resource not found: Shard does not exist"));
        OptionalLong next =
                switch (start) {
                    case IteratorStart.TrimHorizon _ -> OptionalLong.empty();
                    case IteratorStart.Latest _ ->
                            OptionalLong.of(
                                    shard.last().isPresent()
                                            ? shard.last().getAsLong() + 1
                                            : Head.read(view, stream).next);
                    case IteratorStart.At(String text) ->
                            OptionalLong.of(number(view, stream, shard, text));
                    case IteratorStart.After(String text) ->
                            OptionalLong.of(number(view, stream, shard, text) + 1);
                };
        return new ShardIterator(arn, shard.first(), next, now).text();
    }

    private static long number(View view, Stream stream, Shard shard, String sequenceNumber) {
        long number = SequenceNumber.parse(sequenceNumber);
        long last = shard.last().orElseGet(() -> Head.read(view, stream).next - 1);
        if (number < shard.first() || number > last) {
            throw new ValidationException("Invalid SequenceNumber");
        }
        if (number < oldest(view, stream)) {
            throw trimmed();
        }
        return number;
    }

    /**
     * Reads up to {@code limit} records, and up to 1 MB of them.
     *
     * @throws ServiceException if the iterator has expired, its stream is gone, or the record it
     *     points to is trimmed
     * @throws ValidationException if it is none
     */
    public RecordPage read(View view, String iteratorText, int limit, Instant now) {
        ShardIterator iterator = ShardIterator.parse(iteratorText);
        if (now.isAfter(iterator.issuedAt().plus(ITERATOR_LIFETIME))) {
            throw new ServiceException(
                    ErrorType.EXPIRED_ITERATOR,
                    "The shard iterator has expired. Shard iterators are valid for 15 minutes.");
        }
        Stream stream = stream(view, iterator.streamArn());
        Shard shard =
                view.get(Catalog.SHARDS, Shard.key(stream, iterator.shardFirst()))
                        .map(Shard::decode)
                        .orElseThrow(Streams::trimmed);
        long oldest = oldest(view, stream);
        long start = iterator.next().orElse(Math.max(oldest, shard.first()));
        boolean atEnd = shard.last().isPresent() && start > shard.last().getAsLong();
        if (start < oldest && !atEnd) {
            throw trimmed();
        }
        List<StreamRecord> records = read(view, stream, shard, start, limit);
        long next = records.isEmpty() ? start : records.getLast().number() + 1;
        boolean ended = shard.last().isPresent() && next > shard.last().getAsLong();
        return new RecordPage(
                stream,
                records,
                ended
                        ? Optional.empty()
                        : Optional.of(
                                new ShardIterator(
                                                stream.arn(),
                                                shard.first(),
                                                OptionalLong.of(next),
                                                now)
                                        .text()));
    }

    private static List<StreamRecord> read(
            View view, Stream stream, Shard shard, long start, int limit) {
        KeyRange range =
                KeyRange.between(
                        Numbers.ofLong(start),
                        Numbers.ofLong(shard.last().orElse(Long.MAX_VALUE - 1) + 1));
        List<StreamRecord> records = new ArrayList<>();
        long bytes = 0;
        Entries entries = view.entries(stream.records(), range, Direction.FORWARD);
        while (records.size() < limit && entries.next()) {
            bytes += entries.value().length;
            if (bytes > PAGE_BYTES && !records.isEmpty()) {
                break;
            }
            records.add(StreamRecord.decode(Numbers.readLong(entries.key()), entries.value()));
        }
        return records;
    }

    private Stream stream(View view, String arn) {
        return catalog.stream(view, arn)
                .orElseThrow(
                        () ->
                                new ServiceException(
                                        ErrorType.RESOURCE_NOT_FOUND,
                                        "Requested resource not found: Stream: %s not found"
                                                .formatted(arn)));
    }

    private static ServiceException trimmed() {
        return new ServiceException(
                ErrorType.TRIMMED_DATA_ACCESS,
                "The operation attempted to read past the oldest stream record in a shard.");
    }

    /** The number of the oldest record there is; of the next one, if there is none. */
    private static long oldest(View view, Stream stream) {
        Entries entries = view.entries(stream.records(), KeyRange.ALL, Direction.FORWARD);
        return entries.next() ? Numbers.readLong(entries.key()) : Head.read(view, stream).next;
    }

    private static List<Shard> shards(View view, Stream stream) {
        List<Shard> shards = new ArrayList<>();
        Entries entries =
                view.entries(
                        Catalog.SHARDS,
                        KeyRange.startingWith(Shard.keyPrefix(stream)),
                        Direction.FORWARD);
        while (entries.next()) {
            shards.add(Shard.decode(entries.value()));
        }
        return shards;
    }

    private static Shard openShard(View view, Stream stream, Head head) {
        return view.get(Catalog.SHARDS, Shard.key(stream, head.openShardFirst))
                .map(Shard::decode)
                .orElseThrow();
    }

    private static void put(Transaction transaction, Stream stream, Shard shard) {
        transaction.put(Catalog.SHARDS, Shard.key(stream, shard.first()), shard.encode());
    }

    /**
     * Where a stream grows.
     *
     * @param next the number of its next record
     * @param openShardFirst which of its shards is open
     */
    private record Head(long next, long openShardFirst) {
        static Head read(View view, Stream stream) {
            ByteBuffer in =
                    ByteBuffer.wrap(view.get(Catalog.STREAM_NUMBERS, key(stream)).orElseThrow());
            return new Head(in.getLong(), in.getLong());
        }

        Head advanced() {
            return new Head(next + 1, openShardFirst);
        }

        void write(Transaction transaction, Stream stream) {
            transaction.put(
                    Catalog.STREAM_NUMBERS,
                    key(stream),
                    ByteBuffer.allocate(2 * Long.BYTES)
                            .putLong(next)
                            .putLong(openShardFirst)
                            .array());
        }

        static byte[] key(Stream stream) {
            return ByteBuffer.allocate(Integer.BYTES).putInt(stream.records().id()).array();
        }
    }
}
