package dev.headstone.writer;

import static dev.headstone.writer.Workshop.ALICE;
import static dev.headstone.writer.Workshop.BOB;
import static dev.headstone.writer.Workshop.CODE;
import static dev.headstone.writer.Workshop.OLGA;
import static dev.headstone.writer.Workshop.REASON;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headstone.audit.AuditEvent;
import dev.headstone.audit.AuditOutcome;
import dev.headstone.cache.CacheRecord;
import dev.headstone.link.Link;
import dev.headstone.link.Stamp;
import dev.headstone.writer.ChangeRequest.Alter;
import dev.headstone.writer.ChangeRequest.Deactivate;
import dev.headstone.writer.ChangeRequest.NeverExpire;
import dev.headstone.writer.ChangeRequest.Reactivate;
import dev.headstone.writer.ChangeResult.Confirmed;
import dev.headstone.writer.ChangeResult.Refused;
import dev.headstone.writer.ChangeResult.Superseded;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whoever cuts in, wherever: what is reported holds when it is reported, the cache follows the
 * table, and each outcome that was reported is in the audit queue once.
 */
final class RacesTest {
    /** More calls than any request makes; a place that nobody reaches ends the search. */
    private static final int MOST_CALLS = 100;

    private static final Alter TAGS = new Alter(new NeverExpire(), Optional.of(List.of("new")));

    enum Act {
        TAKE_DOWN,
        TAKE_DOWN_BY_BOB,
        RESTORE,
        DEACTIVATE,
        REACTIVATE,
        ALTER,
        CONFIRM;

        ChangeResult on(Workshop workshop) {
            LinkChanges changes = workshop.changes;
            return switch (this) {
                case TAKE_DOWN -> changes.takeDown(CODE, REASON, ALICE);
                case TAKE_DOWN_BY_BOB -> changes.takeDown(CODE, REASON, BOB);
                case RESTORE -> changes.restore(CODE, REASON, BOB);
                case DEACTIVATE -> changes.change(CODE, new Deactivate(), OLGA);
                case REACTIVATE -> changes.change(CODE, new Reactivate(), OLGA);
                case ALTER -> changes.change(CODE, TAGS, OLGA);
                case CONFIRM -> changes.confirm(CODE, BOB);
            };
        }
    }

    record Pair(Act slow, Act quick, boolean ofDeadLink) {}

