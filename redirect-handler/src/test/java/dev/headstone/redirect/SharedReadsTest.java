package dev.headstone.redirect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.headstone.link.ShortCode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

final class SharedReadsTest {
    private static final ShortCode CODE = new ShortCode("abc");
    private static final ShortCode OTHER = new ShortCode("xyz");

    /** Reads that begin and end when the test says so. */
    private final ControlledReads table = new ControlledReads();

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final SharedReads<Integer> reads =
            new SharedReads<>(threads, new Turns(2, Duration.ofSeconds(30)), table);

    /** Each read gives its number, from 1 on, and waits for its end. */
    private static final class ControlledReads implements SharedReads.Reader<Integer> {
        private final List<CompletableFuture<Integer>> ends = new ArrayList<>();
        private final List<String> begun = new ArrayList<>();

        @Override
        public Integer read(ShortCode code, boolean populate) {
            CompletableFuture<Integer> end = new CompletableFuture<>();
            synchronized (this) {
                ends.add(end);
                begun.add(code + (populate ? " populate" : ""));
            }
            return end.join();
        }

        synchronized int count() {
            return begun.size();
        }

        synchronized List<String> begun() {
            return List.copyOf(begun);
        }

        void awaitBegun(int number) {
            Awaitility.await().until(() -> count() >= number);
        }

        synchronized CompletableFuture<Integer> end(int number) {
            return ends.get(number - 1);
        }

        void finish(int number) {
            end(number).complete(number);
        }
    }

    @Test
    void readsForTheFirstClickAtOnce() {
        CompletableFuture<Integer> click = reads.join(CODE, true);
        table.awaitBegun(1);
        table.finish(1);

        assertThat(click.join()).isEqualTo(1);
    }

    @Test
    void letsNoClickJoinTheReadThatRuns() {
        CompletableFuture<Integer> first = reads.join(CODE, true);
        table.awaitBegun(1);
        CompletableFuture<Integer> second = reads.join(CODE, true);
        CompletableFuture<Integer> third = reads.join(CODE, true);

        assertThat(table.count()).isEqualTo(1);
        table.finish(1);
        assertThat(first.join()).isEqualTo(1);
        table.awaitBegun(2);
        CompletableFuture<Integer> fourth = reads.join(CODE, true);
        table.finish(2);

        assertThat(second.join()).isEqualTo(2);
        assertThat(third.join()).isEqualTo(2);
        table.awaitBegun(3);
        table.finish(3);
        assertThat(fourth.join()).isEqualTo(3);
        assertThat(table.count()).isEqualTo(3);
    }

    @Test
    void readsTwoCodesBesideEachOther() {
        CompletableFuture<Integer> click = reads.join(CODE, true);
        table.awaitBegun(1);
        CompletableFuture<Integer> other = reads.join(OTHER, true);
        table.awaitBegun(2);
        table.finish(2);

        assertThat(other.join()).isEqualTo(2);
        assertThat(click).isNotDone();
        table.finish(1);
        assertThat(click.join()).isEqualTo(1);
    }

    @Test
    void letsClicksJoinAReadThatWaitsForItsTurn() {
        SharedReads<Integer> single =
                new SharedReads<>(threads, new Turns(1, Duration.ofSeconds(30)), table);
        CompletableFuture<Integer> running = single.join(OTHER, true);
        table.awaitBegun(1);
        CompletableFuture<Integer> first = single.join(CODE, true);
        CompletableFuture<Integer> second = single.join(CODE, true);

        table.finish(1);
        table.awaitBegun(2);
        table.finish(2);

        assertThat(running.join()).isEqualTo(1);
        assertThat(first.join()).isEqualTo(2);
        assertThat(second.join()).isEqualTo(2);
    }

    @Test
    void populatesIfOneOfThoseWhoJoinedWantsIt() {
        CompletableFuture<Integer> first = reads.join(CODE, false);
        table.awaitBegun(1);
        List<CompletableFuture<Integer>> joined =
                List.of(reads.join(CODE, false), reads.join(CODE, true), reads.join(CODE, false));
        table.finish(1);
        table.awaitBegun(2);
        table.finish(2);
        joined.forEach(CompletableFuture::join);

        assertThat(first.join()).isEqualTo(1);
        assertThat(table.begun()).containsExactly("abc", "abc populate");
    }

    @Test
    void failsThoseWhoJoinedAReadThatFailsAndNobodyElse() {
        CompletableFuture<Integer> first = reads.join(CODE, true);
        table.awaitBegun(1);
        CompletableFuture<Integer> second = reads.join(CODE, true);

        table.end(1).completeExceptionally(new IllegalStateException("no answer"));
        table.awaitBegun(2);
        table.finish(2);

        assertThatThrownBy(first::join).hasStackTraceContaining("no answer");
        assertThat(second.join()).isEqualTo(2);
    }

