package dev.headstone.table;

import static dev.headstone.table.LinkItem.number;
import static dev.headstone.table.LinkItem.text;

import dev.headstone.link.Link;
import dev.headstone.link.ShortCode;
import dev.headstone.link.Standing;
import dev.headstone.link.Standing.Dead;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.Put;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;
import software.amazon.awssdk.services.dynamodb.model.Update;

/**
 * {@link LinkTable} on DynamoDB. Deadlines and retries are the client's. Safe for use by several
 * threads.
 */
public final class DynamoLinkTable implements LinkTable {
    private static final String CONDITION_FAILED = "ConditionalCheckFailed";

    /** How long an entry of the index of deaths stays: the sweep looks back 25 hours. */
    private static final Duration DEATH_KEPT = Duration.ofDays(2);

    private final DynamoDbClient dynamo;
    private final TableNames names;

    /** The tables of these names must exist. */
    public DynamoLinkTable(DynamoDbClient dynamo, TableNames names) {
        this.dynamo = dynamo;
        this.names = names;
    }

    @Override
    public TableRead read(ShortCode code) {
        try {
            GetItemResponse found =
                    dynamo.getItem(
                            get ->
                                    get.tableName(names.links())
                                            .key(key(code))
                                            .consistentRead(true));
            return found.hasItem() ? LinkItem.read(found.item()) : new TableRead.Absent();
        } catch (SdkException e) {
            return new TableRead.Failed(e);
        }
    }

    @Override
    public CreateOutcome create(Link link, Optional<Idempotency> idempotency) {
        List<TransactWriteItem> writes = new ArrayList<>();
        writes.add(
                put(
                        names.links(),
                        LinkItem.of(link),
                        "attribute_not_exists(short_code)",
                        Map.of()));
        idempotency.ifPresent(
                answer ->
                        writes.add(
                                put(
                                        names.idempotency(),
                                        item(answer),
                                        "attribute_not_exists(id) OR valid_until <= :now",
                                        Map.of(":now", number(link.epoch())))));
        writes.add(put(names.visits(), VisitItem.news(link)));
        try {
            dynamo.transactWriteItems(
                    write -> write.transactItems(writes).clientRequestToken(token(link)));
            return new CreateOutcome.Created();
        } catch (TransactionCanceledException e) {
            List<CancellationReason> reasons = e.cancellationReasons();
            if (idempotency.isPresent() && failed(reasons, 1)) {
                return new CreateOutcome.KeyTaken();
            }
            return failed(reasons, 0) ? new CreateOutcome.CodeTaken() : new CreateOutcome.Failed(e);
        } catch (SdkException e) {
            return new CreateOutcome.Failed(e);
        }
    }

    private static TransactWriteItem put(
            String table,
            Map<String, AttributeValue> item,
            String condition,
            Map<String, AttributeValue> values) {
        Put.Builder put = Put.builder().tableName(table).item(item).conditionExpression(condition);
        if (!values.isEmpty()) {
            put.expressionAttributeValues(values);
        }
        return TransactWriteItem.builder().put(put.build()).build();
    }

    private static boolean failed(List<CancellationReason> reasons, int index) {
        return reasons.size() > index && CONDITION_FAILED.equals(reasons.get(index).code());
    }

    private static Map<String, AttributeValue> item(Idempotency answer) {
        return Map.of(
                "id", text(answer.key()),
                "request", text(answer.request()),
                "answer", text(answer.answer()),
                "valid_until", number(answer.until().toEpochMilli()),
                "purge_at", number(answer.until().getEpochSecond() + 1));
    }

    @Override
    public IdempotencyRead recall(String key) {
        try {
            GetItemResponse found =
                    dynamo.getItem(
                            get ->
                                    get.tableName(names.idempotency())
                                            .key(Map.of("id", text(key)))
                                            .consistentRead(true));
            return found.hasItem() ? stored(found.item()) : new IdempotencyRead.Unused();
        } catch (SdkException e) {
            return new IdempotencyRead.Failed(e);
        }
    }

    private static IdempotencyRead stored(Map<String, AttributeValue> item) {
        return new IdempotencyRead.Stored(
                new Idempotency(
                        attribute(item, "id").s(),
                        attribute(item, "request").s(),
                        attribute(item, "answer").s(),
                        Instant.ofEpochMilli(Long.parseLong(attribute(item, "valid_until").n()))));
    }

    private static AttributeValue attribute(Map<String, AttributeValue> item, String name) {
        return Objects.requireNonNull(item.get(name), name);
    }

    @Override
    public ChangeOutcome change(Link before, Link after) {
        return change(
                after,
                "created_at = :created AND version = :seen",
                Map.of(":created", number(before.epoch()), ":seen", number(before.version())),
                Map.of());
    }

    @Override
    public ChangeOutcome exhaust(Link before, Link after) {
        long limit = before.visitLimit().orElseThrow();
        String oneLeft =
                limit == 1
                        ? " AND (attribute_not_exists(visits) OR visits = :used)"
                        : " AND visits = :used";
        return change(
                after,
                "created_at = :created AND version = :seen" + oneLeft,
                Map.of(
                        ":created", number(before.epoch()),
                        ":seen", number(before.version()),
                        ":used", number(limit - 1)),
                Map.of(LinkItem.VISITS, number(limit)));
    }

