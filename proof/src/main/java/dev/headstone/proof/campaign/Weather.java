package dev.headstone.proof.campaign;

import java.io.IOException;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** What befalls the Redis of a station from time to time, until it is closed. */
final class Weather implements AutoCloseable {
    private static final long LONGEST_PAUSE_MILLIS = 700;
    private static final Duration LAST = Duration.ofSeconds(30);

    private final Station station;
    private final SplittableRandom random;
    private final Tally tally;
    private final CountDownLatch over = new CountDownLatch(1);
    private final Thread thread =
            Thread.ofPlatform().daemon().name("weather").unstarted(this::blow);
    private volatile String broken = "";

    Weather(Station station, long seed, Tally tally) {
        this.station = station;
        this.random = new SplittableRandom(seed);
        this.tally = tally;
    }

    Weather start() {
        thread.start();
        return this;
    }

    /** Why a Redis did not come back; empty if all did. */
    String broken() {
        return broken;
    }

    private void blow() {
        try {
            while (!over.await(pauseMillis(), TimeUnit.MILLISECONDS)) {
                if (station.isRough()) {
                    storm();
                } else {
                    breeze();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            broken = String.valueOf(e.getMessage());
        } finally {
            station.over();
        }
    }

    private long pauseMillis() {
        return station.isRough() ? random.nextLong(100, 1_500) : random.nextLong(1_000, 8_000);
    }

    /** What costs next to nothing, or little. */
    private void breeze() {
        if (random.nextInt(3) > 0) {
            flush();
        } else {
            cut();
        }
    }

    private void storm() throws IOException, InterruptedException {
        switch (random.nextInt(10)) {
            case 0 -> flush();
            case 1, 2 -> cut();
            case 3 -> pause();
            case 4 -> stop();
            case 5 -> restart(true);
            case 6, 7 -> restart(false);
            default -> {
                if (station.saboteur().snapshot()) {
                    station.tell("a snapshot is taken");
                }
            }
        }
    }

    private void flush() {
        if (station.saboteur().flush()) {
            befell(Fault.FLUSH, "all keys are gone");
        }
    }

    private void cut() {
        String process = station.process(random);
        if (station.saboteur().cut(process)) {
            befell(Fault.CONNECTION_KILLED, "the connections of the " + process + " are cut");
        }
    }

    private void pause() {
        long millis = random.nextLong(50, LONGEST_PAUSE_MILLIS);
        if (station.saboteur().pause(millis)) {
            befell(Fault.CLIENTS_PAUSED, "clients are paused for " + millis + " ms");
        }
    }

    private void stop() throws IOException, InterruptedException {
        long millis = random.nextLong(50, LONGEST_PAUSE_MILLIS);
        befell(Fault.PROCESS_STOPPED, "the process stands still for " + millis + " ms");
        station.server().signal("STOP");
        try {
            boolean _ = over.await(millis, TimeUnit.MILLISECONDS);
        } finally {
            station.server().signal("CONT");
        }
    }

    private void restart(boolean empty) throws IOException, InterruptedException {
        station.server().restart(empty);
        befell(
                empty ? Fault.RESTART_EMPTY : Fault.RESTART_OLD,
                empty ? "killed, and back empty" : "killed, and back with its last snapshot");
    }

    private void befell(Fault fault, String event) {
        tally.injected(fault);
        station.tell(event);
    }

    /** Nothing more will befall the Redis, soon. */
    void calmsDown() {
        over.countDown();
    }

    /** Waits until nothing more befalls the Redis; it is up then, unless it did not come back. */
    @Override
    public void close() {
        calmsDown();
        try {
            if (!thread.join(LAST)) {
                broken = "a Redis that was killed does not come back";
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
