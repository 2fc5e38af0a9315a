package dev.headstone.dynamodb;

import static dev.headstone.dynamodb.Clients.streamedTableOf;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.Record;

@Tag("slow")
final class KillTest {
    private static final int ROUNDS = 3;
    private static final int WRITERS = 6;

    /** Enough for several check points, so that a kill may fall into one. */
    private static final int WRITES_PER_ROUND = 1000;

    private final AtomicIntegerArray acknowledged = new AtomicIntegerArray(WRITERS);

    @Test
    void nothingAcknowledgedIsLostWhenTheServerIsKilled(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("table.mv");
        for (int round = 0; round < ROUNDS; round++) {
            try (ServerProcess server = ServerProcess.start(file)) {
                if (round == 0) {
                    createTable(server.endpoint());
                }
                writeUntilKilled(server, (round + 1) * WRITES_PER_ROUND);
            }
            verify(file);
        }
    }

    private static void createTable(URI endpoint) {
        try (Clients clients = new Clients(endpoint)) {
            clients.create(streamedTableOf("Counters", "name:S"));
        }
    }

    private void writeUntilKilled(ServerProcess server, int total) throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(WRITERS)) {
            List<Future<?>> writers = new ArrayList<>();
            for (int writer = 0; writer < WRITERS; writer++) {
                int mine = writer;
                writers.add(threads.submit(() -> count(server.endpoint(), mine)));
            }
            await().atMost(Duration.ofMinutes(2)).until(() -> sum() >= total);
            server.kill();
            for (Future<?> writer : writers) {
                writer.get(30, TimeUnit.SECONDS);
            }
        }
    }

    private int sum() {
        int sum = 0;
        for (int i = 0; i < WRITERS; i++) {
            sum += acknowledged.get(i);
        }
        return sum;
    }

    /** Counts two items up together until the server is gone. */
    private int count(URI endpoint, int writer) {
        try (Wire wire = new Wire(endpoint)) {
            while (true) {
                wire.call(
                        "TransactWriteItems",
                        """
                        {"TransactItems":[%s,%s]}"""
                                .formatted(increment("a" + writer), increment("b" + writer)));
                acknowledged.incrementAndGet(writer);
            }
        } catch (IOException _) {
            return acknowledged.get(writer);
        }
    }

    private static String increment(String name) {
        return """
        {"Update":{"TableName":"Counters","Key":{"name":{"S":"%s"}},"UpdateExpression":"ADD hits :one SET padding = :padding",\
        "ExpressionAttributeValues":{":one":{"N":"1"},":padding":{"S":"%s"}}}}"""
                .formatted(name, "x".repeat(700));
    }

    private void verify(Path file) {
        try (EmbeddedDynamoDb server =
                        EmbeddedDynamoDb.start(Settings.at(file, InstantSource.system()));
                Clients clients = new Clients(server.endpoint())) {
            for (int writer = 0; writer < WRITERS; writer++) {
                int one = hits(clients.get("Counters", "name", "a" + writer));
                int other = hits(clients.get("Counters", "name", "b" + writer));

                assertThat(other).isEqualTo(one);
                // The last one may have happened without an acknowledgement.
                assertThat(one).isBetween(acknowledged.get(writer), acknowledged.get(writer) + 1);
                acknowledged.set(writer, one);
            }
            assertThat(replayed(clients)).isEqualTo(scanned(clients));
        }
    }

    private static int hits(Map<String, AttributeValue> counter) {
        return counter.isEmpty() ? 0 : Integer.parseInt(requireNonNull(counter.get("hits")).n());
    }

    private static Map<Object, @Nullable Object> scanned(Clients clients) {
        Map<Object, @Nullable Object> items = new HashMap<>();
        clients.table
                .scanPaginator(scan -> scan.tableName("Counters"))
                .items()
                .forEach(one -> items.put(requireNonNull(one.get("name")), one.get("hits")));
        return items;
    }

    private static Map<Object, @Nullable Object> replayed(Clients clients) {
        Map<Object, @Nullable Object> items = new HashMap<>();
        for (Record record : clients.records(clients.streamArn("Counters"))) {
            Object before =
                    items.put(
                            requireNonNull(record.dynamodb().keys().get("name")),
                            record.dynamodb().newImage().get("hits"));
            assertThat(before).isEqualTo(record.dynamodb().oldImage().get("hits"));
        }
        return items;
    }
}
