package dev.headstone.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headstone.cache.CacheBreaker;
import dev.headstone.cache.CacheLookup;
import dev.headstone.cache.CacheRecord.Active;
import dev.headstone.cache.CacheRecord.Tombstone;
import dev.headstone.cache.RealRedis;
import dev.headstone.cache.RedisLinkCache;
import dev.headstone.cache.RedisSettings;
import dev.headstone.cache.Repair;
import dev.headstone.cache.Settler;
import dev.headstone.cache.Settler.OfLive;
import dev.headstone.cache.TrustRule;
import dev.headstone.cache.TrustWatch;
import dev.headstone.cache.TrustedLinkCache;
import dev.headstone.freshness.Freshness;
import dev.headstone.link.Cause;
import dev.headstone.link.LastChange;
import dev.headstone.link.Link;
import dev.headstone.link.ShortCode;
import dev.headstone.table.ChangeOutcome;
import dev.headstone.table.InMemoryDeathIndex;
import dev.headstone.table.InMemoryLinkTable;
import dev.headstone.table.Links;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.util.HashedWheelTimer;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A Redis that comes back with what it held before links died. */
final class SweptRedisTest {
    private static final InstantSource CLOCK = Clock.systemUTC();

    private final InMemoryLinkTable table = new InMemoryLinkTable();
    private RealRedis server;
    private RedisClient client;
    private RedisClient operator;
    private HashedWheelTimer timer;
    private RedisLinkCache plain;
    private TrustedLinkCache cache;
    private Settler settler;
    private Sweep sweep;

    @BeforeEach
    void start() {
        server = RealRedis.start();
        client = RedisClient.create();
        operator = RedisClient.create();
        timer = new HashedWheelTimer(5, TimeUnit.MILLISECONDS);
        plain =
                new RedisLinkCache(
                        client,
                        server.uri(),
                        CacheBreaker.create(),
                        timer,
                        new SecureRandom(),
                        RedisSettings.DEFAULT);
        assertThat(plain.awaitConnected(Duration.ofSeconds(5))).isTrue();
        cache =
                new TrustedLinkCache(
                        plain, plain, TrustRule.VERIFIED_ALONE, System::nanoTime, CLOCK);
        settler = new Settler(cache, table, CLOCK, Duration.ofSeconds(2));
        sweep =
                new Sweep(
                        new InMemoryDeathIndex(table),
                        settler,
                        plain,
                        CLOCK,
                        System::nanoTime,
                        SweepSettings.DEFAULT,
                        new SimpleMeterRegistry());
    }

    @AfterEach
    void stop() {
        plain.close();
        client.shutdown(0, 2, TimeUnit.SECONDS);
        operator.shutdown(0, 2, TimeUnit.SECONDS);
        timer.stop();
        server.close();
    }

    @Test
    void isNotBelievedAfterARestartFromAnOldSnapshotUntilItIsSwept() {
        cache.observe(); // while nothing lies there, so that it counts as swept
        List<Link> links = IntStream.range(0, 20).mapToObj(this::alive).toList();
        try (StatefulRedisConnection<String, String> redis = operator.connect(server.uri())) {
            redis.sync().save();
        }
        links.forEach(this::takeDown);
        cache.observe();
        assertThat(links).allSatisfy(link -> assertThat(look(link)).isInstanceOf(dead()));

        long before = plain.incarnation();
        server.restart();
        try (TrustWatch _ = new TrustWatch("test", cache, () -> {}).start()) {
            Awaitility.await("the connections are back")
                    .atMost(Duration.ofSeconds(10))
                    .until(() -> plain.incarnation() >= before + 2);
            Awaitility.await("the old snapshot is seen")
                    .atMost(Duration.ofSeconds(10))
                    .until(() -> cache.distrust().equals(Optional.of("the cache is not swept")));
            assertThat(plain.look(links.getFirst().code()).toCompletableFuture().join())
                    .as("it redirects, for whoever believes it")
                    .isInstanceOfSatisfying(
                            CacheLookup.Found.class,
                            found -> assertThat(found.record()).isInstanceOf(Active.class));
            assertThat(links)
                    .allSatisfy(
                            link ->
                                    assertThat(cache.look(link.code()).toCompletableFuture().join())
                                            .isInstanceOf(CacheLookup.Unavailable.class));

            assertThat(sweep.run())
                    .isInstanceOfSatisfying(
                            SweepOutcome.Swept.class,
                            swept -> assertThat(swept.settled()).isEqualTo(20));
            Awaitility.await("it is believed again")
                    .atMost(Duration.ofSeconds(2))
                    .until(() -> cache.distrust().isEmpty());
            assertThat(links).allSatisfy(link -> assertThat(look(link)).isInstanceOf(dead()));
        }
    }

    @Test
    void isSweptByAScheduleAsSoonAsItIsBack() {
        Link link = alive(0);
        try (StatefulRedisConnection<String, String> redis = operator.connect(server.uri())) {
            redis.sync().save();
        }
        takeDown(link);
        try (SweepSchedule schedule = new SweepSchedule(sweep, Duration.ofHours(1)).start();
                TrustWatch _ = new TrustWatch("test", cache, schedule::wake).start()) {
            Awaitility.await("it is believed").until(() -> cache.distrust().isEmpty());
            server.restart();

            Awaitility.await("it is swept and believed again")
                    .atMost(Duration.ofSeconds(10))
                    .ignoreExceptions()
                    .untilAsserted(() -> assertThat(look(link)).isInstanceOf(dead()));
        }
    }

    private static Class<?> dead() {
        return Tombstone.class;
    }

    private Object look(Link link) {
        return ((CacheLookup.Found) cache.look(link.code()).toCompletableFuture().join()).record();
    }

    private Link alive(int index) {
        Link link = Links.createdAt(new ShortCode("link-" + index), now());
        table.put(link);
        assertThat(settler.repair(link.code(), OfLive.WRITE, Optional.empty()))
                .isInstanceOf(Repair.Settled.class);
        return link;
    }

    private void takeDown(Link link) {
        Instant now = now();
        Link dead =
                link.ended(
                        Cause.TAKEDOWN,
                        new LastChange(
                                now, "bob", Optional.of("spam"), UUID.randomUUID().toString()),
                        Freshness.purgeOfDead(Cause.TAKEDOWN, now));
        assertThat(table.change(link, dead)).isEqualTo(new ChangeOutcome.Changed());
        assertThat(settler.repair(link.code(), OfLive.DROP_OLDER, Optional.empty()))
                .isInstanceOf(Repair.Settled.class);
    }

    private static Instant now() {
        return CLOCK.instant().truncatedTo(ChronoUnit.MILLIS);
    }
}