    @Test
    void failsThoseForWhomNoTurnComesUp() {
        SharedReads<Integer> impatient =
                new SharedReads<>(threads, new Turns(1, Duration.ofMillis(1)), table);
        CompletableFuture<Integer> running = impatient.join(OTHER, true);
        table.awaitBegun(1);

        assertThatThrownBy(impatient.join(CODE, true)::join)
                .hasCauseInstanceOf(Turns.NoneInTime.class);
        table.finish(1);
        assertThat(running.join()).isEqualTo(1);
        awaitForgotten(impatient);
    }

    @Test
    void disturbsNobodyElseWhenOneIsCancelled() {
        CompletableFuture<Integer> other = reads.join(OTHER, true);
        table.awaitBegun(1);
        CompletableFuture<Integer> first = reads.join(CODE, true);
        table.awaitBegun(2);
        CompletableFuture<Integer> second = reads.join(CODE, true);
        CompletableFuture<Integer> third = reads.join(CODE, true);

        first.cancel(true);
        second.cancel(true);
        table.finish(1);
        table.finish(2);
        table.awaitBegun(3);
        table.finish(3);

        assertThat(other.join()).isEqualTo(1);
        assertThat(third.join()).isEqualTo(3);
        awaitForgotten(reads);
    }

    @Test
    void forgetsACodeWhenNobodyWaitsAnyMore() {
        CompletableFuture<Integer> click = reads.join(CODE, true);
        table.awaitBegun(1);
        assertThat(reads.codes()).isEqualTo(1);

        table.finish(1);
        click.join();

        awaitForgotten(reads);
    }

    @Test
    void forgetsACodeThatNoThreadWouldRead() {
        SharedReads<Integer> down =
                new SharedReads<>(
                        _ -> {
                            throw new RejectedExecutionException("shut down");
                        },
                        new Turns(1, Duration.ZERO),
                        table);

        assertThatThrownBy(down.join(CODE, true)::join)
                .hasCauseInstanceOf(RejectedExecutionException.class);
        assertThat(down.codes()).isZero();
    }

    @Test
    void readsAtOnceWithAnExecutorThatRunsAtOnce() {
        AtomicInteger count = new AtomicInteger();
        SharedReads<Integer> direct =
                new SharedReads<>(
                        Runnable::run,
                        new Turns(1, Duration.ZERO),
                        (_, _) -> count.incrementAndGet());

        assertThat(direct.join(CODE, true).join()).isEqualTo(1);
        assertThat(direct.join(CODE, true).join()).isEqualTo(2);
        assertThat(direct.codes()).isZero();
    }

    /** Time is a counter: what a read gives is when it began, which is after its clicks arrived. */
    @Test
    void neverGivesAClickWhatBeganBeforeItArrived() throws Exception {
        long seed = new Random().nextLong();
        System.out.println("SharedReadsTest seed " + seed);
        AtomicLong time = new AtomicLong();
        AtomicInteger running = new AtomicInteger();
        SharedReads<Long> shared =
                new SharedReads<>(
                        threads,
                        new Turns(3, Duration.ofSeconds(30)),
                        (code, _) -> {
                            long began = time.incrementAndGet();
                            assertThat(running.incrementAndGet()).isLessThanOrEqualTo(3);
                            for (int spin = 0; spin < began % 200; spin++) {
                                Thread.onSpinWait();
                            }
                            running.decrementAndGet();
                            if (began % 17 == 0) {
                                throw new IllegalStateException("every seventeenth fails");
                            }
                            return began;
                        });
        List<Future<Integer>> clickers = new ArrayList<>();
        for (int clicker = 0; clicker < 8; clicker++) {
            Random random = new Random(seed + clicker);
            clickers.add(threads.submit(() -> click(shared, time, random)));
        }
        int answered = 0;
        for (Future<Integer> clicker : clickers) {
            answered += clicker.get();
        }

        assertThat(answered).isPositive();
        assertThat(time.get()).isGreaterThan(answered); // every click and every read took a tick
        awaitForgotten(shared);
    }

    private static int click(SharedReads<Long> shared, AtomicLong time, Random random) {
        int answered = 0;
        for (int click = 0; click < 2_000; click++) {
            ShortCode code = new ShortCode("code" + random.nextInt(5));
            long arrived = time.incrementAndGet();
            CompletableFuture<Long> answer = shared.join(code, random.nextBoolean());
            if (random.nextInt(20) == 0) {
                answer.cancel(true);
            }
            if (answer.exceptionally(_ -> Long.MAX_VALUE).join() < Long.MAX_VALUE) {
                answered++;
                assertThat(answer.join()).isGreaterThan(arrived);
            }
        }
        return answered;
    }

    private static void awaitForgotten(SharedReads<?> reads) {
        Awaitility.await().until(() -> reads.codes() == 0);
    }
}
