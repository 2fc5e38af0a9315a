package dev.headstone.redirect;

import static dev.headstone.redirect.TestBench.CODE;
import static dev.headstone.redirect.TestBench.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headstone.cache.CacheRecord.Active;
import dev.headstone.cache.CacheRecord.Tombstone;
import dev.headstone.freshness.Freshness;
import dev.headstone.link.Cause;
import dev.headstone.link.LastChange;
import dev.headstone.link.Link;
import dev.headstone.link.Standing.Dead;
import dev.headstone.table.ChangeOutcome;
import dev.headstone.table.Links;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

final class VisitLimitTest {
    private final TestBench bench = new TestBench();

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7})
    void isGoodForSoManyVisitsAndNoMore(int limit) {
        bench.items.put(Links.limited(CODE, limit));

        for (int visit = 0; visit < limit; visit++) {
            RedirectAnswer answer = bench.get();
            assertThat(answer.status()).isEqualTo(302);
            assertThat(answer.location()).contains("https://example.com/abc");
            assertThat(answer.cacheControl()).isEqualTo("no-store");
            assertThat(answer.leavingAt(NOW.plusSeconds(60))).isEqualTo(answer);
        }

        assertThat(bench.get().status()).isEqualTo(404);
        assertThat(bench.get().location()).isEmpty();
        assertThat(bench.count("headstone.clicks")).isEqualTo(limit);
    }

    @Test
    void diesOfItsLastVisit() {
        bench.items.put(Links.limited(CODE, 1));

        bench.get();

        Link ended = bench.items.get(CODE).orElseThrow();
        assertThat(ended.standing()).isEqualTo(new Dead(Cause.EXHAUSTED, NOW));
        assertThat(ended.version()).isEqualTo(2);
        assertThat(ended.visits()).isEqualTo(1);
        assertThat(ended.lastChange().by()).isEqualTo("system:visits");
        assertThat(ended.purgeAt()).isEqualTo(Freshness.purgeOfDead(Cause.EXHAUSTED, NOW));
        assertThat(bench.items.deaths()).extracting(Link::stamp).containsExactly(ended.stamp());
        assertThat(bench.memory.record(CODE))
                .get()
                .isInstanceOfSatisfying(
                        Tombstone.class,
                        tombstone -> {
                            assertThat(tombstone.stamp()).isEqualTo(ended.stamp());
                            assertThat(tombstone.cause()).contains(Cause.EXHAUSTED);
                        });
        assertThat(confirmed()).isEqualTo(1);
        assertThat(bench.get().cacheStatus()).isEqualTo("headstone; hit; detail=tombstone");
    }

    @Test
    void claimsEachVisitOfTheTableOnAFreshHitToo() {
        bench.items.put(Links.limited(CODE, 9));
        bench.get();

        RedirectAnswer answer = bench.get();

        assertThat(answer.cacheStatus()).isEqualTo("headstone; hit");
        assertThat(bench.items.calls()).containsExactly("read abc", "claim abc", "claim abc");
        assertThat(bench.items.get(CODE).orElseThrow().visits()).isEqualTo(2);
    }

    @Test
    void takesTheLeaseByForceBeforeTheLastVisit() {
        bench.items.put(Links.limited(CODE, 1));
        List<String> order = new ArrayList<>();
        bench.table.beforeExhaust(() -> order.addAll(bench.memory.calls()));

        bench.get();

        assertThat(order).endsWith("force abc");
        assertThat(bench.memory.calls()).endsWith("force abc", "confirm abc write");
    }

    @Test
    void isGoodForSoManyVisitsUnderAnyConcurrency() throws Exception {
        int limit = 40;
        int clicks = 120;
        for (int round = 0; round < 20; round++) {
            try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
                TestBench busy =
                        new TestBench(
                                threads, new RedirectSettings(404, 16, 500, Duration.ofSeconds(9)));
                busy.items.put(Links.limited(CODE, limit));
                List<Future<RedirectAnswer>> answers = new ArrayList<>();
                for (int click = 0; click < clicks; click++) {
                    answers.add(threads.submit(() -> busy.get()));
                }
                int redirected = 0;
                for (Future<RedirectAnswer> answer : answers) {
                    redirected += answer.get().status() == 302 ? 1 : 0;
                    assertThat(answer.get().status()).isIn(302, 404);
                }

                assertThat(redirected).isEqualTo(limit);
                assertThat(busy.items.get(CODE).orElseThrow().visits()).isEqualTo(limit);
                assertThat(busy.items.deaths()).hasSize(1);
            }
        }
    }

    // Those who only look.

    static List<Visitor> onlookers() {
        return List.of(
                new Visitor("facebookexternalhit/1.1", "", "", ""),
                new Visitor("Mozilla/5.0 (compatible; bingbot/2.0)", "", "", ""),
                new Visitor("Mozilla/5.0", "prefetch", "", ""),
                new Visitor("Mozilla/5.0", "Prefetch;Prerender", "", ""),
                new Visitor("Mozilla/5.0", "", "prefetch", ""),
                new Visitor("Mozilla/5.0", "", "preview", ""),
                new Visitor("Mozilla/5.0", "", "", "prefetch"));
    }

    @ParameterizedTest
    @MethodSource("onlookers")
    void tellsOnlookersNothingAndCountsNoVisit(Visitor onlooker) {
        bench.items.put(Links.limited(CODE, 1));

        assertWithheld(bench.get(onlooker), "headstone; fwd=miss; stored");
        assertWithheld(bench.get(onlooker), "headstone; hit");
        assertThat(bench.items.get(CODE).orElseThrow().visits()).isZero();
        assertThat(bench.count("headstone.clicks")).isZero();
    }

    @Test
    void takesAHeadForAnOnlooker() {
        bench.items.put(Links.limited(CODE, 1));

        assertWithheld(bench.head(), "headstone; fwd=miss; stored");
        assertWithheld(bench.head(), "headstone; hit");
        assertThat(bench.get().status()).isEqualTo(302);
    }

    @Test
    void answersOnlookersAsDeadWhenTheLinkIs() {
        bench.items.put(Links.limited(CODE, 1));
        bench.get();

        assertThat(bench.head().status()).isEqualTo(404);
        assertThat(bench.get(onlookers().getFirst()).status()).isEqualTo(404);
        bench.memory.evict(CODE);
        assertThat(bench.head().status()).isEqualTo(404);
    }

    // What may go wrong.

    @Test
    void letsNobodyOnWhoseClaimIsNotKnownToBeMade() {
        bench.items.put(Links.limited(CODE, 3));
        bench.table.beforeClaim(bench.items::loseNextReply);

        assertTryAgain(bench.get());
        assertThat(bench.items.get(CODE).orElseThrow().visits()).isEqualTo(1);
    }

    @Test
    void letsNobodyOnWhoseLastVisitIsNotKnownToBeClaimed() {
        bench.items.put(Links.limited(CODE, 1));
        bench.table.beforeExhaust(bench.items::loseNextReply);

        assertTryAgain(bench.get());
        assertThat(bench.get().status()).isEqualTo(404);
    }

    @Test
    void givesTheLastVisitToWhoeverFindsThatItsOwnAttemptSucceeded() {
        bench.items.put(Links.limited(CODE, 1));
        bench.table.reportExhausted(_ -> new ChangeOutcome.Conflict());

        assertThat(bench.get().status()).isEqualTo(302);
        assertThat(bench.get().status()).isEqualTo(404);
    }

    @Test
    void letsNobodyOnWhileTheTableFails() {
        bench.items.put(Links.limited(CODE, 3));
        bench.get();
        bench.items.failing(true);

        assertTryAgain(bench.get());
        assertThat(bench.head().status()).isEqualTo(200);
    }

    @Test
    void letsNobodyOnByAStaleRecordWhileTheTableFails() {
        bench.cached(Links.limited(CODE, 3), NOW);
        bench.items.failing(true);
        bench.clock.set(NOW.plus(Freshness.FRESH));

        assertTryAgain(bench.get());
        assertWithheld(bench.head(), "headstone; fwd=stale; detail=stale-served");
    }

    @Test
    void doesNotKeepTheLastVisitorForACacheThatCannotBeReached() {
        bench.items.put(Links.limited(CODE, 1));
        bench.get(onlookers().getFirst());
        bench.cache.afterLook(() -> bench.memory.unreachable(true));

        assertThat(bench.get().status()).isEqualTo(302);
        assertThat(bench.count("headstone.tombstones", "source", "visits", "result", "failed"))
                .isEqualTo(1);

        bench.cache.afterLook(() -> {});
        bench.memory.unreachable(false);
        assertThat(bench.memory.record(CODE)).get().isInstanceOf(Active.class);
        assertThat(bench.get().status()).isEqualTo(404);
    }

    @Test
    void leadsNobodyOnByARecordWhoseLinkWasTakenDown() {
        Link limited = Links.limited(CODE, 5);
        bench.cached(limited, NOW);
        bench.items.put(TestBench.dead(limited, Cause.TAKEDOWN));

        assertThat(bench.get().status()).isEqualTo(404);
    }

    @Test
    void claimsAVisitOfTheVersionThatCameAfterTheRecord() {
        Link limited = Links.limited(CODE, 5);
        bench.cached(limited, NOW);
        bench.items.put(
                limited.altered(
                        new LastChange(NOW, "alice", Optional.empty(), "tags"),
                        Optional.empty(),
                        Optional.empty(),
                        List.of("other")));

        assertThat(bench.get().status()).isEqualTo(302);
        assertThat(bench.items.get(CODE).orElseThrow().visits()).isEqualTo(1);
    }

    @Test
    void findsNoVisitLeftOnALinkThatWasRevivedAfterItsLast() {
        Link exhausted = TestBench.dead(Links.limited(CODE, 1).withVisits(1), Cause.EXHAUSTED);
        bench.items.put(
                exhausted.revived(
                        new LastChange(NOW, "bob", Optional.empty(), "restore"), Optional.empty()));

        assertThat(bench.get().status()).isEqualTo(404);
    }

    @Test
    void doesNotServeALinkThatExpiresWhileAVisitIsClaimed() {
        Link limited = Links.limited(CODE, 5);
        bench.items.put(
                limited.altered(
                        limited.lastChange(),
                        Optional.of(NOW.plusMillis(50)),
                        Optional.empty(),
                        List.of()));
        bench.table.beforeClaim(() -> bench.clock.advance(Duration.ofMillis(50)));

        assertThat(bench.get().status()).isEqualTo(404);
    }

    @Test
    void givesUpWhenTheItemChangesEachTime() {
        bench.items.put(Links.limited(CODE, 3));
        bench.table.beforeClaim(
                () -> {
                    Link now = bench.items.get(CODE).orElseThrow();
                    bench.items.put(
                            now.altered(
                                    new LastChange(NOW, "alice", Optional.empty(), "again"),
                                    Optional.empty(),
                                    Optional.empty(),
                                    List.of()));
                });

        assertTryAgain(bench.get());
        assertThat(bench.items.calls().stream().filter("claim abc"::equals)).hasSize(6);
    }

    @ParameterizedTest
    @CsvSource({"1, 503", "2, 302"})
    void shedsClicksThatWouldHaveToWaitForTheirClaim(int mostWaiting, int status) {
        List<Runnable> tasks = new ArrayList<>();
        TestBench full =
                new TestBench(tasks::add, new RedirectSettings(404, 1, mostWaiting, Duration.ZERO));
        full.items.put(Links.limited(CODE, 5));
        full.cached(Links.limited(CODE, 5), NOW);
        RedirectRequest request = new RedirectRequest("abc", false, Visitor.UNKNOWN);
        var first = full.service.answer(request).toCompletableFuture();
        var second = full.service.answer(request).toCompletableFuture();

        tasks.forEach(Runnable::run);

        assertThat(first.join().status()).isEqualTo(302);
        assertThat(second.join().status()).isEqualTo(status);
    }

    private double confirmed() {
        return bench.count("headstone.tombstones", "source", "visits", "result", "confirmed");
    }

    private static void assertWithheld(RedirectAnswer answer, String cacheStatus) {
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.location()).isEmpty();
        assertThat(answer.cacheControl()).isEqualTo("no-store");
        assertThat(answer.cacheStatus()).isEqualTo(cacheStatus);
        assertThat(answer.body().text()).isEqualTo("This link opens in a browser.\n");
    }

    private static void assertTryAgain(RedirectAnswer answer) {
        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.location()).isEmpty();
        assertThat(answer.cacheControl()).isEqualTo("no-store");
        assertThat(answer.retryAfter()).isEqualTo(OptionalInt.of(1));
    }
}