    private static Stream<Pair> pairs() {
        return Stream.of(Act.values())
                .flatMap(slow -> Stream.of(Act.values()).map(quick -> new Pair(slow, quick, false)))
                .flatMap(pair -> Stream.of(pair, new Pair(pair.slow(), pair.quick(), true)));
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void whereverOneCutsInOnTheOtherTheCacheFollowsTheTable(Pair pair) {
        boolean reached = true;
        for (int call = 0; reached; call++) {
            assertThat(call).isLessThan(MOST_CALLS);
            Workshop workshop = given(pair.ofDeadLink());
            List<ChangeResult> results = new ArrayList<>();
            workshop.interruptions.before(
                    call,
                    () -> {
                        ChangeResult quick = pair.quick().on(workshop);
                        mustHoldNow(workshop, quick);
                        results.add(quick);
                    });

            ChangeResult slow = pair.slow().on(workshop);

            reached = workshop.interruptions.happened();
            results.add(slow);
            assertThat(slow).isInstanceOfAny(Confirmed.class, Superseded.class, Refused.class);
            mustFollow(workshop);
            mustBeAuditedOnce(workshop, results);
        }
    }

    private static Workshop given(boolean dead) {
        Workshop workshop = new Workshop();
        workshop.givenLive();
        if (dead) {
            Act.TAKE_DOWN.on(workshop);
        }
        return workshop;
    }

    /** What was reported as confirmed is what a click would get at that moment. */
    private static void mustHoldNow(Workshop workshop, ChangeResult result) {
        if (result instanceof Confirmed(Receipt receipt)) {
            Optional<Stamp> cached = workshop.cache.record(CODE).map(CacheRecord::stamp);
            if (receipt.state() == LinkState.ACTIVE) {
                assertThat(cached.filter(Stamp::deleted)).isEmpty();
            } else {
                assertThat(cached)
                        .hasValueSatisfying(stamp -> assertThat(stamp.deleted()).isTrue());
            }
        }
    }

    private static void mustFollow(Workshop workshop) {
        Link link = workshop.stored();
        Optional<Stamp> cached = workshop.cache.record(CODE).map(CacheRecord::stamp);
        assertThat(cached.filter(stamp -> !stamp.equals(link.stamp()))).isEmpty();
        if (link.isDead()) {
            assertThat(cached).isPresent();
        }
    }

    private static void mustBeAuditedOnce(Workshop workshop, List<ChangeResult> results) {
        List<AuditOutcome> told =
                workshop.queue.eventsOf(CODE).stream().map(AuditEvent::outcome).toList();
        for (ChangeResult result : results) {
            AuditOutcome outcome =
                    switch (result) {
                        case Confirmed _ -> AuditOutcome.SUCCESS;
                        case Superseded _ -> AuditOutcome.SUPERSEDED;
                        case Refused _ -> AuditOutcome.REFUSED;
                        case ChangeResult.InvalidateFailed _,
                                ChangeResult.AuditFailed _,
                                ChangeResult.Forbidden _,
                                ChangeResult.NoSuchLink _,
                                ChangeResult.Unreadable _,
                                ChangeResult.NotMade _,
                                ChangeResult.InDoubt _ ->
                                throw new AssertionError(result.toString());
                    };
            assertThat(told).contains(outcome);
        }
        assertThat(told.size()).isGreaterThanOrEqualTo(results.size());
        List<String> receipts =
                results.stream()
                        .filter(Confirmed.class::isInstance)
                        .map(result -> ((Confirmed) result).receipt().eventId())
                        .toList();
        assertThat(workshop.queue.eventsOf(CODE).stream().map(AuditEvent::eventId))
                .containsAll(receipts)
                .doesNotHaveDuplicates();
    }

    /** A fault that is there from some call on and goes away before the retry. */
    enum Fault {
        TABLE {
            @Override
            void strike(Workshop workshop) {
                workshop.table.failing(true);
            }

            @Override
            void end(Workshop workshop) {
                workshop.table.failing(false);
            }
        },
        TABLE_LOSES_A_REPLY {
            @Override
            void strike(Workshop workshop) {
                workshop.table.loseNextReply();
            }

            @Override
            void end(Workshop workshop) {}
        },
        CACHE {
            @Override
            void strike(Workshop workshop) {
                workshop.cache.unreachable(true);
            }

            @Override
            void end(Workshop workshop) {
                workshop.cache.unreachable(false);
            }
        },
        CACHE_FAILS_OVER {
            @Override
            void strike(Workshop workshop) {
                workshop.cache.unconfirmed(true);
            }

            @Override
            void end(Workshop workshop) {
                workshop.cache.unconfirmed(false);
                workshop.cache.evict(CODE);
            }
        },
        LEASE_IS_LOST {
            @Override
            void strike(Workshop workshop) {
                workshop.cache.loseLease(CODE);
            }

            @Override
            void end(Workshop workshop) {}
        },
        QUEUE {
            @Override
            void strike(Workshop workshop) {
                workshop.queue.unreachable();
            }

            @Override
            void end(Workshop workshop) {
                workshop.queue.recovers();
            }
        },
        QUEUE_LOSES_REPLIES {
            @Override
            void strike(Workshop workshop) {
                workshop.queue.acceptsWithoutAnswering();
            }

            @Override
            void end(Workshop workshop) {
                workshop.queue.recovers();
            }
        };

        abstract void strike(Workshop workshop);

        abstract void end(Workshop workshop);
    }

    @ParameterizedTest
    @EnumSource(Fault.class)
    void whereverAFaultStrikesARetrySucceedsWithTheSameVersion(Fault fault) {
        for (Act act : List.of(Act.TAKE_DOWN, Act.DEACTIVATE, Act.ALTER)) {
            strikeEverywhere(fault, act, () -> given(false), 2);
        }
        strikeEverywhere(fault, Act.RESTORE, () -> given(true), 3);
        strikeEverywhere(fault, Act.CONFIRM, () -> given(true), 2);
    }

    private static void strikeEverywhere(
            Fault fault, Act act, Supplier<Workshop> start, long version) {
        boolean reached = true;
        for (int call = 0; reached; call++) {
            assertThat(call).isLessThan(MOST_CALLS);
            Workshop workshop = start.get();
            workshop.interruptions.before(call, () -> fault.strike(workshop));

            ChangeResult first = act.on(workshop);
            reached = workshop.interruptions.happened();
            mustHoldNow(workshop, first);
            workshop.interruptions.none();
            fault.end(workshop);
            ChangeResult second = act.on(workshop);

            assertThat(second)
                    .as("%s before call %d of %s, after %s", fault, call, act, first)
                    .isInstanceOfSatisfying(
                            Confirmed.class,
                            confirmed ->
                                    assertThat(confirmed.receipt().version()).isEqualTo(version));
            assertThat(workshop.stored().version()).isEqualTo(version);
            mustFollow(workshop);
        }
    }

    @RepeatedTest(20)
    void manyAtOnceLeaveTheCacheAsTheTableIs() throws Exception {
        Workshop workshop = given(false);
        CountDownLatch start = new CountDownLatch(1);
        List<ChangeResult> results = Collections.synchronizedList(new ArrayList<>());
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> running = new ArrayList<>();
            for (Act act : Act.values()) {
                running.add(
                        threads.submit(
                                () -> {
                                    start.await();
                                    return results.add(act.on(workshop));
                                }));
            }
            start.countDown();
            for (Future<?> each : running) {
                each.get(10, TimeUnit.SECONDS);
            }
        }

        assertThat(results).hasSameSizeAs(Act.values());
        assertThat(workshop.cache.record(CODE).map(CacheRecord::stamp))
                .satisfies(
                        cached ->
                                assertThat(
                                                cached.filter(
                                                        stamp ->
                                                                !stamp.equals(
                                                                        workshop.stored().stamp())))
                                        .isEmpty());
        if (results.stream().noneMatch(ChangeResult.InvalidateFailed.class::isInstance)) {
            mustFollow(workshop);
        }
    }
}
