package dev.headstone.cache;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headstone.link.Link;
import dev.headstone.link.ShortCode;
import dev.headstone.link.Stamp;
import dev.headstone.table.Links;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.netty.util.HashedWheelTimer;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
final class RedisLinkCacheTest extends LinkCacheContract {
    private static final ShortCode CODE = new ShortCode("abc");
    private static RealRedis server;
    private static RedisClient client;
    private static StatefulRedisConnection<byte[], byte[]> beside;
    private static HashedWheelTimer timer;

    private final CircuitBreaker breaker = CacheBreaker.create();
    private RedisLinkCache cache;

    @BeforeAll
    static void start() {
        server = RealRedis.start();
        client = RedisClient.create();
        timer = new HashedWheelTimer(5, TimeUnit.MILLISECONDS);
        beside =
                Awaitility.await()
                        .ignoreExceptions()
                        .until(
                                () -> client.connect(ByteArrayCodec.INSTANCE, server.uri()),
                                connection -> connection != null);
    }

    @AfterAll
    static void stop() {
        beside.close();
        client.shutdown();
        timer.stop();
        server.close();
    }

    @BeforeEach
    void connect() {
        redis().flushall();
        cache = cacheWith(RedisSettings.DEFAULT);
    }

    @AfterEach
    void disconnect() {
        cache.close();
    }

    private RedisLinkCache cacheWith(RedisSettings settings) {
        RedisLinkCache made =
                new RedisLinkCache(
                        client, server.uri(), breaker, timer, new SecureRandom(), settings);
        assertThat(made.awaitConnected(Duration.ofSeconds(5))).isTrue();
        return made;
    }

    private static RedisCommands<byte[], byte[]> redis() {
        return beside.sync();
    }

    @Override
    protected LinkCache cache() {
        return cache;
    }

    @Override
    protected void putRaw(ShortCode code, byte[] value) {
        redis().set(CacheKeys.record(code).getBytes(UTF_8), value);
    }

    @Override
    protected Optional<byte[]> raw(ShortCode code) {
        return Optional.ofNullable(redis().get(CacheKeys.record(code).getBytes(UTF_8)));
    }

    @Override
    protected Optional<Duration> life(ShortCode code) {
        long millis = redis().pttl(CacheKeys.record(code).getBytes(UTF_8));
        return millis < 0 ? Optional.empty() : Optional.of(Duration.ofMillis(millis));
    }

    @Test
    void takesAForeignTypeForUnreadableAndReplacesIt() {
        byte[] key = CacheKeys.record(CODE).getBytes(UTF_8);
        redis().lpush(key, "x".getBytes(UTF_8));

        assertThat(look()).isEqualTo(new CacheLookup.Unreadable());
        assertThat(cache.settle(force(), tombstone())).isEqualTo(accepted());
        assertThat(look()).isInstanceOf(CacheLookup.Found.class);
    }

    @Test
    void takesTheLeaseFromAForeignTypeByForce() {
        redis().lpush(CacheKeys.lease(CODE).getBytes(UTF_8), "x".getBytes(UTF_8));

        assertThat(cache.settleConfirmed(force(), tombstone())).isEqualTo(accepted());
    }

    @Test
    void goesOnWhenTheServerHasForgottenTheScript() {
        assertThat(cache.settle(force(), tombstone())).isEqualTo(accepted());
        redis().scriptFlush();

        assertThat(cache.settle(force(), tombstone())).isEqualTo(accepted());
    }

    @Test
    void letsALeaseEndByItself() {
        force();
        long millis = redis().pttl(CacheKeys.lease(CODE).getBytes(UTF_8));
        assertThat(millis).isBetween(2_000L, 3_000L);
    }

    @Test
    void doesNotConfirmWithoutTheReplicasItWasToldToWaitFor() {
        try (RedisLinkCache waiting = cacheWith(RedisSettings.DEFAULT.withAcks(1))) {
            Lease lease = ((LeaseAttempt.Taken) waiting.forceLease(CODE)).lease();

            assertThat(waiting.settleConfirmed(lease, tombstone()))
                    .isInstanceOf(SettleOutcome.Unknown.class);
        }
    }

    @Test
    void confirmsWithAReplica() {
        try (RealRedis _ =
                        RealRedis.start("--replicaof", "127.0.0.1", String.valueOf(server.port()));
                RedisLinkCache waiting = cacheWith(RedisSettings.DEFAULT.withAcks(1))) {
            Awaitility.await()
                    .atMost(Duration.ofSeconds(20))
                    .untilAsserted(
                            () -> assertThat(redis().info("replication")).contains("state=online"));
            Lease lease = ((LeaseAttempt.Taken) waiting.forceLease(CODE)).lease();

            assertThat(waiting.settleConfirmed(lease, tombstone())).isEqualTo(accepted());
        }
    }

