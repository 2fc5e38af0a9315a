package dev.headstone.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headstone.cache.CacheRecord.Active;
import dev.headstone.cache.Settler.OfLive;
import dev.headstone.freshness.Freshness;
import dev.headstone.link.Cause;
import dev.headstone.link.LastChange;
import dev.headstone.link.Link;
import dev.headstone.link.ShortCode;
import dev.headstone.table.ChangeOutcome;
import dev.headstone.table.InMemoryLinkTable;
import dev.headstone.table.Links;
import io.lettuce.core.KillArgs;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import io.netty.util.HashedWheelTimer;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A primary, a replica and three Sentinels, and processes that read and take down meanwhile. */
@Tag("slow")
final class FailoverTest {
    private static final InstantSource CLOCK = Clock.systemUTC();
    private static final RedisCodec<String, byte[]> CODEC =
            RedisCodec.of(StringCodec.UTF8, ByteArrayCodec.INSTANCE);
    private static final int DESKS = 6;
    private static final Duration PATIENCE = Duration.ofSeconds(40);

    private final List<AutoCloseable> started = new ArrayList<>();
    private final Map<RealRedis, StatefulRedisConnection<String, byte[]>> known = new HashMap<>();
    private final InMemoryLinkTable table = new InMemoryLinkTable();
    private RedisClient operator;
    private HashedWheelTimer timer;
    private RealRedis primary;
    private RealRedis replica;
    private RealSentinels sentinels;

    @BeforeEach
    void start() {
        timer = new HashedWheelTimer(5, TimeUnit.MILLISECONDS);
        operator = client();
        primary = closing(RealRedis.start());
        replica = closing(RealRedis.start("--replicaof", "127.0.0.1", port(primary)));
        Awaitility.await("the replica is in step")
                .atMost(Duration.ofSeconds(20))
                .until(() -> ask(primary).info("replication").contains("state=online"));
        sentinels = closing(RealSentinels.watch(primary, replica, operator));
    }

    @AfterEach
    void stop() throws Exception {
        for (AutoCloseable part : started.reversed()) {
            part.close();
        }
        timer.stop();
    }

    private <T extends AutoCloseable> T closing(T part) {
        started.add(part);
        return part;
    }

    private RedisClient client() {
        RedisClient client = RedisClient.create();
        AutoCloseable _ = closing(() -> client.shutdown(0, 2, TimeUnit.SECONDS));
        return client;
    }

    private static String port(RealRedis server) {
        return String.valueOf(server.port());
    }

    /** As an operator, over one connection for the whole test. */
    private RedisCommands<String, byte[]> ask(RealRedis server) {
        return known.computeIfAbsent(server, asked -> closing(operator.connect(CODEC, asked.uri())))
                .sync();
    }

    /** Ends something, and never fails. */
    private interface Stop extends AutoCloseable {
        @Override
        void close();
    }

    /** One process with its cache, which it observes as {@code serve} does. */
    private final class Reader {
        private final RedisLinkCache plain;
        private final TrustedLinkCache trusted;
        private final Settler settler;

        Reader(String name, CacheAddress address, int acks) {
            plain =
                    closing(
                            new RedisLinkCache(
                                    client(),
                                    address,
                                    CacheBreaker.create(),
                                    timer,
                                    new SecureRandom(),
                                    RedisSettings.DEFAULT.withAcks(acks)));
            assertThat(plain.awaitConnected(Duration.ofSeconds(10))).isTrue();
            trusted =
                    new TrustedLinkCache(plain, plain, TrustRule.VERIFIED, System::nanoTime, CLOCK);
            settler = new Settler(trusted, table, CLOCK, Duration.ofMillis(2_500));
            closing(new TrustWatch(name, trusted, () -> {}).start());
        }

        boolean redirects(ShortCode code) {
            return trusted.look(code).toCompletableFuture().join()
                    instanceof CacheLookup.Found(Active _);
        }

        boolean takesDown(Link link) {
            Link dead = dead(link);
            return switch (trusted.forceLease(link.code())) {
                case LeaseAttempt.Taken(Lease lease) -> {
                    Instant consulted = CLOCK.instant();
                    assertThat(table.change(link, dead)).isInstanceOf(ChangeOutcome.Changed.class);
                    yield settler.settle(lease, dead, OfLive.DROP_OLDER, consulted)
                            instanceof Repair.Settled;
                }
                case LeaseAttempt.Held _, LeaseAttempt.Unreachable _ -> {
                    assertThat(table.change(link, dead)).isInstanceOf(ChangeOutcome.Changed.class);
                    yield confirms(link);
                }
            };
        }

