package dev.headstone.proof.campaign;

import dev.headstone.cache.Settler;
import dev.headstone.redirect.RedirectService;
import dev.headstone.redirect.RedirectSettings;
import dev.headstone.stream.StreamHandler;
import dev.headstone.writer.ControlApi;
import dev.headstone.writer.DestinationPolicy;
import dev.headstone.writer.WriterPorts;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * What ships, put together once for a row of trials that come one after the other: two processes
 * that answer clicks, two that change links, and a consumer of the stream.
 */
final class Lane {
    private static final Duration BUDGET = Duration.ofMillis(2_500);
    private static final URI BASE = URI.create("https://go.example");
    private static final DestinationPolicy ANYWHERE = new DestinationPolicy(List.of());

    /** Keeps nothing: the campaign counts by itself. */
    private static final MeterRegistry METERS = new CompositeMeterRegistry();

    private final Station station;
    private final OfTrial random = new OfTrial();
    private final Clicks clicks;
    private final Clicks otherClicks;
    private final Desk desk;
    private final Desk otherDesk;
    private final Consumer consumer;
    private volatile @Nullable Trial current;

    /** A process that answers clicks. */
    record Clicks(Actor actor, RedirectService service) {}

    /** A process that changes links. */
    record Desk(Actor actor, ControlApi api) {}

    /** A process that reads the stream. */
    record Consumer(Actor actor, StreamHandler handler) {}

    Lane(Station station, InstantSource clock) {
        this.station = station;
        clicks = clicks(new Actor("the click", station.readers()), clock);
        otherClicks = clicks(new Actor("another click", station.others()), clock);
        desk = desk(new Actor("alice", station.writers()), clock);
        otherDesk = desk(new Actor("bob", station.others()), clock);
        Actor repairer = new Actor("the consumer", station.consumers());
        consumer =
                new Consumer(
                        repairer,
                        new StreamHandler(
                                settler(repairer, clock), repairer.queue(), _ -> true, METERS));
    }

    private Clicks clicks(Actor actor, InstantSource clock) {
        return new Clicks(
                actor,
                new RedirectService(
                        actor.cache(),
                        actor.table(),
                        settler(actor, clock),
                        clock,
                        Runnable::run,
                        () -> "visit",
                        RedirectSettings.DEFAULT,
                        METERS));
    }

    private Desk desk(Actor actor, InstantSource clock) {
        return new Desk(
                actor,
                new ControlApi(
                        new WriterPorts(
                                actor.table(), actor.cache(), actor.queue(), clock, random, METERS),
                        ANYWHERE,
                        BASE));
    }

    private static Settler settler(Actor actor, InstantSource clock) {
        return new Settler(actor.cache(), actor.table(), clock, BUDGET);
    }

    /** Runs one trial to its end. */
    void run(long seed, Tally tally) {
        Trial trial = new Trial(seed, this, station, tally);
        for (Actor actor :
                List.of(
                        clicks.actor(),
                        otherClicks.actor(),
                        desk.actor(),
                        otherDesk.actor(),
                        consumer.actor())) {
            actor.joins(trial);
        }
        random.trial = trial;
        current = trial;
        trial.run();
        current = null;
    }

    /** Something that concerns everybody: part of the story of the trial that runs. */
    void note(String event) {
        Trial running = current;
        if (running != null) {
            running.note(event);
        }
    }

    Clicks clicks() {
        return clicks;
    }

    Clicks otherClicks() {
        return otherClicks;
    }

    Desk desk() {
        return desk;
    }

    Desk otherDesk() {
        return otherDesk;
    }

    Consumer consumer() {
        return consumer;
    }

    /** The randomness of the trial that runs. */
    private static final class OfTrial implements RandomGenerator {
        private @Nullable Trial trial;

        @Override
        public long nextLong() {
            if (trial == null) {
                throw new IllegalStateException("no trial runs");
            }
            return trial.random().nextLong();
        }
    }
}
