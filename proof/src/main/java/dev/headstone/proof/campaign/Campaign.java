package dev.headstone.proof.campaign;

import dev.headstone.cache.LinkCache;
import io.lettuce.core.resource.ClientResources;
import io.netty.util.HashedWheelTimer;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import java.util.function.UnaryOperator;

/**
 * Trials of what ships upon real Redis processes, under random faults, many at one time. One Redis
 * stays up, so that the rate holds; another one is paused, killed and restored all the time, and
 * most trials upon it wait for that.
 */
public final class Campaign {
    private static final Duration WATCH = Duration.ofMillis(200);
    private static final Duration LAST_TRIALS = Duration.ofSeconds(90);
    private static final int TICK_MILLIS = 5;

    /** Odd, so that no two trials of a campaign have one seed. */
    private static final long STEP = 0x9E3779B97F4A7C15L;

    private final CampaignSettings settings;
    private final InstantSource clock;
    private final UnaryOperator<LinkCache> alteration;
    private final Tally tally = new Tally();
    private final AtomicLong begun = new AtomicLong();

    /**
     * @param clock what all processes of the campaign take for the time, in whole milliseconds
     */
    public Campaign(CampaignSettings settings, InstantSource clock) {
        this(settings, clock, UnaryOperator.identity());
    }

    /**
     * @param alteration of each actor's cache: what a campaign that fails is made of
     */
    Campaign(CampaignSettings settings, InstantSource clock, UnaryOperator<LinkCache> alteration) {
        this.settings = settings;
        this.clock = clock;
        this.alteration = alteration;
    }

    /**
     * Runs it. Blocks a little longer than the budget.
     *
     * @param progress told several times a second how many trials have ended
     * @throws IOException if a Redis does not start, or does not come back
     */
    public CampaignReport run(LongConsumer progress) throws IOException, InterruptedException {
        ClientResources resources =
                ClientResources.builder().ioThreadPoolSize(2).computationThreadPoolSize(2).build();
        HashedWheelTimer timer =
                new HashedWheelTimer(
                        new DefaultThreadFactory("campaign-timer", true),
                        TICK_MILLIS,
                        TimeUnit.MILLISECONDS);
        try (Station smooth = station("smooth", resources, timer, false);
                Station rough = station("rough", resources, timer, true)) {
            return run(smooth, rough, progress);
        } finally {
            timer.stop();
            resources.shutdown(0, 2, TimeUnit.SECONDS).await(2, TimeUnit.SECONDS);
        }
    }

    private Station station(
            String name, ClientResources resources, HashedWheelTimer timer, boolean isRough)
            throws IOException, InterruptedException {
        return new Station(
                settings.redis(),
                settings.folder().resolve(name),
                resources,
                timer,
                clock,
                isRough,
                alteration);
    }

    private CampaignReport run(Station smooth, Station rough, LongConsumer progress)
            throws IOException, InterruptedException {
        long started = System.nanoTime();
        long end = started + settings.budget().toNanos();
        try (Weather breeze = new Weather(smooth, settings.seed(), tally);
                Weather storm = new Weather(rough, ~settings.seed(), tally);
                ExecutorService lanes = Executors.newVirtualThreadPerTaskExecutor()) {
            start(smooth, settings.lanes(), lanes, end);
            start(rough, settings.roughLanes(), lanes, end);
            breeze.start();
            storm.start();
            lanes.shutdown();
            while (!lanes.awaitTermination(WATCH.toMillis(), TimeUnit.MILLISECONDS)) {
                progress.accept(tally.trials());
                if (isOver(end)) {
                    breeze.calmsDown();
                    storm.calmsDown();
                }
                if (System.nanoTime() - end > LAST_TRIALS.toNanos()) {
                    lanes.shutdownNow();
                    throw new IOException("the last trials do not come to an end");
                }
            }
            Duration took = Duration.ofNanos(System.nanoTime() - started);
            for (String broken : new String[] {breeze.broken(), storm.broken()}) {
                if (!broken.isEmpty()) {
                    throw new IOException(broken);
                }
            }
            return report(took);
        }
    }

    private void start(Station station, int count, ExecutorService threads, long end) {
        for (int i = 0; i < count; i++) {
            Lane lane = new Lane(station, clock);
            station.add(lane);
            threads.execute(() -> run(lane, end));
        }
    }

    private void run(Lane lane, long end) {
        while (System.nanoTime() - end < 0) {
            long number = begun.getAndIncrement();
            if (number >= settings.mostTrials()) {
                return;
            }
            lane.run(mixed(settings.seed() + number * STEP), tally);
        }
    }

    /** The generators of neighbours would give the same numbers, one after the other. */
    private static long mixed(long number) {
        long mixed = (number ^ (number >>> 33)) * 0xFF51AFD7ED558CCDL;
        mixed = (mixed ^ (mixed >>> 33)) * 0xC4CEB9FE1A85EC53L;
        return mixed ^ (mixed >>> 33);
    }

    private boolean isOver(long end) {
        return System.nanoTime() - end >= 0 || begun.get() >= settings.mostTrials();
    }

    private CampaignReport report(Duration took) {
        Map<Damage, Long> damages = new EnumMap<>(Damage.class);
        for (Damage damage : Damage.values()) {
            damages.put(damage, tally.count(damage));
        }
        return new CampaignReport(
                settings.seed(),
                tally.trials(),
                tally.takedowns(),
                tally.receipts(),
                tally.clicks(),
                tally.faults(),
                damages,
                tally.findings(),
                took);
    }
}
