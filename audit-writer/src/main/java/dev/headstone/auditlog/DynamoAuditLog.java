package dev.headstone.auditlog;

import static dev.headstone.auditlog.AuditItems.number;
import static dev.headstone.auditlog.AuditItems.text;

import dev.headstone.auditlog.LogEntry.Event;
import dev.headstone.auditlog.LogEntry.Marker;
import dev.headstone.auditlog.LogEntry.Place;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/**
 * {@link AuditLog} in one DynamoDB table. An event and the marker of its id are put in one
 * transaction, each on the condition that its place is free: two writers cannot take the same
 * place, and an id cannot come in twice. Thread-safe.
 */
public final class DynamoAuditLog implements AuditLog {
    /** How often a writer looks for the end of a chain again after another one was faster. */
    static final int MOST_ATTEMPTS = 8;

    private static final int DAYS_AT_ONCE = 100;
    private static final int SWEEP_PAGE = 1_000;

    /** How often what a batch left unread is asked for again. */
    private static final int MOST_ROUNDS = 10;

    private static final String IF_FREE = "attribute_not_exists(" + AuditItems.CHAIN + ")";
    private static final String CONDITION_FAILED = "ConditionalCheckFailed";
    private static final String CONFLICT = "TransactionConflict";

    private final DynamoDbClient client;
    private final String table;
    private final InstantSource clock;
    private volatile long registeredDay = Long.MIN_VALUE;

    /**
     * @param client stays the caller's; its timeouts are the deadlines of this log
     * @param table as {@link AuditTables} creates it
     * @param clock tells when an event is recorded
     */
    public DynamoAuditLog(DynamoDbClient client, String table, InstantSource clock) {
        this.client = client;
        this.table = table;
        this.clock = clock;
    }

