package dev.headstone.standalone.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headstone.cache.RealCluster;
import dev.headstone.cache.RealRedis;
import dev.headstone.cache.RealSentinels;
import io.lettuce.core.RedisClient;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Caches with replicas, Sentinels and several primaries. */
@Tag("slow")
final class OtherCachesTest {
    @TempDir private Path folder;
    private final RedisClient operator = RedisClient.create();

    @AfterEach
    void stop() {
        operator.shutdown(0, 2, TimeUnit.SECONDS);
    }

    @Test
    void aDeadLinkStaysDeadWhenThePrimaryDiesAndComesBack() {
        try (RealRedis primary = RealRedis.start();
                RealRedis replica =
                        RealRedis.start("--replicaof", "127.0.0.1", "" + primary.port());
                RealSentinels sentinels = RealSentinels.watch(primary, replica, operator);
                ServeProcess serve =
                        ServeProcess.start(
                                folder.resolve("serve"),
                                "--in-memory",
                                "--redis",
                                "redis-sentinel://" + hosts(sentinels) + "#main",
                                "--redis-acks",
                                "1")) {
            serve.create("before", "https://example.com/");
            serve.create("after", "https://example.com/");
            Awaitility.await("hits are used")
                    .atMost(Duration.ofSeconds(20))
                    .until(() -> cacheStatus(serve, "after").equals("headstone; hit"));
            primary.save();
            assertThat(serve.takeDown("before").statusCode()).isEqualTo(200);

            primary.killAndWait();
            assertThat(serve.click("/before").statusCode()).isEqualTo(404);
            assertThat(serve.click("/after").statusCode()).isEqualTo(302);
            HttpResponse<String> tooEarly = serve.takeDown("after");
            assertThat(tooEarly.statusCode()).as(tooEarly.body()).isEqualTo(503);
            assertThat(serve.click("/after").statusCode()).isEqualTo(404);
            primary.resume();

            Awaitility.await("a retry is confirmed once there is a replica again")
                    .atMost(Duration.ofSeconds(60))
                    .until(
                            () -> {
                                assertThat(serve.click("/before").statusCode()).isEqualTo(404);
                                assertThat(serve.click("/after").statusCode()).isEqualTo(404);
                                return serve.takeDown("after").statusCode() == 200;
                            });
            Awaitility.await("the new primary is swept and believed")
                    .atMost(Duration.ofSeconds(30))
                    .until(
                            () ->
                                    cacheStatus(serve, "before")
                                                    .equals("headstone; hit; detail=tombstone")
                                            && serve.control("GET", "/metrics", "")
                                                    .body()
                                                    .contains("headstone_cache_trusted 1.0"));
            serve.assertSound("before");
            serve.assertSound("after");
        }
    }

    @Test
    void servesOverACluster() {
        try (RealCluster cluster = RealCluster.start(operator);
                ServeProcess serve =
                        ServeProcess.start(
                                folder.resolve("serve"),
                                "--in-memory",
                                "--redis",
                                "redis-cluster://127.0.0.1:" + cluster.server(1).port(),
                                "--redis-durable")) {
            for (int index = 0; index < 10; index++) {
                String code = "spread-" + index;
                serve.create(code, "https://example.com/");
                assertThat(cacheStatus(serve, code)).isEqualTo("headstone; hit");
                assertThat(serve.takeDown(code).statusCode()).isEqualTo(200);
                assertThat(cacheStatus(serve, code)).isEqualTo("headstone; hit; detail=tombstone");
            }
        }
    }

    private static String cacheStatus(ServeProcess serve, String code) {
        return serve.click("/" + code).headers().firstValue("Cache-Status").orElse("");
    }

    private static String hosts(RealSentinels sentinels) {
        return sentinels.ports().stream()
                .map(port -> "127.0.0.1:" + port)
                .collect(Collectors.joining(","));
    }
}
