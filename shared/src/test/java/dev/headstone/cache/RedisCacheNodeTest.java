package dev.headstone.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.KillArgs;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.netty.util.HashedWheelTimer;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
final class RedisCacheNodeTest extends CacheNodeContract {
    /** What is tried here is not how fast it is. */
    private static final RedisSettings PATIENT =
            new RedisSettings(Duration.ofSeconds(1), Duration.ofSeconds(2), 0);

    private static RedisClient client;
    private static RedisClient operator;
    private static HashedWheelTimer timer;

    private RealRedis server;
    private RedisLinkCache cache;

    @BeforeAll
    static void start() {
        client = RedisClient.create();
        operator = RedisClient.create();
        timer = new HashedWheelTimer(5, TimeUnit.MILLISECONDS);
    }

    @AfterAll
    static void stop() {
        client.shutdown(0, 2, TimeUnit.SECONDS);
        operator.shutdown(0, 2, TimeUnit.SECONDS);
        timer.stop();
    }

    @BeforeEach
    void connect() {
        server = RealRedis.start();
        cache =
                new RedisLinkCache(
                        client,
                        server.uri(),
                        CacheBreaker.create(),
                        timer,
                        new SecureRandom(),
                        PATIENT);
        assertThat(cache.awaitConnected(Duration.ofSeconds(5))).isTrue();
    }

    @AfterEach
    void disconnect() {
        cache.close();
        server.close();
    }

    @Override
    protected CacheNode node() {
        return cache;
    }

    @Override
    protected void put() {
        tell(redis -> redis.sync().set("something", "1"));
    }

    @Override
    protected void restart() {
        long before = cache.incarnation();
        tell(redis -> redis.sync().save());
        server.restart();
        awaitBeyond(before);
    }

    @Override
    protected void reconnect() {
        long before = cache.incarnation();
        tell(redis -> redis.sync().clientKill(KillArgs.Builder.typeNormal().skipme(true)));
        awaitBeyond(before);
    }

    @Override
    protected void cutOff() {
        server.freeze();
    }

    /** Both connections are opened anew. */
    private void awaitBeyond(long before) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(10))
                .until(() -> cache.incarnation() == before + 2);
    }

    private void tell(Consumer<StatefulRedisConnection<String, String>> order) {
        try (StatefulRedisConnection<String, String> redis = operator.connect(server.uri())) {
            order.accept(redis);
        }
    }

    @Test
    void isNoPrimaryAsAReplicaAndIsLeft() {
        long before = cache.incarnation();
        try (RealRedis primary = RealRedis.start()) {
            tell(redis -> redis.sync().replicaof("127.0.0.1", primary.port()));

            assertThat(cache.observe()).isEqualTo(new NodeView.NotPrimary("the node is a replica"));
            awaitBeyond(before);
        }
    }

    @Test
    void isInAnotherRunAfterADemotionAndAPromotionOverTheSameConnections() {
        put();
        NodeView.Primary before = (NodeView.Primary) cache.observe();
        cache.markSwept(before.run());
        try (RealRedis primary = RealRedis.start()) {
            try (StatefulRedisConnection<String, String> beside = operator.connect(primary.uri())) {
                beside.sync().set("something", "else");
            }
            tell(redis -> redis.sync().replicaof("127.0.0.1", primary.port()));
            tell(
                    redis ->
                            Awaitility.await()
                                    .atMost(Duration.ofSeconds(10))
                                    .until(
                                            () ->
                                                    redis.sync()
                                                            .info("replication")
                                                            .contains("master_link_status:up")));
            tell(redis -> redis.sync().replicaofNoOne());
        }

        NodeView.Primary after = (NodeView.Primary) cache.observe();
        assertThat(after.run()).isNotEqualTo(before.run());
        assertThat(after.swept()).isFalse();
    }
}