    private ChangeOutcome change(
            Link after,
            String condition,
            Map<String, AttributeValue> conditionValues,
            Map<String, AttributeValue> more) {
        Map<String, @Nullable AttributeValue> state = new TreeMap<>(LinkItem.state(after));
        state.put(LinkItem.VERSION, number(after.version()));
        state.putAll(more);
        List<TransactWriteItem> writes = new ArrayList<>();
        writes.add(
                TransactWriteItem.builder()
                        .update(update(after.code(), state, condition, conditionValues))
                        .build());
        if (after.standing() instanceof Dead(var _, Instant deletedAt)) {
            writes.add(put(names.deaths(), death(after, deletedAt)));
        }
        try {
            dynamo.transactWriteItems(
                    write -> write.transactItems(writes).clientRequestToken(token(after)));
            return new ChangeOutcome.Changed();
        } catch (TransactionCanceledException e) {
            return failed(e.cancellationReasons(), 0)
                    ? changedBefore(after)
                    : new ChangeOutcome.Failed(e);
        } catch (SdkException e) {
            return new ChangeOutcome.Failed(e);
        }
    }

    /**
     * The condition also fails when an earlier attempt of the same request succeeded, whose reply
     * was lost and whose client token the service has forgotten: the change's id tells.
     */
    private ChangeOutcome changedBefore(Link after) {
        return switch (read(after.code())) {
            case TableRead.Found(Link link)
                    when link.epoch() == after.epoch()
                            && link.lastChange().id().equals(after.lastChange().id()) ->
                    new ChangeOutcome.Changed();
            case TableRead.Found _, TableRead.Absent _, TableRead.Unreadable _ ->
                    new ChangeOutcome.Conflict();
            case TableRead.Failed(Exception cause) -> new ChangeOutcome.Failed(cause);
        };
    }

    private Update update(
            ShortCode code,
            Map<String, @Nullable AttributeValue> state,
            String condition,
            Map<String, AttributeValue> conditionValues) {
        Map<String, String> attributes = new HashMap<>();
        Map<String, AttributeValue> values = new HashMap<>(conditionValues);
        List<String> set = new ArrayList<>();
        List<String> remove = new ArrayList<>();
        state.forEach(
                (name, value) -> {
                    attributes.put("#" + name, name);
                    if (value == null) {
                        remove.add("#" + name);
                    } else {
                        set.add("#" + name + " = :" + name);
                        values.put(":" + name, value);
                    }
                });
        String expression =
                "SET "
                        + String.join(", ", set)
                        + (remove.isEmpty() ? "" : " REMOVE " + String.join(", ", remove));
        return Update.builder()
                .tableName(names.links())
                .key(key(code))
                .updateExpression(expression)
                .conditionExpression(condition)
                .expressionAttributeNames(attributes)
                .expressionAttributeValues(values)
                .build();
    }

    private static TransactWriteItem put(String table, Map<String, AttributeValue> item) {
        return TransactWriteItem.builder()
                .put(Put.builder().tableName(table).item(item).build())
                .build();
    }

    private static Map<String, AttributeValue> death(Link dead, Instant deletedAt) {
        Map<String, AttributeValue> item = new HashMap<>(Deaths.key(dead.code(), deletedAt));
        item.put(LinkItem.CODE, text(dead.code().value()));
        item.put(LinkItem.VERSION, number(dead.version()));
        item.put(LinkItem.CREATED_AT, number(dead.epoch()));
        item.put(LinkItem.PURGE_AT, number(deletedAt.plus(DEATH_KEPT).getEpochSecond()));
        return item;
    }

    @Override
    public VisitClaim claimVisit(Link link) {
        if (link.standing() instanceof Standing.Dead) {
            return new VisitClaim.NotClaimed();
        }
        long limit = link.visitLimit().orElseThrow();
        if (limit == 1) {
            return new VisitClaim.NotClaimed(); // the only visit is the last one
        }
        try {
            dynamo.updateItem(
                    update ->
                            update.tableName(names.links())
                                    .key(key(link.code()))
                                    .updateExpression(
                                            "SET visits = if_not_exists(visits, :zero) + :one")
                                    .conditionExpression(
                                            "created_at = :created AND version = :seen AND is_active"
                                                    + " = :true AND (attribute_not_exists(visits) OR"
                                                    + " visits < :last)")
                                    .expressionAttributeValues(
                                            Map.of(
                                                    ":zero", number(0),
                                                    ":one", number(1),
                                                    ":true", AttributeValue.fromBool(true),
                                                    ":created", number(link.epoch()),
                                                    ":seen", number(link.version()),
                                                    ":last", number(limit - 1))));
            return new VisitClaim.Claimed();
        } catch (ConditionalCheckFailedException e) {
            return new VisitClaim.NotClaimed();
        } catch (SdkException e) {
            return new VisitClaim.Failed(e);
        }
    }

    private static Map<String, AttributeValue> key(ShortCode code) {
        return Map.of(LinkItem.CODE, text(code.value()));
    }

    /** A client token has at most 36 characters, which is what a UUID has. */
    private static String token(Link link) {
        String id = link.lastChange().id();
        return id.length() <= 36 ? id : id.substring(0, 36);
    }
}
