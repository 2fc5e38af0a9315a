package dev.headstone.cache;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headstone.link.ShortCode;
import dev.headstone.link.Stamp;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.lettuce.core.RedisClient;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.api.sync.RedisAdvancedClusterCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.netty.util.HashedWheelTimer;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The adapter on a cluster of three primaries. */
@Tag("slow")
final class RedisClusterTest extends LinkCacheContract {
    private static final ShortCode CODE = new ShortCode("moved");
    private static final int SLOT = SlotHash.getSlot(CacheKeys.record(CODE));

    /** What is tried here is not how fast it is. */
    private static final RedisSettings PATIENT =
            new RedisSettings(Duration.ofSeconds(1), Duration.ofSeconds(2), 0);

    private static RedisClient operator;
    private static RedisClient client;
    private static RealCluster cluster;
    private static RedisClusterClient besideClient;
    private static StatefulRedisClusterConnection<byte[], byte[]> beside;
    private static HashedWheelTimer timer;

    private static final CircuitBreaker BREAKER = CacheBreaker.create();
    private static RedisLinkCache cache;

    @BeforeAll
    static void start() {
        operator = RedisClient.create();
        client = RedisClient.create();
        cluster = RealCluster.start(operator);
        besideClient = RedisClusterClient.create(cluster.server(0).uri());
        beside = besideClient.connect(ByteArrayCodec.INSTANCE);
        timer = new HashedWheelTimer(5, TimeUnit.MILLISECONDS);
        cache =
                new RedisLinkCache(
                        client, cluster.address(), BREAKER, timer, new SecureRandom(), PATIENT);
    }

    @AfterAll
    static void stop() {
        cache.close();
        beside.close();
        besideClient.shutdown(0, 2, TimeUnit.SECONDS);
        client.shutdown(0, 2, TimeUnit.SECONDS);
        cluster.close();
        operator.shutdown(0, 2, TimeUnit.SECONDS);
        timer.stop();
    }

    @BeforeEach
    void clear() {
        BREAKER.reset();
        assertThat(cache.awaitConnected(Duration.ofSeconds(5))).isTrue();
        redis().flushall();
    }

