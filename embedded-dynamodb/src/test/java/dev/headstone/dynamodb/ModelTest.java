package dev.headstone.dynamodb;

import static dev.headstone.dynamodb.Clients.definitions;
import static dev.headstone.dynamodb.Clients.item;
import static dev.headstone.dynamodb.Clients.n;
import static dev.headstone.dynamodb.Clients.s;
import static dev.headstone.dynamodb.Clients.schema;
import static dev.headstone.dynamodb.Clients.streamedTableOf;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tag;
import net.jqwik.api.Tuple;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndex;
import software.amazon.awssdk.services.dynamodb.model.Record;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/** Any sequence of writes leaves what it would leave in a plain map, over restarts too. */
@Tag("slow")
final class ModelTest {
    record Key(String hash, int range) {
        Map<String, AttributeValue> attributes() {
            return item("hash", hash, "range", range);
        }
    }

    sealed interface Action {
        record Put(Key key, Optional<String> group, int rank) implements Action {}

        record PutIfAbsent(Key key, int rank) implements Action {}

        record Increment(Key key) implements Action {}

        record LeaveGroup(Key key) implements Action {}

        record Delete(Key key) implements Action {}

        /** Puts one item and deletes another if the other is there, in one transaction. */
        record Replace(Key made, Key removed, int rank) implements Action {}

        record Restart() implements Action {}
    }

    @Provide
    Arbitrary<List<Action>> actions() {
        Arbitrary<Key> keys =
                Combinators.combine(
                                Arbitraries.of("a", "b", "ab", "c"),
                                Arbitraries.integers().between(-1, 2))
                        .as(Key::new);
        Arbitrary<Integer> ranks = Arbitraries.integers().between(0, 5);
        Arbitrary<Optional<String>> groups =
                Arbitraries.of(Optional.of("x"), Optional.of("y"), Optional.empty());
        return Arbitraries.<Action>frequencyOf(
                        often(6, Combinators.combine(keys, groups, ranks).as(Action.Put::new)),
                        often(2, Combinators.combine(keys, ranks).as(Action.PutIfAbsent::new)),
                        often(3, keys.map(Action.Increment::new)),
                        often(1, keys.map(Action.LeaveGroup::new)),
                        often(3, keys.map(Action.Delete::new)),
                        often(
                                3,
                                Combinators.combine(keys, keys, ranks)
                                        .filter((made, removed, _) -> !made.equals(removed))
                                        .as(Action.Replace::new)),
                        often(1, Arbitraries.create(Action.Restart::new)))
                .list()
                .ofMinSize(1)
                .ofMaxSize(60);
    }

    private static Tuple.Tuple2<Integer, Arbitrary<? extends Action>> often(
            int weight, Arbitrary<? extends Action> action) {
        return Tuple.of(weight, action);
    }