    @Test
    void answersInItsTimeWhileTheServerIsFrozenAndSoonAfterwards() {
        server.freeze();
        try {
            long started = System.nanoTime();
            assertThat(look()).isInstanceOf(CacheLookup.Unavailable.class);
            assertThat(Duration.ofNanos(System.nanoTime() - started))
                    .isLessThan(Duration.ofSeconds(2));
            assertThat(cache.forceLease(CODE)).isInstanceOf(LeaseAttempt.Unreachable.class);
            for (int click = 0; click < 20; click++) {
                look();
            }
            assertThat(breaker.getState()).isEqualTo(CircuitBreaker.State.OPEN);
        } finally {
            server.thaw();
        }

        Awaitility.await()
                .atMost(Duration.ofSeconds(2))
                .untilAsserted(() -> assertThat(look()).isEqualTo(new CacheLookup.Absent()));
    }

    @Test
    void isUnavailableWhereNothingListens() {
        try (RealRedis gone = RealRedis.start();
                RedisLinkCache nowhere =
                        new RedisLinkCache(
                                client,
                                gone.uri(),
                                CacheBreaker.create(),
                                timer,
                                new SecureRandom(),
                                RedisSettings.DEFAULT)) {
            gone.kill();

            assertThat(nowhere.look(CODE).toCompletableFuture().join())
                    .isInstanceOf(CacheLookup.Unavailable.class);
            assertThat(nowhere.forceLease(CODE)).isInstanceOf(LeaseAttempt.Unreachable.class);
        }
    }

    @Test
    void givesNoLeaseWhileTheServerIsFullAndFinishesWhatWasBegun() {
        Lease lease = ((LeaseAttempt.Taken) cache.forceLease(CODE)).lease();
        Link link = Links.plain(CODE);
        CacheRecord record = CacheRecord.of(link, Links.NOW, Links.NOW);
        redis().configSet("maxmemory-policy", "noeviction");
        redis().configSet("maxmemory", "1");
        try {
            assertThat(cache.forceLease(CODE)).isInstanceOf(LeaseAttempt.Unreachable.class);
            assertThat(
                            cache.settleConfirmed(
                                    lease, new Settlement.Write(record, Duration.ofHours(1))))
                    .isEqualTo(new SettleOutcome.Accepted(Optional.of(link.stamp())));
            assertThat(look()).isEqualTo(new CacheLookup.Found(record));
        } finally {
            redis().configSet("maxmemory", "0");
        }
    }

    @Test
    void tellsTheTimeOfTheServer() {
        assertThat(cache.time())
                .hasValueSatisfying(
                        time -> assertThat(time).isAfter(Instant.ofEpochMilli(1_700_000_000_000L)));
    }

    @Test
    void neverRepeatsACommandAfterAReconnect() {
        assertThat(look()).isEqualTo(new CacheLookup.Absent());
        server.freeze();
        Lease lease;
        try {
            assertThat(cache.forceLease(CODE)).isInstanceOf(LeaseAttempt.Unreachable.class);
            lease = new Lease(CODE, "unknown");
            assertThat(cache.settleConfirmed(lease, tombstone()))
                    .isInstanceOf(SettleOutcome.Unknown.class);
        } finally {
            server.thaw();
        }
        redis().configResetstat();
        redis().clientKill(io.lettuce.core.KillArgs.Builder.typeNormal().skipme(true));

        Awaitility.await()
                .atMost(Duration.ofSeconds(3))
                .untilAsserted(() -> assertThat(look()).isInstanceOf(CacheLookup.Absent.class));
        assertThat(redis().info("commandstats"))
                .doesNotContain("cmdstat_evalsha")
                .doesNotContain("cmdstat_set:");
    }

    private CacheLookup look() {
        return cache.look(CODE).toCompletableFuture().join();
    }

    private Lease force() {
        return ((LeaseAttempt.Taken) cache.forceLease(CODE)).lease();
    }

    private static Settlement tombstone() {
        return new Settlement.Write(
                new CacheRecord.Tombstone(
                        new Stamp(1_790_000_000_000L, 2, true),
                        Instant.ofEpochMilli(1_798_000_000_000L)),
                Duration.ofHours(1));
    }

    private static SettleOutcome accepted() {
        return new SettleOutcome.Accepted(Optional.of(new Stamp(1_790_000_000_000L, 2, true)));
    }
}