    private static RedisAdvancedClusterCommands<byte[], byte[]> redis() {
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
    void findsEveryKeyWhereverItLies() {
        for (int index = 0; index < 50; index++) {
            ShortCode code = new ShortCode("spread-" + index);
            assertThat(confirm(code)).isEqualTo(accepted());
            assertThat(look(code)).isInstanceOf(CacheLookup.Found.class);
        }
    }

    @Test
    void repeatsAConfirmedWriteOnTheNodeThatTheSlotWasMovedTo() {
        assertThat(confirm(CODE)).isEqualTo(accepted());
        move();

        Lease lease = force();
        assertThat(cache.settleConfirmed(lease, tombstone())).isEqualTo(accepted());
        assertThat(raw(CODE)).isPresent();
    }

    @Test
    void settlesWhatWasLeasedBeforeTheSlotWasMoved() {
        Lease lease = force();
        move();

        assertThat(cache.settleConfirmed(lease, tombstone())).isEqualTo(accepted());
    }

    @Test
    void readsFromTheNewOwnerSoonAfterTheSlotWasMoved() {
        assertThat(confirm(CODE)).isEqualTo(accepted());
        move();

        Awaitility.await()
                .atMost(Duration.ofSeconds(2))
                .untilAsserted(() -> assertThat(look(CODE)).isInstanceOf(CacheLookup.Found.class));
        assertThat(BREAKER.getState()).isEqualTo(CircuitBreaker.State.CLOSED);
    }

    @Test
    void confirmsWhileASlotIsBeingMovedOnceItsKeysAre() {
        assertThat(confirm(CODE)).isEqualTo(accepted());
        int from = cluster.ownerOf(SLOT);
        int to = (from + 1) % 3;
        cluster.beginMove(SLOT, from, to);
        try {
            CacheLookup before = look(CODE);
            assertThat(before).isInstanceOf(CacheLookup.Found.class);
            Lease lease = force();
            cluster.moveKeys(SLOT, from, to); // from here on the old owner says ASK

            assertThat(look(CODE)).isInstanceOf(CacheLookup.Unavailable.class);
            assertThat(cache.settleConfirmed(lease, tombstone())).isEqualTo(accepted());
        } finally {
            cluster.moveKeys(SLOT, from, to);
            cluster.endMove(SLOT, to);
        }
    }

    @Test
    void leasesWhileASlotIsBeingMoved() {
        assertThat(confirm(CODE)).isEqualTo(accepted());
        int from = cluster.ownerOf(SLOT);
        int to = (from + 1) % 3;
        cluster.beginMove(SLOT, from, to);
        try {
            cluster.moveKeys(SLOT, from, to);

            assertThat(cache.settleConfirmed(force(), tombstone())).isEqualTo(accepted());
        } finally {
            cluster.moveKeys(SLOT, from, to);
            cluster.endMove(SLOT, to);
        }
    }

    @Test
    void finishesAConfirmedWriteThatMetASlotHalfMoved() {
        assertThat(confirm(CODE)).isEqualTo(accepted());
        int from = cluster.ownerOf(SLOT);
        int to = (from + 1) % 3;
        Lease lease = force();
        cluster.beginMove(SLOT, from, to);
        cluster.node(from)
                .migrate("127.0.0.1", cluster.server(to).port(), CacheKeys.record(CODE), 0, 5_000);
        CompletableFuture<SettleOutcome> settled =
                CompletableFuture.supplyAsync(() -> cache.settleConfirmed(lease, tombstone()));
        cluster.moveKeys(SLOT, from, to);
        cluster.endMove(SLOT, to);

        assertThat(settled.join()).isEqualTo(accepted());
    }

    @Test
    void isOneRunAndAnotherOneAsSoonAsOneNodeStartsAgain() {
        putRaw(CODE, "something".getBytes(UTF_8));
        NodeView.Primary before = primary();
        assertThat(before.swept()).isFalse();
        cache.markSwept(before.run());
        assertThat(primary())
                .isEqualTo(new NodeView.Primary(before.run(), before.incarnation(), true));

        cluster.server(1).restart();

        assertThat(cache.observe()).isNotEqualTo(before);
        Awaitility.await()
                .atMost(Duration.ofSeconds(10))
                .ignoreExceptions()
                .untilAsserted(() -> assertThat(primary().run()).isNotEqualTo(before.run()));
        assertThat(primary().incarnation()).isNotEqualTo(before.incarnation());
        cluster.awaitWhole();
    }

    @Test
    void isUnknownWhileOneNodeDoesNotAnswer() {
        assertThat(primary().swept()).isTrue();
        cluster.server(2).freeze();
        try {
            assertThat(cache.observe()).isInstanceOf(NodeView.Unknown.class);
        } finally {
            cluster.server(2).thaw();
        }
        cluster.awaitWhole();
        Awaitility.await()
                .atMost(Duration.ofSeconds(10))
                .ignoreExceptions()
                .untilAsserted(() -> assertThat(primary().swept()).isTrue());
    }

    private NodeView.Primary primary() {
        return (NodeView.Primary) cache.observe();
    }

    private static void move() {
        int from = cluster.ownerOf(SLOT);
        int to = (from + 1) % 3;
        cluster.beginMove(SLOT, from, to);
        cluster.moveKeys(SLOT, from, to);
        cluster.endMove(SLOT, to);
    }

    private CacheLookup look(ShortCode code) {
        return cache.look(code).toCompletableFuture().join();
    }

    private Lease force() {
        return ((LeaseAttempt.Taken) cache.forceLease(CODE)).lease();
    }

    private SettleOutcome confirm(ShortCode code) {
        return cache.settleConfirmed(
                ((LeaseAttempt.Taken) cache.forceLease(code)).lease(), tombstone());
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
