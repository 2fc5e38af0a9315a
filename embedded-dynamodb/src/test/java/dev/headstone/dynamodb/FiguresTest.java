package dev.headstone.dynamodb;

import static dev.headstone.dynamodb.Clients.item;
import static dev.headstone.dynamodb.Clients.streamedTableOf;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Measures, and prints what it measured. Runs only with {@code -Dfigures=true}, on an otherwise
 * idle machine.
 */
@EnabledIfSystemProperty(named = "figures", matches = "true")
final class FiguresTest {
    private static final int WARM_UP = 10_000;
    private static final int SINGLE = 5_000;
    private static final int CONNECTIONS = 32;
    private static final int PER_CONNECTION = 2_000;

    @Test
    void latencyAndThroughputOverHttp(@TempDir Path folder) throws Exception {
        Settings settings = Settings.at(folder.resolve("table.mv"), InstantSource.system());
        long started = System.nanoTime();
        try (EmbeddedDynamoDb server = EmbeddedDynamoDb.start(settings);
                Clients clients = new Clients(server.endpoint())) {
            print("start, first in this JVM", started);
            clients.create(streamedTableOf("Links", "short_code:S"));
            clients.create(Clients.tableOf("Deaths", "hour:S", "entry:S"));
            try (Wire wire = new Wire(server.endpoint())) {
                for (int i = 0; i < WARM_UP; i++) {
                    wire.call("PutItem", put("warm" + i % 1000, i));
                    wire.call("GetItem", get("warm" + i % 1000));
                }
                long[] puts = new long[SINGLE];
                long[] gets = new long[SINGLE];
                for (int i = 0; i < SINGLE; i++) {
                    long before = System.nanoTime();
                    wire.call("PutItem", put("warm" + i % 1000, i));
                    long between = System.nanoTime();
                    wire.call("GetItem", get("warm" + i % 1000));
                    gets[i] = System.nanoTime() - between;
                    puts[i] = between - before;
                }
                print("PutItem, one connection", puts);
                print("GetItem, one connection", gets);
            }
            concurrently(
                    "conditional UpdateItem",
                    server.endpoint(),
                    (wire, connection, i) -> {
                        if (i == 0) {
                            wire.call("PutItem", put("c" + connection, 0));
                        }
                        wire.call("UpdateItem", increment("c" + connection, i));
                    });
            concurrently(
                    "TransactWriteItems of two",
                    server.endpoint(),
                    (wire, connection, i) ->
                            wire.call(
                                    "TransactWriteItems",
                                    transaction("c" + connection, connection + "-" + i)));
            concurrently(
                    "GetItem",
                    server.endpoint(),
                    (wire, connection, _) -> wire.call("GetItem", get("c" + connection)));
            long[] viaSdk = new long[SINGLE];
            for (int i = 0; i < SINGLE; i++) {
                long before = System.nanoTime();
                clients.table.getItem(
                        request ->
                                request.tableName("Links")
                                        .key(item("short_code", "c1"))
                                        .consistentRead(true));
                viaSdk[i] = System.nanoTime() - before;
            }
            print("GetItem by the SDK, one thread", viaSdk);
        }
        long restarted = System.nanoTime();
        try (EmbeddedDynamoDb server = EmbeddedDynamoDb.start(settings)) {
            print("start, warm, with data", restarted);
            assertThat(server.endpoint().getPort()).isPositive();
        }
    }

    private interface Call {
        void run(Wire wire, int connection, int i) throws IOException;
    }

    private static void concurrently(String what, URI endpoint, Call call) throws Exception {
        long[] times = new long[CONNECTIONS * PER_CONNECTION];
        Duration busy = processTime();
        long started = System.nanoTime();
        try (ExecutorService threads = Executors.newFixedThreadPool(CONNECTIONS)) {
            List<Future<?>> running = new ArrayList<>();
            for (int c = 0; c < CONNECTIONS; c++) {
                int connection = c;
                running.add(
                        threads.submit(
                                () -> {
                                    try (Wire wire = new Wire(endpoint)) {
                                        for (int i = 0; i < PER_CONNECTION; i++) {
                                            long before = System.nanoTime();
                                            call.run(wire, connection, i);
                                            times[connection * PER_CONNECTION + i] =
                                                    System.nanoTime() - before;
                                        }
                                    }
                                    return connection;
                                }));
            }
            for (Future<?> one : running) {
                one.get(5, TimeUnit.MINUTES);
            }
        }
        double seconds = (System.nanoTime() - started) / 1e9;
        System.out.printf(
                Locale.ROOT,
                "FIGURE %s, %d connections: %.0f/s, %.0f us of processor time each, client included%n",
                what,
                CONNECTIONS,
                times.length / seconds,
                processTime().minus(busy).toNanos() / 1e3 / times.length);
        print(what + ", " + CONNECTIONS + " connections", times);
    }

    private static Duration processTime() {
        return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
    }

    private static void print(String what, long since) {
        System.out.printf(
                Locale.ROOT, "FIGURE %s: %.0f ms%n", what, (System.nanoTime() - since) / 1e6);
    }

    private static void print(String what, long[] nanos) {
        Arrays.sort(nanos);
        System.out.printf(
                Locale.ROOT,
                "FIGURE %s: p50 %.3f ms, p99 %.3f ms, max %.1f ms%n",
                what,
                nanos[nanos.length / 2] / 1e6,
                nanos[nanos.length * 99 / 100] / 1e6,
                nanos[nanos.length - 1] / 1e6);
    }

    private static String put(String code, int version) {
        return """
        {"TableName":"Links","Item":{"short_code":{"S":"%s"},"long_url":{"S":"https://example.com/a/path/that/is/not/too/short?with=a&query=too"},\
        "host":{"S":"example.com"},"is_active":{"BOOL":true},"version":{"N":"%d"},"created_at":{"N":"1790000000000"},"changed_by":{"S":"alice"},\
        "changed_at":{"N":"1795000000000"},"change_id":{"S":"0b6f3a52-6e5b-4b3e-9a93-4f2e8a4f7c11"}}}"""
                .formatted(code, version);
    }

    private static String get(String code) {
        return """
        {"TableName":"Links","Key":{"short_code":{"S":"%s"}},"ConsistentRead":true}"""
                .formatted(code);
    }

    private static String increment(String code, int version) {
        return """
        {"TableName":"Links","Key":{"short_code":{"S":"%s"}},"UpdateExpression":"SET version = version + :one, changed_by = :by",\
        "ConditionExpression":"version = :seen","ExpressionAttributeValues":{":one":{"N":"1"},":seen":{"N":"%d"},":by":{"S":"bob"}}}"""
                .formatted(code, version);
    }

    private static String transaction(String code, String entry) {
        return """
        {"ClientRequestToken":"%s","TransactItems":[{"Update":{"TableName":"Links","Key":{"short_code":{"S":"%s"}},"UpdateExpression":"ADD version :one",\
        "ExpressionAttributeValues":{":one":{"N":"1"}}}},{"Put":{"TableName":"Deaths","Item":{"hour":{"S":"2026-12-01T00/%d"},"entry":{"S":"%s"}}}}]}"""
                .formatted(entry, code, entry.hashCode() & 15, entry);
    }
}
