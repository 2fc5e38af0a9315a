package dev.headstone.table;

import static dev.headstone.table.LinkItem.number;
import static dev.headstone.table.LinkItem.text;

import dev.headstone.link.ShortCode;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BinaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;
import software.amazon.awssdk.services.dynamodb.model.TransactionInProgressException;
import software.amazon.awssdk.services.dynamodb.model.Update;

/**
 * {@link VisitTable} and {@link NotableLinks} on DynamoDB. Adding is not idempotent there by
 * itself, but a transaction is, by its client token; so visits are added in transactions. Deadlines
 * and retries are the client's. Safe for use by several threads.
 */
public final class DynamoVisitTable implements VisitTable, NotableLinks {
    /** A link's history of a hundred years; nothing here has no end. */
    private static final int MOST_PAGES = 100;

    private static final String VALIDATION = "ValidationError";
    private static final String CONFLICT = "TransactionConflict";

    private final DynamoDbClient dynamo;
    private final String table;

    /** The tables of these names must exist. */
    public DynamoVisitTable(DynamoDbClient dynamo, TableNames names) {
        this.dynamo = dynamo;
        this.table = names.visits();
    }

    @Override
    public VisitsAdded add(String id, List<Visits> batch) {
        List<TransactWriteItem> writes = batch.stream().map(this::addition).toList();
        try {
            dynamo.transactWriteItems(write -> write.transactItems(writes).clientRequestToken(id));
            return new VisitsAdded.Added();
        } catch (TransactionCanceledException e) {
            List<CancellationReason> reasons = e.cancellationReasons();
            return new VisitsAdded.NotAdded(
                    because(VALIDATION, reasons, batch), because(CONFLICT, reasons, batch), e);
        } catch (TransactionInProgressException e) {
            return new VisitsAdded.Unknown(e);
        } catch (DynamoDbException e) {
            return e.statusCode() < 500
                    ? new VisitsAdded.NotAdded(List.of(), List.of(), e)
                    : new VisitsAdded.Unknown(e);
        } catch (SdkException e) {
            return new VisitsAdded.Unknown(e);
        }
    }

    private static List<Visits> because(
            String code, List<CancellationReason> reasons, List<Visits> batch) {
        List<Visits> found = new ArrayList<>();
        for (int i = 0; i < Math.min(reasons.size(), batch.size()); i++) {
            if (code.equals(reasons.get(i).code())) {
                found.add(batch.get(i));
            }
        }
        return found;
    }

    private TransactWriteItem addition(Visits visits) {
        Map<String, AttributeValue> values = new HashMap<>();
        values.put(":code", text(visits.code().value()));
        values.put(":ranking", text(VisitItem.ranking(visits.day(), visits.code())));
        values.put(":last", number(visits.last().toEpochMilli()));
        values.put(":count", number(visits.count()));
        String purge =
                visits.purgeAt()
                        .map(
                                at -> {
                                    values.put(":purge", number(at.getEpochSecond()));
                                    return ", purge_at = if_not_exists(purge_at, :purge)";
                                })
                        .orElse("");
        Update update =
                Update.builder()
                        .tableName(table)
                        .key(key(VisitItem.bucket(visits.code(), visits.epoch()), visits.day()))
                        .updateExpression(
                                "SET short_code = :code, ranking = :ranking, last_visited_at = :last"
                                        + purge
                                        + " ADD visits :count, #day :count")
                        .expressionAttributeNames(
                                Map.of("#day", VisitItem.dayAttribute(visits.day())))
                        .expressionAttributeValues(values)
                        .build();
        return TransactWriteItem.builder().update(update).build();
    }

    private static Map<String, AttributeValue> key(String bucket, LocalDate day) {
        return Map.of(VisitItem.BUCKET, text(bucket), VisitItem.ENTRY, text(VisitItem.entry(day)));
    }

    @Override
    public VisitsRead read(ShortCode code, long epoch) {
        try {
            return new VisitsRead.Counted(history(months(code, epoch)));
        } catch (SdkException e) {
            return new VisitsRead.Failed(e);
        }
    }

    private List<Map<String, AttributeValue>> months(ShortCode code, long epoch) {
        QueryRequest query =
                QueryRequest.builder()
                        .tableName(table)
                        .keyConditionExpression("#bucket = :bucket")
                        .expressionAttributeNames(Map.of("#bucket", VisitItem.BUCKET))
                        .expressionAttributeValues(
                                Map.of(":bucket", text(VisitItem.bucket(code, epoch))))
                        .consistentRead(true)
                        .build();
        return dynamo.queryPaginator(query).stream()
                .limit(MOST_PAGES)
                .flatMap(page -> page.items().stream())
                .toList();
    }

    private static VisitHistory history(List<Map<String, AttributeValue>> months) {
        TreeMap<LocalDate, Long> byDay = new TreeMap<>();
        for (Map<String, AttributeValue> item : months) {
            month(item)
                    .ifPresent(
                            month -> {
                                for (int day = 1; day <= month.lengthOfMonth(); day++) {
                                    LocalDate date = month.atDay(day);
                                    natural(item, VisitItem.dayAttribute(date))
                                            .ifPresent(count -> byDay.put(date, count));
                                }
                            });
        }
        Optional<Instant> last =
                months.stream()
                        .flatMap(item -> natural(item, VisitItem.LAST).stream())
                        .max(Comparator.naturalOrder())
                        .map(Instant::ofEpochMilli);
        return new VisitHistory(byDay, last);
    }

