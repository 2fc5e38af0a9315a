package dev.headstone.proof.campaign;

import dev.headstone.cache.AsyncRedisClient;
import dev.headstone.cache.LinkCache;
import dev.headstone.cache.RedisSettings;
import dev.headstone.cache.Settler;
import dev.headstone.link.ShortCode;
import dev.headstone.stream.Sweep;
import dev.headstone.stream.SweepSchedule;
import dev.headstone.stream.SweepSettings;
import io.lettuce.core.RedisClient;
import io.lettuce.core.resource.ClientResources;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.netty.util.Timer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;

/**
 * One Redis, the processes that use it, and the trials that run upon it, in lanes. What befalls the
 * Redis befalls all of them.
 */
final class Station implements AutoCloseable {
    private static final Duration SWEEP_BUDGET = Duration.ofMillis(2_500);
    private static final Duration SWEEP_EVERY = Duration.ofSeconds(20);
    private static final SweepSettings SWEEP =
            new SweepSettings(
                    Duration.ofHours(25), Duration.ofMinutes(1), 4, 20_000, Duration.ofSeconds(30));
    private static final long LONGEST_LINGER_MILLIS = 4_000;
    private static final int PASSWORD_BYTES = 16;

    private final Deque<AutoCloseable> closing = new ArrayDeque<>();
    private final RedisServer server;
    private final Saboteur saboteur;
    private final Graves graves = new Graves();
    private final List<CacheProcess> processes = new ArrayList<>();
    private final UnaryOperator<LinkCache> alteration;
    private final boolean rough;
    private final List<Lane> lanes = new ArrayList<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private long events;
    private boolean over;

    /** The processes, by what they do. */
    private static final List<String> NAMES = List.of("readers", "writers", "consumers", "others");

    /**
     * @param rough whether trials wait for what befalls the Redis
     * @param alteration of each actor's cache, for what is to be found out
     */
    Station(
            List<String> command,
            Path folder,
            ClientResources resources,
            Timer timer,
            InstantSource clock,
            boolean rough,
            UnaryOperator<LinkCache> alteration)
            throws IOException, InterruptedException {
        this.rough = rough;
        this.alteration = alteration;
        SecureRandom secrets = new SecureRandom();
        byte[] password = new byte[PASSWORD_BYTES];
        secrets.nextBytes(password);
        server =
                opened(
                        new RedisServer(
                                command,
                                Files.createDirectories(folder),
                                HexFormat.of().formatHex(password)));
        try {
            server.start();
            saboteur = opened(new Saboteur(resources, server.uri("saboteur")));
            RedisClient client = AsyncRedisClient.on(resources);
            closing.push(() -> client.shutdown(0, 1, TimeUnit.SECONDS));
            for (String name : NAMES) {
                boolean hasty = rough && name.equals("others");
                processes.add(
                        opened(
                                new CacheProcess(
                                                name,
                                                client,
                                                server.uri(name),
                                                timer,
                                                secrets,
                                                hasty ? hasty() : RedisSettings.DEFAULT,
                                                clock)
                                        .open()));
            }
            SweepSchedule sweeps = opened(new SweepSchedule(sweep(clock), SWEEP_EVERY).start());
            processes.forEach(process -> process.whenUnswept(sweeps::wake));
        } catch (IOException | InterruptedException | RuntimeException e) {
            close();
            throw e;
        }
    }

    /** Budgets that a busy machine does not keep. */
    private static RedisSettings hasty() {
        return new RedisSettings(Duration.ofMillis(3), Duration.ofMillis(5), 0);
    }

    private Sweep sweep(InstantSource clock) {
        CacheProcess process = processes.get(2);
        return new Sweep(
                graves,
                new Settler(process.cache(), graves, clock, SWEEP_BUDGET),
                process.node(),
                clock,
                System::nanoTime,
                SWEEP,
                new CompositeMeterRegistry());
    }

    private <T extends AutoCloseable> T opened(T part) {
        closing.push(part);
        return part;
    }

    LinkCache readers() {
        return alteration.apply(processes.get(0).cache());
    }

    LinkCache writers() {
        return alteration.apply(processes.get(1).cache());
    }

    LinkCache consumers() {
        return alteration.apply(processes.get(2).cache());
    }

    LinkCache others() {
        return alteration.apply(processes.get(3).cache());
    }

    Saboteur saboteur() {
        return saboteur;
    }

    RedisServer server() {
        return server;
    }

    boolean isRough() {
        return rough;
    }

    String process(SplittableRandom random) {
        return NAMES.get(random.nextInt(NAMES.size()));
    }

    void add(Lane lane) {
        lanes.add(lane);
    }

    boolean enters(ShortCode code, TrialTable table) {
        return graves.enters(code, table);
    }

    void leaves(ShortCode code) {
        graves.leaves(code);
    }

    /** Something befell the Redis. */
    void tell(String event) {
        lanes.forEach(lane -> lane.note("THE REDIS: " + event));
        lock.lock();
        try {
            events++;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** No more will befall it. */
    void over() {
        lock.lock();
        try {
            over = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Some trials wait for the next thing that befalls the Redis. */
    void linger(SplittableRandom random, Trial trial) {
        if (!rough || random.nextInt(3) > 0) {
            return;
        }
        trial.note("time passes");
        lock.lock();
        try {
            long seen = events;
            long left = TimeUnit.MILLISECONDS.toNanos(LONGEST_LINGER_MILLIS);
            while (events == seen && !over && left > 0) {
                left = changed.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        while (!closing.isEmpty()) {
            try {
                closing.pop().close();
            } catch (Exception e) {
                throw new IllegalStateException("a part of the campaign does not close", e);
            }
        }
    }
}
