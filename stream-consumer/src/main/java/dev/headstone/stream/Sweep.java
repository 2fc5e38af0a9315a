package dev.headstone.stream;

import dev.headstone.cache.CacheNode;
import dev.headstone.cache.CacheRun;
import dev.headstone.cache.MarkOutcome;
import dev.headstone.cache.NodeView;
import dev.headstone.cache.Repair;
import dev.headstone.cache.Settler;
import dev.headstone.cache.Settler.OfLive;
import dev.headstone.link.Link;
import dev.headstone.table.DeathIndex;
import dev.headstone.table.DeathPage;
import dev.headstone.table.DeathPage.Death;
import dev.headstone.table.DeathPartition;
import dev.headstone.table.Deaths;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Settles again whatever died lately: the third path, and what makes a cache that came back
 * believable. Once all of it has been settled in one run of the cache, over connections that did
 * not change meanwhile, that run is marked.
 *
 * <p>Several partitions are swept at a time. What was not finished is gone on with from the last
 * page of each that was, as long as the run and the connections are the same; else it starts over.
 * A process that ends leaves nothing behind: the next one starts over. Safe for use by several
 * threads; one sweeps at a time.
 */
public final class Sweep {
    private static final Logger log = LoggerFactory.getLogger(Sweep.class);

    /** Several times what the slowest settlement of a page may take. */
    private static final Duration PAGE_BUDGET = Duration.ofSeconds(60);

    private final DeathIndex deaths;
    private final Settler settler;
    private final CacheNode node;
    private final InstantSource clock;
    private final LongSupplier nanos;
    private final Consumer<Duration> pause;
    private final SweepSettings settings;
    private final Counter confirmed;
    private final Counter failed;
    private final Counter finished;
    private final Counter changed;
    private final Counter unfinished;
    private final ReentrantLock sweeping = new ReentrantLock();
    private Optional<Progress> progress = Optional.empty();
    private volatile double lastSeconds = Double.NaN;

    /**
     * @param settler settles in the cache that {@code node} is the node of
     * @param nanos a monotonic clock, such as {@link System#nanoTime}
     */
    public Sweep(
            DeathIndex deaths,
            Settler settler,
            CacheNode node,
            InstantSource clock,
            LongSupplier nanos,
            SweepSettings settings,
            MeterRegistry meters) {
        this(
                deaths,
                settler,
                node,
                clock,
                nanos,
                settings,
                meters,
                wait -> LockSupport.parkNanos(wait.toNanos()));
    }

    /**
     * @param pause lets time pass between two pages
     */
    public Sweep(
            DeathIndex deaths,
            Settler settler,
            CacheNode node,
            InstantSource clock,
            LongSupplier nanos,
            SweepSettings settings,
            MeterRegistry meters,
            Consumer<Duration> pause) {
        this.deaths = deaths;
        this.settler = settler;
        this.node = node;
        this.clock = clock;
        this.nanos = nanos;
        this.pause = pause;
        this.settings = settings;
        this.confirmed = tombstones(meters, "confirmed");
        this.failed = tombstones(meters, "failed");
        this.finished = sweeps(meters, "finished");
        this.changed = sweeps(meters, "run_changed");
        this.unfinished = sweeps(meters, "unfinished");
        Gauge.builder("headstone.sweep.last", () -> lastSeconds)
                .baseUnit("seconds")
                .description("How long the last sweep took that was finished")
                .register(meters);
    }

    private static Counter tombstones(MeterRegistry meters, String result) {
        return Counter.builder("headstone.tombstones")
                .description("Tombstones that somebody tried to write")
                .tag("source", "sweep")
                .tag("result", result)
                .register(meters);
    }

    private static Counter sweeps(MeterRegistry meters, String result) {
        return Counter.builder("headstone.sweeps")
                .description("Sweeps over what died lately, by what became of them")
                .tag("result", result)
                .register(meters);
    }

    /** How far a sweep has come. Safe for use by several threads. */
    private static final class Progress {
        private final NodeView.Primary node;
        private final long startedNanos;
        private final Map<DeathPartition, Optional<String>> left = new LinkedHashMap<>();
        private long settled;

