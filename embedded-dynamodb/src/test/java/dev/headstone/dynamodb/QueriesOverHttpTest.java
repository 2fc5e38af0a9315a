package dev.headstone.dynamodb;

import static dev.headstone.dynamodb.Clients.definitions;
import static dev.headstone.dynamodb.Clients.item;
import static dev.headstone.dynamodb.Clients.n;
import static dev.headstone.dynamodb.Clients.s;
import static dev.headstone.dynamodb.Clients.schema;
import static dev.headstone.dynamodb.Clients.tableOf;
import static dev.headstone.dynamodb.ItemsOverHttpTest.assertRefused;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndex;
import software.amazon.awssdk.services.dynamodb.model.Projection;
import software.amazon.awssdk.services.dynamodb.model.ProjectionType;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;
import software.amazon.awssdk.services.dynamodb.model.ScanResponse;
import software.amazon.awssdk.services.dynamodb.model.Select;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class QueriesOverHttpTest {
    private final SettableClock clock = new SettableClock(Instant.parse("2026-12-01T00:00:00Z"));
    private final EmbeddedDynamoDb server = EmbeddedDynamoDb.start(Settings.inMemory(clock));
    private final Clients clients = new Clients(server.endpoint());

    @BeforeAll
    void createTables() {
        clients.create(
                tableOf("Audit", "code:S", "seq:N")
                        .attributeDefinitions(
                                definitions("code:S", "seq:N", "actor:S", "at:N", "kind:S"))
                        .globalSecondaryIndexes(
                                index(
                                        "by-actor",
                                        Projection.builder()
                                                .projectionType(ProjectionType.ALL)
                                                .build(),
                                        "actor:S",
                                        "at:N"),
                                index(
                                        "by-kind",
                                        Projection.builder()
                                                .projectionType(ProjectionType.KEYS_ONLY)
                                                .build(),
                                        "kind:S"),
                                index(
                                        "by-kind-and-reason",
                                        Projection.builder()
                                                .projectionType(ProjectionType.INCLUDE)
                                                .nonKeyAttributes("reason")
                                                .build(),
                                        "kind:S",
                                        "at:N")));
        for (String code : List.of("aaa", "bbb", "aa")) {
            for (long seq = -5; seq < 5; seq++) {
                clients.put("Audit", "code", code, "seq", seq, "text", "event " + seq);
            }
        }
        clients.put(
                "Audit", "code", "indexed", "seq", 1, "actor", "alice", "at", 20, "reason", "r1");
        clients.put("Audit", "code", "indexed", "seq", 2, "actor", "alice", "at", 10, "kind", "k");
        clients.put("Audit", "code", "indexed", "seq", 3, "actor", "bob", "at", 30);
        clients.put("Audit", "code", "indexed", "seq", 4, "actor", "alice");
        clients.put(
                "Audit", "code", "indexed", "seq", 5, "kind", "k", "at", 5, "reason", "r5", "o", 1);
    }

    private static GlobalSecondaryIndex index(String name, Projection projection, String... key) {
        return GlobalSecondaryIndex.builder()
                .indexName(name)
                .keySchema(schema(key))
                .projection(projection)
                .build();
    }

    @AfterAll
    void stop() {
        clients.close();
        server.close();
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "seq = :a,                0,  ,  0",
        "seq < :a,                -3, ,  -5 -4",
        "seq <= :a,               -3, ,  -5 -4 -3",
        "seq > :a,                2,  ,  3 4",
        "seq >= :a,               2,  ,  2 3 4",
        "seq BETWEEN :a AND :b,   -1, 1, -1 0 1",
        "seq BETWEEN :a AND :b,   90, 91, ''"
    })
    void aQueryReadsTheKeysOfOnePartitionInOrder(
            String condition, String a, String b, String expected) {
        Map<String, AttributeValue> values =
                b == null
                        ? Map.of(":code", s("aaa"), ":a", AttributeValue.fromN(a))
                        : Map.of(
                                ":code", s("aaa"),
                                ":a", AttributeValue.fromN(a),
                                ":b", AttributeValue.fromN(b));

        QueryResponse found =
                query(
                        query ->
                                query.keyConditionExpression("code = :code AND " + condition)
                                        .expressionAttributeValues(values));

        assertThat(numbers(found.items(), "seq"))
                .isEqualTo(
                        expected.isEmpty()
                                ? List.of()
                                : Stream.of(expected.split(" ", -1)).map(Long::valueOf).toList());
        assertThat(found.count()).isEqualTo(found.items().size());
        assertThat(found.scannedCount()).isEqualTo(found.count());
        assertThat(found.hasLastEvaluatedKey()).isFalse();
    }

    @Test
    void aQueryReadsBackwardWhenAskedTo() {
        assertThat(
                        numbers(
                                query(query -> ofPartition(query, "aa").scanIndexForward(false))
                                        .items(),
                                "seq"))
                .isEqualTo(LongStream.iterate(4, i -> i >= -5, i -> i - 1).boxed().toList());
    }

    @ParameterizedTest(name = "forward: {0}")
    @CsvSource({"true", "false"})
    void aQueryGoesOnBehindTheLastKey(boolean forward) {
        List<Long> all = new ArrayList<>();
        Map<String, AttributeValue> last = Map.of();
        int pages = 0;
        do {
            Map<String, AttributeValue> start = last;
            QueryResponse page =
                    query(
                            query ->
                                    ofPartition(query, "bbb")
                                            .limit(3)
                                            .scanIndexForward(forward)
                                            .exclusiveStartKey(start.isEmpty() ? null : start));
            all.addAll(numbers(page.items(), "seq"));
            last = page.lastEvaluatedKey();
            pages++;
        } while (!last.isEmpty());

        assertThat(pages).isEqualTo(4);
        assertThat(all).hasSize(10).doesNotHaveDuplicates();
        assertThat(all)
                .isSortedAccordingTo(
                        forward ? Comparator.naturalOrder() : Comparator.reverseOrder());
    }

    @Test
    void aLimitThatIsReachedAtTheEndStillGivesALastKey() {
        QueryResponse page = query(query -> ofPartition(query, "aaa").limit(10));

        assertThat(page.lastEvaluatedKey()).isEqualTo(item("code", "aaa", "seq", 4));
        assertThat(
                        query(
                                        query ->
                                                ofPartition(query, "aaa")
                                                        .exclusiveStartKey(page.lastEvaluatedKey()))
                                .items())
                .isEmpty();
    }

    @Test
    void aFilterCountsWhatWasReadAndReturnsWhatMatches() {
        QueryResponse page =
                query(
                        query ->
                                query.keyConditionExpression("code = :code")
                                        .filterExpression("#t = :t")
                                        .expressionAttributeNames(Map.of("#t", "text"))
                                        .expressionAttributeValues(
                                                Map.of(":code", s("aaa"), ":t", s("event 1")))
                                        .limit(8));

        assertThat(numbers(page.items(), "seq")).containsExactly(1L);
        assertThat(page.count()).isEqualTo(1);
        assertThat(page.scannedCount()).isEqualTo(8);
        assertThat(page.hasLastEvaluatedKey()).isTrue();
    }

    @Test
    void aCountReturnsNoItems() {
        QueryResponse count = query(query -> ofPartition(query, "aaa").select(Select.COUNT));

        assertThat(count.count()).isEqualTo(10);
        assertThat(count.hasItems()).isFalse();
    }

    @Test
    void aPageIsAtMost1MB() {
        clients.create(tableOf("Large", "code:S", "seq:N"));
        for (int i = 0; i < 4; i++) {
            clients.put("Large", "code", "a", "seq", i, "text", "x".repeat(390_000));
        }

        QueryResponse page = query(query -> ofPartition(query, "a").tableName("Large"));

        assertThat(numbers(page.items(), "seq")).containsExactly(0L, 1L);
        assertThat(page.lastEvaluatedKey()).isEqualTo(item("code", "a", "seq", 1));
        assertThat(scan(scan -> scan.tableName("Large")).items()).hasSize(2);
    }

    @Test
    void anIndexHoldsTheItemsThatHaveItsKeyInItsOrder() {
        QueryResponse byAlice =
                query(
                        query ->
                                query.indexName("by-actor")
                                        .keyConditionExpression("actor = :actor")
                                        .expressionAttributeValues(Map.of(":actor", s("alice"))));

        assertThat(byAlice.items())
                .containsExactly(
                        item("code", "indexed", "seq", 2, "actor", "alice", "at", 10, "kind", "k"),
                        item(
                                "code", "indexed", "seq", 1, "actor", "alice", "at", 20, "reason",
                                "r1"));
    }

    @Test
    void anIndexFollowsItsItems() {
        clients.put("Audit", "code", "moving", "seq", 1, "actor", "carol", "at", 1);
        assertThat(byActor("carol")).hasSize(1);

        clients.put("Audit", "code", "moving", "seq", 1, "actor", "dave", "at", 1);
        assertThat(byActor("carol")).isEmpty();
        assertThat(byActor("dave")).hasSize(1);

        clients.table.updateItem(
                update ->
                        update.tableName("Audit")
                                .key(item("code", "moving", "seq", 1))
                                .updateExpression("REMOVE #at")
                                .expressionAttributeNames(Map.of("#at", "at")));
        assertThat(byActor("dave")).isEmpty();

        clients.put("Audit", "code", "moving", "seq", 1, "actor", "dave", "at", 1);
        clients.table.deleteItem(
                delete -> delete.tableName("Audit").key(item("code", "moving", "seq", 1)));
        assertThat(byActor("dave")).isEmpty();
    }

    private List<Map<String, AttributeValue>> byActor(String actor) {
        return query(
                        query ->
                                query.indexName("by-actor")
                                        .keyConditionExpression("actor = :actor")
                                        .expressionAttributeValues(Map.of(":actor", s(actor))))
                .items();
    }

    @Test
    void anIndexShowsWhatItProjects() {
        assertThat(byKind("by-kind"))
                .containsExactlyInAnyOrder(
                        item("code", "indexed", "seq", 2, "kind", "k"),
                        item("code", "indexed", "seq", 5, "kind", "k"));
        assertThat(byKind("by-kind-and-reason"))
                .containsExactly(
                        item("code", "indexed", "seq", 5, "kind", "k", "at", 5, "reason", "r5"),
                        item("code", "indexed", "seq", 2, "kind", "k", "at", 10));
    }

    private List<Map<String, AttributeValue>> byKind(String index) {
        return query(
                        query ->
                                query.indexName(index)
                                        .keyConditionExpression("kind = :kind")
                                        .expressionAttributeValues(Map.of(":kind", s("k"))))
                .items();
    }

    @Test
    void anIndexIsPagedByItsOwnKeyAndTheTables() {
        Map<String, AttributeValue> last =
                query(
                                query ->
                                        query.indexName("by-actor")
                                                .keyConditionExpression("actor = :actor")
                                                .expressionAttributeValues(
                                                        Map.of(":actor", s("alice")))
                                                .limit(1))
                        .lastEvaluatedKey();

        assertThat(last).isEqualTo(item("code", "indexed", "seq", 2, "actor", "alice", "at", 10));
        assertThat(
                        numbers(
                                query(
                                                query ->
                                                        query.indexName("by-actor")
                                                                .keyConditionExpression(
                                                                        "actor = :actor")
                                                                .expressionAttributeValues(
                                                                        Map.of(
                                                                                ":actor",
                                                                                s("alice")))
                                                                .exclusiveStartKey(last))
                                        .items(),
                                "seq"))
                .containsExactly(1L);
    }

    @Test
    void aKeyOfAnIndexMustHaveItsType() {
        assertRefused(
                () -> clients.put("Audit", "code", "wrong", "seq", 1, "actor", 7),
                "ValidationException",
                "One or more parameter values were invalid: Type mismatch for Index Key actor Expected: S Actual: N IndexName: by-actor");
        assertRefused(
                () -> clients.put("Audit", "code", "wrong", "seq", 1, "actor", ""),
                "ValidationException",
                "The AttributeValue for a key attribute cannot contain an empty string value. IndexName: by-actor, IndexKey: actor");
    }

    @Test
    void aScanReadsEverythingOnceInAnyNumberOfSegments() {
        Set<Object> whole = keys(scan(scan -> {}));
        assertThat(whole).hasSizeGreaterThanOrEqualTo(35);
        for (int total : List.of(1, 2, 3, 7, 1000)) {
            List<Object> parts = new ArrayList<>();
            for (int segment = 0; segment < total; segment++) {
                int one = segment;
                parts.addAll(keys(scan(scan -> scan.segment(one).totalSegments(total))));
                if (total > 10 && segment > 2) {
                    break;
                }
            }
            assertThat(parts).doesNotHaveDuplicates();
            if (total < 10) {
                assertThat(parts).hasSameSizeAs(whole);
            }
        }
    }

    @Test
    void aScanIsPagedToo() {
        Set<Object> found = new HashSet<>();
        Map<String, AttributeValue> last = Map.of();
        do {
            Map<String, AttributeValue> start = last;
            ScanResponse page =
                    scan(scan -> scan.limit(7).exclusiveStartKey(start.isEmpty() ? null : start));
            page.items().forEach(one -> found.add(one.get("code") + "/" + one.get("seq")));
            last = page.lastEvaluatedKey();
        } while (!last.isEmpty());

        assertThat(found).isEqualTo(keys(scan(scan -> {})));
    }

    @Test
    void aScanOfAnIndexReadsWhatIsInIt() {
        assertThat(
                        scan(scan ->
                                        scan.indexName("by-kind")
                                                .filterExpression("seq > :s")
                                                .expressionAttributeValues(Map.of(":s", n(4))))
                                .items())
                .containsExactly(item("code", "indexed", "seq", 5, "kind", "k"));
    }

    @Test
    void whatDoesNotFitIsRefused() {
        String validation = "ValidationException";
        assertRefused(
                () -> query(query -> ofPartition(query, "a").indexName("none")),
                validation,
                "The table does not have the specified index: none");
        assertRefused(
                () ->
                        query(
                                query ->
                                        query.indexName("by-actor")
                                                .keyConditionExpression("actor = :a")
                                                .expressionAttributeValues(Map.of(":a", s("a")))
                                                .consistentRead(true)),
                validation,
                "Consistent reads are not supported on global secondary indexes");
        assertRefused(
                () ->
                        query(
                                query ->
                                        query.keyConditionExpression("seq = :a")
                                                .expressionAttributeValues(Map.of(":a", n(1)))),
                validation,
                "Query condition missed key schema element: code");
        assertRefused(
                () -> query(query -> {}),
                validation,
                "Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.");
        assertRefused(
                () ->
                        query(
                                query ->
                                        ofPartition(query, "a")
                                                .exclusiveStartKey(item("code", "b", "seq", 1))),
                validation,
                "The provided starting key is outside query boundaries based on provided conditions");
        assertRefused(
                () -> query(query -> ofPartition(query, "a").exclusiveStartKey(item("code", "a"))),
                validation,
                "The provided starting key is invalid");
        assertRefused(
                () -> scan(scan -> scan.segment(2).totalSegments(2)),
                validation,
                "Segment: 2 is not less than TotalSegments: 2");
        assertRefused(
                () ->
                        scan(
                                scan ->
                                        scan.segment(inOtherSegment())
                                                .totalSegments(2)
                                                .exclusiveStartKey(item("code", "aaa", "seq", 1))),
                validation,
                "Please use ExclusiveStartKey with correct Segment. TotalSegments: 2 Segment: "
                        + inOtherSegment());
        assertRefused(
                () -> scan(scan -> scan.limit(0)),
                validation,
                "Value '0' at 'limit' failed to satisfy constraint: Member must have value greater than or equal to 1");
        assertRefused(
                () ->
                        query(
                                query ->
                                        query.keyConditionExpression("code = :c")
                                                .filterExpression("seq = :s")
                                                .expressionAttributeValues(
                                                        Map.of(":c", s("a"), ":s", n(1)))),
                validation,
                "Filter Expression can only contain non-primary key attributes: Primary key attribute: seq");
    }

    /** The one of two segments in which the partition aaa is not. */
    private int inOtherSegment() {
        boolean inFirst =
                scan(scan -> scan.segment(0).totalSegments(2)).items().stream()
                        .anyMatch(one -> s("aaa").equals(one.get("code")));
        return inFirst ? 1 : 0;
    }

    private QueryResponse query(Consumer<QueryRequest.Builder> details) {
        return clients.table.query(query -> details.accept(query.tableName("Audit")));
    }

    private static QueryRequest.Builder ofPartition(QueryRequest.Builder query, String code) {
        return query.keyConditionExpression("code = :code")
                .expressionAttributeValues(Map.of(":code", s(code)));
    }

    private ScanResponse scan(Consumer<ScanRequest.Builder> details) {
        return clients.table.scan(scan -> details.accept(scan.tableName("Audit")));
    }

    private static Set<Object> keys(ScanResponse scan) {
        Set<Object> keys = new HashSet<>();
        scan.items().forEach(one -> keys.add(one.get("code") + "/" + one.get("seq")));
        assertThat(keys).hasSize(scan.count());
        return keys;
    }

    private static List<Long> numbers(List<Map<String, AttributeValue>> items, String name) {
        return items.stream().map(one -> Long.valueOf(requireNonNull(one.get(name)).n())).toList();
    }
}