        boolean confirms(Link link) {
            return settler.repair(link.code(), OfLive.DROP_OLDER, Optional.empty())
                    instanceof Repair.Settled;
        }

        /** Every link is in the cache, at the replica too, and the run counts as swept. */
        void prime(List<Link> links) {
            for (Link link : links) {
                Awaitility.await("it is primed")
                        .atMost(PATIENCE)
                        .pollDelay(Duration.ZERO)
                        .until(
                                () ->
                                        settler.repair(link.code(), OfLive.WRITE, Optional.empty())
                                                instanceof Repair.Settled);
            }
            CacheRun run = trusted.observe().run().orElseThrow();
            assertThat(plain.markSwept(run)).isEqualTo(new MarkOutcome.Marked());
            Awaitility.await("hits are used")
                    .atMost(Duration.ofSeconds(5))
                    .until(() -> redirects(links.getFirst().code()));
        }
    }

    @Test
    void isNotConfirmedWhileTheReplicaIsFrozenAndIsOnceItIsBack() throws Exception {
        Reader process = new Reader("process", new CacheAddress.Node(primary.uri()), 1);
        List<Link> links = links(20);
        process.prime(links);

        replica.freeze();
        try (ExecutorService desks = Executors.newVirtualThreadPerTaskExecutor()) {
            long began = System.nanoTime();
            List<Future<Boolean>> takedowns =
                    links.stream()
                            .map(link -> desks.submit(() -> process.takesDown(link)))
                            .toList();
            for (Future<Boolean> takedown : takedowns) {
                assertThat(takedown.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isFalse();
            }
            assertThat(Duration.ofNanos(System.nanoTime() - began))
                    .as("none waits behind the others' replicas")
                    .isLessThan(Duration.ofSeconds(3));
        } finally {
            replica.thaw();
        }

        for (Link link : links) {
            Awaitility.await("a retry confirms")
                    .atMost(PATIENCE)
                    .pollDelay(Duration.ZERO)
                    .until(() -> process.confirms(link));
            assertThat(isActiveAt(replica, link.code())).isFalse();
        }
    }

    @Test
    void keepsAThousandTakedownsWhenThePrimaryIsKilled() throws Exception {
        Lost lost = killAmongTakedowns(1_000, 1, true);

        assertThat(lost.active()).as("seed %s", lost.seed()).isEmpty();
        assertThat(lost.redirected()).as("seed %s", lost.seed()).isEmpty();
    }

    /** What the test above would see if nobody waited for the replica. */
    @Test
    void losesWhatNoReplicaHasAcknowledged() throws Exception {
        Lost lost = killAmongTakedowns(300, 0, false);

        assertThat(lost.active()).as("seed %s", lost.seed()).isNotEmpty();
        assertThat(lost.redirected()).as("the run is not swept, seed %s", lost.seed()).isEmpty();
    }

    /**
     * What was confirmed and was active nevertheless.
     *
     * @param active at the replica when it was promoted
     * @param redirected to somebody, at any time after
     */
    private record Lost(long seed, Set<ShortCode> active, Set<ShortCode> redirected) {}

    /**
     * Takes links down at several desks, each again until it is confirmed; cuts the replica off at
     * a random moment, and kills the primary a little later; starts that again from a snapshot in
     * which all links live.
     *
     * @param toTheEnd whether to go on until all are confirmed, which takes until the old primary
     *     has become a replica
     */
    private Lost killAmongTakedowns(int count, int acks, boolean toTheEnd) throws Exception {
        long seed = new SecureRandom().nextLong();
        Random random = new Random(seed);
        CacheAddress address = RealSentinels.through(sentinels.ports());
        Reader process = new Reader("process", address, acks);
        Reader bystander = new Reader("bystander", address, acks);
        List<Link> links = links(count);
        process.prime(links);
        Awaitility.await("the bystander uses hits")
                .atMost(Duration.ofSeconds(5))
                .until(() -> bystander.redirects(links.getFirst().code()));
        RedisCommands<String, byte[]> atPrimary = ask(primary);
        atPrimary.save();

        Set<ShortCode> confirmed = ConcurrentHashMap.newKeySet();
        Set<ShortCode> redirected = ConcurrentHashMap.newKeySet();
        AtomicBoolean over = new AtomicBoolean();
        Set<ShortCode> active;
        try (ExecutorService desks = Executors.newVirtualThreadPerTaskExecutor();
                Stop _ = desks::shutdownNow) { // whatever fails, nobody goes on for ever
            Queue<Link> todo = new ConcurrentLinkedQueue<>(links);
            List<Future<?>> work = new ArrayList<>();
            for (int desk = 0; desk < DESKS; desk++) {
                work.add(desks.submit(() -> takeDown(todo, process, confirmed::add)));
            }
            Future<?> clicks = desks.submit(() -> click(bystander, confirmed, redirected, over));
            int first = random.nextInt(count / 4, count / 2);
            Awaitility.await()
                    .pollInterval(Duration.ofMillis(1))
                    .until(() -> confirmed.size() >= first);
            cutOff(atPrimary);
            LockSupport.parkNanos(Duration.ofMillis(random.nextInt(20, 200)).toNanos());
            primary.killAndWait();
            Set<ShortCode> before = Set.copyOf(confirmed);

            Awaitility.await("the replica is promoted")
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> ask(replica).info("replication").contains("role:master"));
            active = new HashSet<>(before);
            active.removeIf(code -> !isActiveAt(replica, code));
            primary.resume();
            Awaitility.await("nobody is redirected while the old primary is back")
                    .during(Duration.ofSeconds(2))
                    .atMost(Duration.ofSeconds(10))
                    .until(redirected::isEmpty);
            if (toTheEnd) {
                for (Future<?> desk : work) {
                    desk.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
                }
                assertThat(confirmed).hasSize(count);
            } else {
                todo.clear();
            }
            over.set(true);
            clicks.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        }
        return new Lost(seed, active, redirected);
    }