    @Override
    public Appended append(ReceivedEvent received) {
        try {
            for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
                Optional<Appended> outcome = tryAppend(received);
                if (outcome.isPresent()) {
                    return outcome.get();
                }
            }
            return new Appended.Failed(
                    new IllegalStateException(
                            "other writers were faster %d times".formatted(MOST_ATTEMPTS)));
        } catch (SdkException unreachable) {
            return new Appended.Failed(unreachable);
        }
    }

    /** Empty if another writer has taken the place meanwhile. */
    private Optional<Appended> tryAppend(ReceivedEvent received) {
        Event event = next(received);
        Map<String, AttributeValue> item = AuditItems.item(event);
        int bytes = AuditItems.bytes(item);
        if (bytes > AuditItems.MOST_BYTES) {
            return Optional.of(new Appended.TooLarge(bytes));
        }
        registerDay(TimeKey.of(event).epochDay());
        Marker marker =
                new Marker(
                        received.eventId(),
                        event.chain(),
                        event.seq(),
                        ChainHash.sha256(event.body()));
        try {
            client.transactWriteItems(
                    request ->
                            request.transactItems(putOnce(item), putOnce(AuditItems.item(marker))));
            return Optional.of(new Appended.Written(event));
        } catch (TransactionCanceledException cancelled) {
            return explain(received, cancelled);
        }
    }

    private Event next(ReceivedEvent received) {
        Optional<Event> last = last(received.chain());
        long seq = last.map(Event::seq).orElse(0L) + 1;
        String prevHash = last.map(Event::hash).orElse(ChainHash.NONE);
        return new Event(
                received.chain(),
                seq,
                received.body(),
                prevHash,
                ChainHash.of(prevHash, seq, received.body()),
                clock.instant().truncatedTo(ChronoUnit.MILLIS));
    }

    private TransactWriteItem putOnce(Map<String, AttributeValue> item) {
        return TransactWriteItem.builder()
                .put(put -> put.tableName(table).item(item).conditionExpression(IF_FREE))
                .build();
    }

    private Optional<Appended> explain(
            ReceivedEvent received, TransactionCanceledException cancelled) {
        List<String> reasons =
                cancelled.cancellationReasons().stream().map(CancellationReason::code).toList();
        if (reasons.size() == 2 && CONDITION_FAILED.equals(reasons.get(1))) {
            return repeated(received);
        }
        if (reasons.contains(CONDITION_FAILED) || reasons.contains(CONFLICT)) {
            return Optional.empty();
        }
        throw cancelled;
    }

    /** Also what a writer sees whose own first attempt came through although its reply was lost. */
    private Optional<Appended> repeated(ReceivedEvent received) {
        return get(AuditItems.markerPlace(received.eventId()))
                .map(AuditItems::marker)
                .map(
                        marker ->
                                Appended.repeated(
                                        received,
                                        marker,
                                        get(new Place(marker.chain(), marker.seq()))
                                                .map(item -> AuditItems.event(item).body())));
    }

    /**
     * Before the first event of a day, so that no event can be in a day that nobody looks into; a
     * day without events does no harm.
     */
    private void registerDay(long epochDay) {
        if (registeredDay == epochDay) {
            return;
        }
        try {
            client.putItem(
                    request ->
                            request.tableName(table)
                                    .item(AuditItems.day(epochDay))
                                    .conditionExpression(IF_FREE));
        } catch (ConditionalCheckFailedException known) {
            // another writer has recorded something on this day
        }
        registeredDay = epochDay;
    }

    @Override
    public Slice chain(String chain, long after, Optional<Instant> since, int limit) {
        Map<String, AttributeValue> values = new HashMap<>();
        values.put(":chain", text(chain));
        values.put(":after", number(after));
        QueryRequest.Builder query =
                QueryRequest.builder()
                        .tableName(table)
                        .consistentRead(true)
                        .keyConditionExpression("short_code = :chain AND seq > :after");
        since.ifPresent(
                from -> {
                    values.put(":since", text(TimeKey.text(from)));
                    query.filterExpression("recorded_at >= :since");
                });
        SliceBuilder slice = new SliceBuilder(limit);
        collect(query.expressionAttributeValues(values).build(), slice);
        return slice.build();
    }

    @Override
    public Slice recorded(TimeKey after, int limit) {
        SliceBuilder slice = new SliceBuilder(limit);
        long from = after.epochDay();
        List<Long> days;
        do {
            days = daysFrom(from);
            for (long day : days) {
                from = day + 1;
                if (!slice.knowsMore()) {
                    collectDay(day, after, slice);
                }
            }
        } while (days.size() == DAYS_AT_ONCE && !slice.knowsMore());
        return slice.build();
    }

    private List<Long> daysFrom(long epochDay) {
        return reading(
                () ->
                        client
                                .query(
                                        request ->
                                                request.tableName(table)
                                                        .consistentRead(true)
                                                        .limit(DAYS_AT_ONCE)
                                                        .keyConditionExpression(
                                                                "short_code = :days AND seq >="
                                                                        + " :from")
                                                        .expressionAttributeValues(
                                                                Map.of(
                                                                        ":days",
                                                                        text(AuditItems.DAYS),
                                                                        ":from",
                                                                        number(epochDay))))
                                .items()
                                .stream()
                                .map(item -> AuditItems.place(item).seq())
                                .toList());
    }

    private void collectDay(long day, TimeKey after, SliceBuilder slice) {
        TimeKey morning = TimeKey.ofDay(day);
        TimeKey from = morning.compareTo(after) > 0 ? morning : after;
        collect(
                QueryRequest.builder()
                        .tableName(table)
                        .indexName(AuditTables.BY_TIME)
                        .keyConditionExpression("#day = :day AND at_key > :after")
                        .expressionAttributeNames(Map.of("#day", AuditTables.DAY))
                        .expressionAttributeValues(
                                Map.of(":day", text(from.day()), ":after", text(from.text())))
                        .build(),
                slice);
    }

    /** Reads pages until there are no more or there is enough. */
    private void collect(QueryRequest query, SliceBuilder slice) {
        Map<String, AttributeValue> start = Map.of();
        do {
            QueryRequest.Builder page = query.toBuilder();
            if (query.filterExpression() == null) {
                page.limit(slice.room()); // with a filter it would count what is left out
            }
            if (!start.isEmpty()) {
                page.exclusiveStartKey(start);
            }
            QueryResponse response = reading(() -> client.query(page.build()));
            response.items().forEach(item -> slice.add(AuditItems.event(item)));
            start = response.hasLastEvaluatedKey() ? response.lastEvaluatedKey() : Map.of();
        } while (!start.isEmpty() && !slice.knowsMore());
    }

    @Override
    public void sweep(Optional<String> chain, Consumer<LogEntry> each) {
        ScanRequest.Builder scan =
                ScanRequest.builder().tableName(table).consistentRead(true).limit(SWEEP_PAGE);
        chain.ifPresent(
                name ->
                        scan.filterExpression("short_code = :chain OR #chain = :chain")
                                .expressionAttributeNames(Map.of("#chain", AuditItems.EVENT_CHAIN))
                                .expressionAttributeValues(Map.of(":chain", text(name))));
        Map<String, AttributeValue> start = Map.of();
        do {
            if (!start.isEmpty()) {
                scan.exclusiveStartKey(start);
            }
            var page = reading(() -> client.scan(scan.build()));
            for (Map<String, AttributeValue> item : page.items()) {
                AuditItems.entry(item).ifPresent(each);
            }
            start = page.hasLastEvaluatedKey() ? page.lastEvaluatedKey() : Map.of();
        } while (!start.isEmpty());
    }

    @Override
    public Set<Place> present(Set<Place> places) {
        return batchGet(places).stream().map(AuditItems::place).collect(Collectors.toSet());
    }

    @Override
    public Map<String, Marker> markers(Set<String> eventIds) {
        return batchGet(eventIds.stream().map(AuditItems::markerPlace).toList()).stream()
                .map(AuditItems::marker)
                .collect(Collectors.toMap(Marker::eventId, marker -> marker));
    }

    private List<Map<String, AttributeValue>> batchGet(Collection<Place> places) {
        List<Map<String, AttributeValue>> found = new ArrayList<>();
        KeysAndAttributes keys =
                KeysAndAttributes.builder()
                        .consistentRead(true)
                        .keys(places.stream().map(AuditItems::key).toList())
                        .build();
        Map<String, KeysAndAttributes> wanted = Map.of(table, keys);
        for (int round = 0; round < MOST_ROUNDS && !wanted.isEmpty(); round++) {
            Map<String, KeysAndAttributes> now = wanted;
            BatchGetItemResponse response =
                    reading(() -> client.batchGetItem(request -> request.requestItems(now)));
            found.addAll(response.responses().getOrDefault(table, List.of()));
            wanted = response.unprocessedKeys();
        }
        if (!wanted.isEmpty()) {
            throw new AuditLogUnavailable(
                    "the table left keys unread %d times".formatted(MOST_ROUNDS));
        }
        return found;
    }

    @Override
    public long lastSeq(String chain) {
        return reading(() -> last(chain)).map(Event::seq).orElse(0L);
    }

    private Optional<Event> last(String chain) {
        return client
                .query(
                        request ->
                                request.tableName(table)
                                        .consistentRead(true)
                                        .scanIndexForward(false)
                                        .limit(1)
                                        .keyConditionExpression("short_code = :chain")
                                        .expressionAttributeValues(Map.of(":chain", text(chain))))
                .items()
                .stream()
                .findFirst()
                .map(AuditItems::event);
    }

    private Optional<Map<String, AttributeValue>> get(Place place) {
        Map<String, AttributeValue> item =
                client.getItem(
                                request ->
                                        request.tableName(table)
                                                .consistentRead(true)
                                                .key(AuditItems.key(place)))
                        .item();
        return item.isEmpty() ? Optional.empty() : Optional.of(item);
    }

    private static <T> T reading(Supplier<T> call) {
        try {
            return call.get();
        } catch (SdkException unreachable) {
            throw new AuditLogUnavailable("the audit log's table cannot be read", unreachable);
        }
    }
}