    /** What is no month of ours counts nothing. */
    private static Optional<YearMonth> month(Map<String, AttributeValue> item) {
        try {
            return textOf(item, VisitItem.ENTRY).map(YearMonth::parse);
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    private static Optional<String> textOf(Map<String, AttributeValue> item, String name) {
        return Optional.ofNullable(item.get(name)).map(AttributeValue::s);
    }

    /** The number if it is one that may have been counted. */
    private static Optional<Long> natural(Map<String, AttributeValue> item, String name) {
        try {
            return Optional.ofNullable(item.get(name))
                    .map(AttributeValue::n)
                    .map(Long::parseLong)
                    .filter(value -> value > 0);
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    @Override
    public boolean keepUntil(ShortCode code, long epoch, Optional<Instant> purgeAt) {
        try {
            months(code, epoch).forEach(item -> keepUntil(item, purgeAt));
            return true;
        } catch (SdkException e) {
            return false;
        }
    }

    private void keepUntil(Map<String, AttributeValue> item, Optional<Instant> purgeAt) {
        Map<String, AttributeValue> values = new HashMap<>();
        purgeAt.ifPresent(at -> values.put(":purge", number(at.getEpochSecond())));
        dynamo.updateItem(
                update -> {
                    update.tableName(table)
                            .key(
                                    Map.of(
                                            VisitItem.BUCKET,
                                            item.getOrDefault(VisitItem.BUCKET, text("")),
                                            VisitItem.ENTRY,
                                            item.getOrDefault(VisitItem.ENTRY, text(""))))
                            .updateExpression(
                                    values.isEmpty() ? "REMOVE purge_at" : "SET purge_at = :purge");
                    if (!values.isEmpty()) {
                        update.expressionAttributeValues(values);
                    }
                });
    }

    @Override
    public Listing mostVisited(int most, Instant now) {
        return ranked(VisitItem.BY_VISITS, VisitItem.VISITS, most, now, Long::sum);
    }

    @Override
    public Listing visitedLast(int most, Instant now) {
        return ranked(VisitItem.BY_LAST, VisitItem.LAST, most, now, Long::max);
    }

    /**
     * The first of each shard of two months, put together. A link that is among the first of all is
     * among the first of its shard.
     */
    private Listing ranked(
            String index, String rank, int most, Instant now, BinaryOperator<Long> together) {
        YearMonth month = YearMonth.from(Visits.dayOf(now));
        Map<ShortCode, Long> ranks = new HashMap<>();
        try {
            Stream.of(month, month.minusMonths(1))
                    .flatMap(VisitItem::rankings)
                    .flatMap(ranking -> first(index, VisitItem.RANKING, ranking, most).stream())
                    .forEach(
                            item ->
                                    codeInBucket(item)
                                            .ifPresent(
                                                    code ->
                                                            ranks.merge(
                                                                    code,
                                                                    natural(item, rank).orElse(0L),
                                                                    together)));
        } catch (SdkException e) {
            return new Listing.Failed(e);
        }
        return new Listing.Listed(
                ranks.entrySet().stream()
                        .sorted(Map.Entry.<ShortCode, Long>comparingByValue().reversed())
                        .limit(most)
                        .map(Map.Entry::getKey)
                        .toList());
    }

    @Override
    public Listing newest(int most) {
        try {
            return new Listing.Listed(
                    VisitItem.newBuckets()
                            .flatMap(bucket -> first(null, VisitItem.BUCKET, bucket, most).stream())
                            .flatMap(item -> textOf(item, VisitItem.ENTRY).stream())
                            .sorted(Comparator.reverseOrder())
                            .flatMap(DynamoVisitTable::codeInEntry)
                            .distinct()
                            .limit(most)
                            .toList());
        } catch (SdkException e) {
            return new Listing.Failed(e);
        }
    }

    /** Lists may lag: what is read here decides nothing, and half the price is enough. */
    private List<Map<String, AttributeValue>> first(
            @Nullable String index, String hash, String value, int most) {
        QueryRequest.Builder query =
                QueryRequest.builder()
                        .tableName(table)
                        .keyConditionExpression("#hash = :hash")
                        .expressionAttributeNames(Map.of("#hash", hash))
                        .expressionAttributeValues(Map.of(":hash", text(value)))
                        .scanIndexForward(false)
                        .limit(most);
        if (index != null) {
            query.indexName(index);
        }
        return dynamo.query(query.build()).items();
    }

    private static Optional<ShortCode> codeInBucket(Map<String, AttributeValue> item) {
        return textOf(item, VisitItem.BUCKET)
                .flatMap(bucket -> ShortCode.parse(bucket.split("#", 2)[0]));
    }

    private static Stream<ShortCode> codeInEntry(String entry) {
        return ShortCode.parse(entry.substring(entry.indexOf('#') + 1)).stream();
    }
}