    private static Object takeDown(
            Queue<Link> todo, Reader process, Consumer<ShortCode> confirmed) {
        for (Link link = todo.poll();
                link != null && !Thread.currentThread().isInterrupted();
                link = todo.poll()) {
            boolean done = process.takesDown(link);
            while (!done && !Thread.currentThread().isInterrupted()) {
                done = process.confirms(link);
            }
            if (done) {
                confirmed.accept(link.code());
            }
        }
        return true;
    }

    private static Object click(
            Reader process, Set<ShortCode> dead, Set<ShortCode> redirected, AtomicBoolean over) {
        while (!over.get() && !Thread.currentThread().isInterrupted()) {
            for (ShortCode code : List.copyOf(dead)) {
                if (process.redirects(code)) {
                    redirected.add(code);
                }
            }
            LockSupport.parkNanos(Duration.ofMillis(1).toNanos());
        }
        return true;
    }

    @Test
    void asksTheTableWithinASecondWhenItIsCutOffTogetherWithAnOldPrimary() {
        List<Forwarder> ways =
                sentinels.ports().stream().map(port -> closing(new Forwarder(port))).toList();
        Reader isolated =
                new Reader(
                        "isolated",
                        RealSentinels.through(ways.stream().map(Forwarder::port).toList()),
                        0);
        Reader process = new Reader("process", RealSentinels.through(sentinels.ports()), 0);
        Link link = links(1).getFirst();
        process.prime(List.of(link));
        Awaitility.await("it uses hits")
                .atMost(Duration.ofSeconds(5))
                .until(() -> isolated.redirects(link.code()));

        isolate(primary);
        ways.forEach(Forwarder::close);
        long cut = System.nanoTime();
        long last = cut;
        for (long asked = cut; isolated.redirects(link.code()); asked = System.nanoTime()) {
            last = asked;
            assertThat(Duration.ofNanos(last - cut)).isLessThan(Duration.ofSeconds(3));
        }
        assertThat(Duration.ofNanos(last - cut)).isLessThan(Duration.ofSeconds(1));
        Awaitility.await()
                .atMost(Duration.ofSeconds(5))
                .until(
                        () ->
                                isolated.trusted
                                        .distrust()
                                        .equals(Optional.of("too few Sentinels say the same")));
        assertThat(isActiveAt(primary, link.code())).as("it could still be read there").isTrue();

        boolean[] redirected = {false};
        AtomicBoolean over = new AtomicBoolean();
        AutoCloseable _ = closing(() -> over.set(true));
        Thread clicks =
                Thread.ofVirtual()
                        .start(
                                () -> {
                                    while (!over.get()) {
                                        redirected[0] |= isolated.redirects(link.code());
                                    }
                                });
        boolean done = process.takesDown(link);
        if (!done) {
            Awaitility.await("it is confirmed at the new primary")
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> process.confirms(link));
        }
        over.set(true);
        Awaitility.await().until(() -> !clicks.isAlive());
        assertThat(redirected[0]).isFalse();
    }

    @Test
    void reportsNothingOfANewPrimaryWhileAnotherProcessMayStillReadTheOldOne() throws Exception {
        Reader process = new Reader("process", RealSentinels.through(sentinels.ports()), 0);
        Reader other = new Reader("other", RealSentinels.through(sentinels.ports()), 0);
        Link link = links(1).getFirst();
        process.prime(List.of(link));
        Awaitility.await("it uses hits")
                .atMost(Duration.ofSeconds(5))
                .until(() -> other.redirects(link.code()));
        AtomicBoolean over = new AtomicBoolean();
        Set<ShortCode> confirmed = ConcurrentHashMap.newKeySet();
        Set<ShortCode> redirected = ConcurrentHashMap.newKeySet();
        CacheRun old = process.trusted.trust().run().orElseThrow();
        try (ExecutorService clicks = Executors.newVirtualThreadPerTaskExecutor();
                Stop _ = clicks::shutdownNow) { // whatever fails, nobody goes on for ever
            Future<?> clicking = clicks.submit(() -> click(other, confirmed, redirected, over));
            isolate(primary);
            Awaitility.await("another one is named")
                    .atMost(Duration.ofSeconds(30))
                    .pollInterval(Duration.ofMillis(5))
                    .until(() -> !process.trusted.observe().run().equals(Optional.of(old)));
            assertThat(table.change(link, dead(link))).isInstanceOf(ChangeOutcome.Changed.class);
            Awaitility.await("it is confirmed")
                    .atMost(PATIENCE)
                    .pollInterval(Duration.ofMillis(5))
                    .until(() -> process.confirms(link));
            confirmed.add(link.code());
            Awaitility.await("nobody is redirected")
                    .during(Duration.ofMillis(1_500))
                    .atMost(Duration.ofSeconds(10))
                    .until(redirected::isEmpty);
            over.set(true);
            clicking.get(10, TimeUnit.SECONDS);
        }
        assertThat(redirected).isEmpty();
    }

    /**
     * Sentinels and the replica do not get at the primary any more, while whoever is connected to
     * it stays.
     */
    private void isolate(RealRedis isolated) {
        RedisCommands<String, byte[]> redis = ask(isolated);
        cutOff(redis);
        redis.clientList()
                .lines()
                .filter(line -> line.contains(" name=sentinel-"))
                .map(line -> line.replaceAll("^id=([0-9]+) .*$", "$1"))
                .forEach(id -> redis.clientKill(KillArgs.Builder.id(Long.parseLong(id))));
    }

    /** The replica loses its connection and gets none again. */
    private static void cutOff(RedisCommands<String, byte[]> redis) {
        redis.configSet("requirepass", "nobody-knows");
        redis.clientKill(KillArgs.Builder.typeSlave());
    }

    private boolean isActiveAt(RealRedis server, ShortCode code) {
        byte[] record = ask(server).get(CacheKeys.record(code));
        return record != null
                && CacheRecordJson.decode(record).filter(Active.class::isInstance).isPresent();
    }

    private List<Link> links(int count) {
        List<Link> links =
                IntStream.range(0, count)
                        .mapToObj(
                                index ->
                                        Links.createdAt(
                                                new ShortCode("link-" + index),
                                                CLOCK.instant().truncatedTo(ChronoUnit.MILLIS)))
                        .toList();
        links.forEach(table::put);
        return links;
    }

    private static Link dead(Link link) {
        Instant now = CLOCK.instant().truncatedTo(ChronoUnit.MILLIS);
        return link.ended(
                Cause.TAKEDOWN,
                new LastChange(now, "bob", Optional.of("phishing"), UUID.randomUUID().toString()),
                Freshness.purgeOfDead(Cause.TAKEDOWN, now));
    }
}