    @Property(tries = 25, shrinking = ShrinkingMode.BOUNDED)
    void theTableIsWhatAMapWouldBe(@ForAll("actions") List<Action> actions) throws IOException {
        Path folder = Files.createTempDirectory("model");
        try {
            new Run(folder).all(actions);
        } finally {
            delete(folder);
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(folder);
    }

    /** One sequence of actions, on a table and on a map. */
    private static final class Run {
        private final Settings settings;

        /** The items by their keys, as they should be. */
        private final Map<Key, Map<String, AttributeValue>> model = new HashMap<>();

        Run(Path folder) {
            settings =
                    Settings.at(
                                    folder.resolve("table.mv"),
                                    InstantSource.fixed(Instant.parse("2026-12-01T00:00:00Z")))
                            .withShardRecords(7);
        }

        void all(List<Action> actions) {
            onServer(Run::createTable);
            List<Action> stretch = new ArrayList<>();
            for (Action action : actions) {
                if (action instanceof Action.Restart) {
                    runAndCheck(stretch);
                    stretch.clear();
                } else {
                    stretch.add(action);
                }
            }
            runAndCheck(stretch);
            onServer(this::check);
        }

        private void runAndCheck(List<Action> stretch) {
            onServer(
                    clients -> {
                        stretch.forEach(action -> run(clients, action));
                        check(clients);
                    });
        }

        private static void createTable(Clients clients) {
            clients.create(
                    streamedTableOf("Model", "hash:S", "range:N")
                            .attributeDefinitions(
                                    definitions("hash:S", "range:N", "group:S", "place:N"))
                            .globalSecondaryIndexes(
                                    GlobalSecondaryIndex.builder()
                                            .indexName("by-group")
                                            .keySchema(schema("group:S", "place:N"))
                                            .projection(all -> all.projectionType("ALL"))
                                            .build()));
        }

        private void run(Clients clients, Action action) {
            switch (action) {
                case Action.Put(Key key, Optional<String> group, int rank) -> {
                    Map<String, AttributeValue> made = new HashMap<>(key.attributes());
                    made.put("place", n(rank));
                    group.ifPresent(name -> made.put("group", s(name)));
                    clients.table.putItem(put -> put.tableName("Model").item(made));
                    model.put(key, made);
                }
                case Action.PutIfAbsent(Key key, int rank) -> putIfAbsent(clients, key, rank);
                case Action.Increment(Key key) -> {
                    clients.table.updateItem(
                            update ->
                                    update.tableName("Model")
                                            .key(key.attributes())
                                            .updateExpression("ADD place :one")
                                            .expressionAttributeValues(Map.of(":one", n(1))));
                    Map<String, AttributeValue> changed =
                            new HashMap<>(model.getOrDefault(key, key.attributes()));
                    AttributeValue rank = changed.getOrDefault("place", n(0));
                    changed.put("place", n(Long.parseLong(rank.n()) + 1));
                    model.put(key, changed);
                }
                case Action.LeaveGroup(Key key) -> {
                    clients.table.updateItem(
                            update ->
                                    update.tableName("Model")
                                            .key(key.attributes())
                                            .updateExpression("REMOVE #g SET place = :zero")
                                            .expressionAttributeNames(Map.of("#g", "group"))
                                            .expressionAttributeValues(Map.of(":zero", n(0))));
                    Map<String, AttributeValue> changed =
                            new HashMap<>(model.getOrDefault(key, key.attributes()));
                    changed.remove("group");
                    changed.put("place", n(0));
                    model.put(key, changed);
                }
                case Action.Delete(Key key) -> {
                    clients.table.deleteItem(
                            delete -> delete.tableName("Model").key(key.attributes()));
                    model.remove(key);
                }
                case Action.Replace(Key made, Key removed, int rank) ->
                        replace(clients, made, removed, rank);
                case Action.Restart _ -> {}
            }
        }

        private void putIfAbsent(Clients clients, Key key, int rank) {
            Map<String, AttributeValue> made = new HashMap<>(key.attributes());
            made.put("place", n(rank));
            try {
                clients.table.putItem(
                        put ->
                                put.tableName("Model")
                                        .item(made)
                                        .conditionExpression("attribute_not_exists(#h)")
                                        .expressionAttributeNames(Map.of("#h", "hash")));
                assertThat(model).doesNotContainKey(key);
                model.put(key, made);
            } catch (ConditionalCheckFailedException _) {
                assertThat(model).containsKey(key);
            }
        }

        private void replace(Clients clients, Key made, Key removed, int rank) {
            Map<String, AttributeValue> item = new HashMap<>(made.attributes());
            item.put("place", n(rank));
            item.put("group", s("x"));
            try {
                clients.table.transactWriteItems(
                        transaction ->
                                transaction.transactItems(
                                        TransactWriteItem.builder()
                                                .put(put -> put.tableName("Model").item(item))
                                                .build(),
                                        TransactWriteItem.builder()
                                                .delete(
                                                        delete ->
                                                                delete.tableName("Model")
                                                                        .key(removed.attributes())
                                                                        .conditionExpression(
                                                                                "attribute_exists(place)"))
                                                .build()));
                assertThat(model).containsKey(removed);
                model.remove(removed);
                model.put(made, item);
            } catch (TransactionCanceledException _) {
                assertThat(model).doesNotContainKey(removed);
            }
        }

        private void check(Clients clients) {
            assertThat(
                            clients.table
                                    .scanPaginator(scan -> scan.tableName("Model").limit(5))
                                    .items())
                    .containsExactlyInAnyOrderElementsOf(model.values());
            for (String hash : List.of("a", "b", "ab", "c")) {
                assertThat(
                                clients.table
                                        .query(
                                                query ->
                                                        query.tableName("Model")
                                                                .keyConditionExpression("#h = :h")
                                                                .expressionAttributeNames(
                                                                        Map.of("#h", "hash"))
                                                                .expressionAttributeValues(
                                                                        Map.of(":h", s(hash))))
                                        .items())
                        .containsExactlyElementsOf(
                                model.values().stream()
                                        .filter(one -> s(hash).equals(one.get("hash")))
                                        .sorted(by("range"))
                                        .toList());
            }
            for (String group : List.of("x", "y")) {
                List<Map<String, AttributeValue>> found =
                        clients.table
                                .query(
                                        query ->
                                                query.tableName("Model")
                                                        .indexName("by-group")
                                                        .keyConditionExpression("#g = :g")
                                                        .expressionAttributeNames(
                                                                Map.of("#g", "group"))
                                                        .expressionAttributeValues(
                                                                Map.of(":g", s(group))))
                                .items();
                assertThat(found).isSortedAccordingTo(by("place"));
                assertThat(found)
                        .containsExactlyInAnyOrderElementsOf(
                                model.values().stream()
                                        .filter(one -> s(group).equals(one.get("group")))
                                        .toList());
            }
            assertThat(replayed(clients)).isEqualTo(model);
        }

        private static Comparator<Map<String, AttributeValue>> by(String number) {
            return Comparator.comparing(one -> Long.valueOf(requireNonNull(one.get(number)).n()));
        }

        /** What the records of the stream make, one after another. */
        private static Map<Key, Map<String, AttributeValue>> replayed(Clients clients) {
            Map<Key, Map<String, AttributeValue>> items = new HashMap<>();
            for (Record record : clients.records(clients.streamArn("Model"))) {
                Map<String, AttributeValue> keys = record.dynamodb().keys();
                Key key =
                        new Key(
                                requireNonNull(keys.get("hash")).s(),
                                Integer.parseInt(requireNonNull(keys.get("range")).n()));
                Map<String, AttributeValue> before =
                        record.dynamodb().hasNewImage()
                                ? items.put(key, record.dynamodb().newImage())
                                : items.remove(key);
                assertThat(before == null ? Map.of() : before)
                        .isEqualTo(record.dynamodb().oldImage());
            }
            return items;
        }

        private void onServer(Consumer<Clients> body) {
            try (EmbeddedDynamoDb server = EmbeddedDynamoDb.start(settings);
                    Clients clients = new Clients(server.endpoint())) {
                body.accept(clients);
            }
        }
    }
}