        /**
         * @param partitions none of which has been begun
         */
        Progress(NodeView.Primary node, long startedNanos, List<DeathPartition> partitions) {
            this.node = node;
            this.startedNanos = startedNanos;
            partitions.forEach(partition -> left.put(partition, Optional.empty()));
        }

        boolean isOf(NodeView.Primary primary) {
            return node.run().equals(primary.run()) && node.incarnation() == primary.incarnation();
        }

        synchronized List<DeathPartition> left() {
            return List.copyOf(left.keySet());
        }

        /** Where the next page of a partition begins that is not done. */
        synchronized Optional<String> from(DeathPartition partition) {
            return left.getOrDefault(partition, Optional.empty());
        }

        synchronized void settled(DeathPartition partition, DeathPage.Read page) {
            settled += page.deaths().size();
            if (page.next().isPresent()) {
                left.put(partition, page.next());
            } else {
                left.remove(partition);
            }
        }

        synchronized long settled() {
            return settled;
        }
    }

    /** Sweeps, or goes on where the last call had to stop. Blocks until done, or out of time. */
    public SweepOutcome run() {
        sweeping.lock();
        try {
            SweepOutcome outcome = sweep();
            record(outcome);
            return outcome;
        } finally {
            sweeping.unlock();
        }
    }

    private void record(SweepOutcome outcome) {
        switch (outcome) {
            case SweepOutcome.Swept(CacheRun run, long settled, Duration took) -> {
                finished.increment();
                lastSeconds = took.toNanos() / 1e9;
                log.atInfo()
                        .addKeyValue("run", run.name())
                        .addKeyValue("settled", settled)
                        .addKeyValue("took", took)
                        .log("cache is swept");
            }
            case SweepOutcome.RunChanged _ -> {
                changed.increment();
                log.atWarn().log("cache changed under a sweep, which starts over");
            }
            case SweepOutcome.Unfinished(String why) -> {
                unfinished.increment();
                log.atWarn().addKeyValue("why", why).log("sweep not finished, it will go on");
            }
        }
    }

    private SweepOutcome sweep() {
        return switch (node.observe()) {
            case NodeView.Primary primary -> sweep(begun(primary));
            case NodeView.NotPrimary(String why) -> unfinished(why);
            case NodeView.Unknown(String why) -> unfinished(why);
        };
    }

    private SweepOutcome unfinished(String why) {
        return new SweepOutcome.Unfinished(why);
    }

    private Progress begun(NodeView.Primary primary) {
        Instant now = clock.instant();
        return progress.filter(last -> last.isOf(primary))
                .orElseGet(
                        () ->
                                new Progress(
                                        primary,
                                        nanos.getAsLong(),
                                        Deaths.partitions(
                                                now.minus(settings.lookBack()),
                                                now.plus(settings.lookAhead()))));
    }

    private SweepOutcome sweep(Progress begun) {
        progress = Optional.of(begun);
        long end = nanos.getAsLong() + settings.budget().toNanos();
        Optional<SweepOutcome> stop =
                settings.concurrency() == 1 ? inOrder(begun, end) : together(begun, end);
        if (node.incarnation() != begun.node.incarnation()) {
            return startOver();
        }
        return stop.orElseGet(() -> mark(begun));
    }

    private Optional<SweepOutcome> inOrder(Progress begun, long end) {
        return begun.left().stream()
                .map(partition -> sweep(begun, partition, end, () -> false))
                .flatMap(Optional::stream)
                .findFirst();
    }

    private Optional<SweepOutcome> together(Progress begun, long end) {
        AtomicReference<@Nullable SweepOutcome> stop = new AtomicReference<>();
        List<Callable<Boolean>> partitions =
                begun.left().stream()
                        .<Callable<Boolean>>map(
                                partition ->
                                        () -> {
                                            sweep(begun, partition, end, () -> stop.get() != null)
                                                    .ifPresent(stop::set);
                                            return true;
                                        })
                        .toList();
        Duration longest = settings.budget().plus(PAGE_BUDGET);
        try (ExecutorService workers =
                Executors.newFixedThreadPool(
                        settings.concurrency(), Thread.ofVirtual().name("sweep-", 0).factory())) {
            for (Future<Boolean> swept :
                    workers.invokeAll(partitions, longest.toNanos(), TimeUnit.NANOSECONDS)) {
                swept.get();
            }
            return Optional.ofNullable(stop.get());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.of(unfinished("interrupted"));
        } catch (ExecutionException | CancellationException e) {
            return Optional.of(unfinished("a partition: " + e.getClass().getSimpleName()));
        }
    }

    /** Sweeps what is left of one partition; what stopped it, if anything did. */
    private Optional<SweepOutcome> sweep(
            Progress begun, DeathPartition partition, long end, BooleanSupplier stopped) {
        while (!stopped.getAsBoolean()) {
            if (nanos.getAsLong() - end > 0) {
                return Optional.of(unfinished("the time for one call is used up"));
            }
            if (node.incarnation() != begun.node.incarnation()) {
                return Optional.of(new SweepOutcome.RunChanged());
            }
            switch (deaths.read(partition, begun.from(partition))) {
                case DeathPage.Read page -> {
                    Optional<String> fault = settle(page.deaths());
                    if (fault.isPresent()) {
                        return Optional.of(unfinished(fault.get()));
                    }
                    begun.settled(partition, page);
                    if (page.next().isEmpty()) {
                        return Optional.empty();
                    }
                }
                case DeathPage.Failed(Exception cause) -> {
                    return Optional.of(
                            unfinished("the index of deaths: " + cause.getClass().getSimpleName()));
                }
            }
        }
        return Optional.empty();
    }

    private SweepOutcome startOver() {
        progress = Optional.empty();
        return new SweepOutcome.RunChanged();
    }

    /** Only if all of it went to one run, and to the one that is still there. */
    private SweepOutcome mark(Progress done) {
        return switch (node.observe()) {
            case NodeView.Primary now when done.isOf(now) ->
                    switch (node.markSwept(now.run())) {
                        case MarkOutcome.Marked _ -> {
                            progress = Optional.empty();
                            yield new SweepOutcome.Swept(
                                    now.run(),
                                    done.settled(),
                                    Duration.ofNanos(nanos.getAsLong() - done.startedNanos));
                        }
                        case MarkOutcome.NotMarked(String why) -> unfinished(why);
                    };
            case NodeView.Primary _, NodeView.NotPrimary _ -> startOver();
            case NodeView.Unknown(String why) -> unfinished(why);
        };
    }

    /** Settles a page; what could not be settled, if so, ends it. */
    private Optional<String> settle(List<Death> page) {
        long started = nanos.getAsLong();
        Optional<String> fault =
                page.stream().map(this::settle).flatMap(Optional::stream).findFirst();
        long wanted =
                TimeUnit.SECONDS.toNanos((long) page.size() * settings.concurrency())
                        / settings.mostPerSecond();
        long left = wanted - (nanos.getAsLong() - started);
        if (fault.isEmpty() && left > 0) {
            pause.accept(Duration.ofNanos(left));
        }
        return fault;
    }

    /** Why this death could not be settled, if it could not. */
    private Optional<String> settle(Death death) {
        return switch (settler.repair(
                death.code(), OfLive.DROP_OLDER, Optional.of(death.stamp()))) {
            case Repair.Settled(Optional<Link> item) -> {
                if (item.isPresent() && item.get().isDead()) {
                    confirmed.increment();
                }
                yield Optional.empty();
            }
            case Repair.Unreadable(String why) -> dropped(death, why);
            case Repair.TableFailed(Exception cause) -> {
                failed.increment();
                yield Optional.of("the table: " + cause.getClass().getSimpleName());
            }
            case Repair.CacheFailed(String why) -> {
                failed.increment();
                yield Optional.of(why);
            }
        };
    }

    /** An item that is no link has no right to a record; waiting for it would block all others. */
    private Optional<String> dropped(Death death, String why) {
        log.atError()
                .addKeyValue("code", death.code())
                .addKeyValue("why", why)
                .log("dead link is unreadable, its record is dropped");
        return switch (settler.drop(death.code())) {
            case Repair.Settled _ -> Optional.empty();
            case Repair.Unreadable(String fault) -> Optional.of(fault);
            case Repair.TableFailed(Exception cause) ->
                    Optional.of(cause.getClass().getSimpleName());
            case Repair.CacheFailed(String fault) -> {
                failed.increment();
                yield Optional.of(fault);
            }
        };
    }
}
