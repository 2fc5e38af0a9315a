package dev.headstone.redirect;

import static dev.headstone.redirect.TestBench.CODE;
import static dev.headstone.redirect.TestBench.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headstone.cache.CacheRecord;
import dev.headstone.cache.CacheRecord.Active;
import dev.headstone.cache.CacheRecord.Tombstone;
import dev.headstone.cache.InMemoryLinkCache;
import dev.headstone.freshness.Freshness;
import dev.headstone.link.Cause;
import dev.headstone.link.LastChange;
import dev.headstone.link.Link;
import dev.headstone.link.ShortCode;
import dev.headstone.table.Links;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

final class RedirectServiceTest {
    private static final Link LIVE = Links.plain(CODE);
    private static final String URL = "https://example.com/abc";
    private static final String STORABLE = "public, max-age=5, must-revalidate, stale-if-error=0";
    private static final Duration MILLI = Duration.ofMillis(1);

    private final TestBench bench = new TestBench();

    @ParameterizedTest
    @ValueSource(strings = {"", "ab", "abc+", "abc.qr", "abc/", "a b", "été", "a%62c", "ab\u0000"})
    void answersWhatIsNoCodeWithoutALookUp(String text) {
        RedirectAnswer answer = bench.get(text);

        assertThat(answer.status()).isEqualTo(404);
        assertThat(answer.cacheControl()).isEqualTo("no-store");
        assertThat(bench.memory.calls()).isEmpty();
        assertThat(bench.items.calls()).isEmpty();
    }

    // Fresh.

    @Test
    void answersAFreshRecordWithoutTheTable() {
        bench.cached(LIVE, NOW);

        assertRedirect(bench.get(), STORABLE, "headstone; hit");
        assertThat(bench.items.calls()).isEmpty();
        assertThat(bench.memory.calls()).containsExactly("look abc");
    }

    @Test
    void givesTheDestinationByteForByte() {
        String url = "https://example.com/%7Ea//..;/?q=%2F%2f&r=\"'<>|^`{}#!$&'()*+,;=:@~";
        bench.cached(TestBench.live(url, Optional.empty()), NOW);

        assertThat(bench.get().location()).contains(url);
    }

    @ParameterizedTest(name = "{0} ms before its end a link may be kept for {1} s")
    @CsvSource({"60000, 5", "5000, 5", "4999, 4", "1000, 1", "999, 0", "1, 0"})
    void letsNoCopyOutliveTheLink(long left, int maxAge) {
        bench.cached(Links.expiring(CODE, NOW.plusMillis(left)), NOW.minusSeconds(60));

        RedirectAnswer answer = bench.get();

        assertThat(answer.status()).isEqualTo(302);
        assertThat(answer.cacheControl())
                .isEqualTo("public, max-age=" + maxAge + ", must-revalidate, stale-if-error=0");
    }

    @Test
    void doesNotServeARecordThatExpiresNow() {
        Link link = Links.expiring(CODE, NOW);
        bench.cached(link, NOW.minusSeconds(60));
        bench.items.put(link);

        assertNotFound(bench.get(), "headstone; fwd=miss");
    }

    @Test
    void doesNotServeARecordThatExpiresWhileItIsLookedUp() {
        Link link = Links.expiring(CODE, NOW.plusMillis(100));
        bench.cached(link, NOW.minusSeconds(60));
        bench.items.put(link);
        bench.cache.beforeLook(() -> bench.clock.advance(Duration.ofMillis(100)));

        assertNotFound(bench.get(), "headstone; fwd=miss");
    }

    @Test
    void isFreshUntilTheLastMillisecond() {
        bench.cached(LIVE, NOW);
        bench.clock.set(NOW.plus(Freshness.FRESH).minus(MILLI));

        assertRedirect(bench.get(), STORABLE, "headstone; hit");
    }

    @Test
    void mayBeStoredIfItLeavesWithinASecond() {
        bench.cached(LIVE, NOW);
        bench.cache.beforeLook(() -> bench.clock.advance(Duration.ofSeconds(1)));

        assertRedirect(bench.get(), STORABLE, "headstone; hit");
    }

    @Test
    void mustNotBeStoredIfItLeavesLater() {
        bench.cached(LIVE, NOW);
        bench.cache.beforeLook(() -> bench.clock.advance(Duration.ofMillis(1_001)));

        assertRedirect(bench.get(), "no-store", "headstone; hit");
    }

    @Test
    void mustNotBeStoredIfItWaitsForAnotherAnswerTooLong() {
        bench.cached(LIVE, NOW);
        RedirectAnswer answer = bench.get();

        assertRedirect(answer.leavingAt(NOW.plusMillis(1_000)), STORABLE, "headstone; hit");
        assertRedirect(answer.leavingAt(NOW.plusMillis(1_001)), "no-store", "headstone; hit");
    }

    @Test
    void mustNotBeStoredIfTheWaitWouldLetItOutliveTheLink() {
        bench.cached(Links.expiring(CODE, NOW.plusMillis(4_300)), NOW.minusSeconds(60));
        RedirectAnswer answer = bench.get();

        assertThat(answer.leavingAt(NOW.plusMillis(300)).cacheControl()).contains("max-age=4");
        assertThat(answer.leavingAt(NOW.plusMillis(301)).cacheControl()).isEqualTo("no-store");
    }

    // Deleted.

    @Test
    void answersATombstoneWithoutTheTable() {
        bench.cached(TestBench.dead(LIVE, Cause.TAKEDOWN), NOW);

        assertNotFound(bench.get(), "headstone; hit; detail=tombstone");
        assertThat(bench.items.calls()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {404, 410, 451})
    void givesTakenDownLinksTheStatusThatIsSet(int goneStatus) {
        TestBench set =
                new TestBench(Runnable::run, RedirectSettings.DEFAULT.withGoneStatus(goneStatus));
        set.items.put(TestBench.dead(LIVE, Cause.TAKEDOWN));

        assertThat(set.get())
                .extracting(RedirectAnswer::status, RedirectAnswer::cacheStatus)
                .containsExactly(goneStatus, "headstone; fwd=miss; stored");
        assertThat(set.get())
                .extracting(RedirectAnswer::status, RedirectAnswer::cacheStatus)
                .containsExactly(goneStatus, "headstone; hit; detail=tombstone");
    }

    @ParameterizedTest
    @EnumSource(value = Cause.class, mode = EnumSource.Mode.EXCLUDE, names = "TAKEDOWN")
    void givesAllOtherDeadLinks404(Cause cause) {
        TestBench set = new TestBench(Runnable::run, RedirectSettings.DEFAULT.withGoneStatus(451));
        set.items.put(TestBench.dead(LIVE, cause));

        assertThat(set.get().status()).isEqualTo(404);
        assertThat(set.get().status()).isEqualTo(404);
    }

    @Test
    void givesATombstoneThatDoesNotSayWhy404() {
        TestBench set = new TestBench(Runnable::run, RedirectSettings.DEFAULT.withGoneStatus(410));
        set.memory.put(
                CODE,
                new Tombstone(TestBench.dead(LIVE, Cause.TAKEDOWN).stamp(), NOW.plusSeconds(9)));

        assertThat(set.get().status()).isEqualTo(404);
    }

    @Test
    void asksTheTableAboutATombstoneThatOutlivedItself() {
        bench.memory.put(CODE, new Tombstone(TestBench.dead(LIVE, Cause.TAKEDOWN).stamp(), NOW));
        bench.items.put(LIVE);

        assertThat(bench.get().status()).isEqualTo(302);
    }

    // Stale.

    @Test
    void asksTheTableAboutAStaleRecordAndWritesItAnew() {
        bench.cached(LIVE, NOW.minus(Freshness.FRESH));
        bench.items.put(LIVE);

        assertRedirect(bench.get(), STORABLE, "headstone; fwd=stale; stored");
        assertRedirect(bench.get(), STORABLE, "headstone; hit");
    }

    @Test
    void buriesAStaleRecordWhoseLinkDied() {
        bench.cached(LIVE, NOW.minus(Freshness.FRESH));
        bench.items.put(TestBench.dead(LIVE, Cause.TAKEDOWN));

        assertNotFound(bench.get(), "headstone; fwd=stale; stored");
        assertThat(bench.memory.record(CODE)).get().isInstanceOf(Tombstone.class);
    }

    @Test
    void doesNotServeAStaleRecordWhoseLinkIsGone() {
        bench.cached(LIVE, NOW.minus(Freshness.FRESH));

        assertNotFound(bench.get(), "headstone; fwd=stale");
    }

    @Test
    void servesAStaleRecordWhileTheTableFails() {
        bench.cached(LIVE, NOW);
        bench.items.failing(true);
        bench.clock.set(NOW.plus(Freshness.FRESH));

        assertRedirect(bench.get(), STORABLE, "headstone; fwd=stale; detail=stale-served");

        bench.clock.set(NOW.plus(Freshness.FRESH).plus(Freshness.STALE_GRACE).minus(MILLI));
        assertRedirect(bench.get(), STORABLE, "headstone; fwd=stale; detail=stale-served");
        assertThat(timed("redirect", "stale_served")).isEqualTo(2);
    }

    @Test
    void servesNoStaleRecordWhenTheGraceIsOver() {
        bench.cached(LIVE, NOW);
        bench.items.failing(true);
        bench.clock.set(NOW.plus(Freshness.FRESH).plus(Freshness.STALE_GRACE));

        assertUnavailable(bench.get(), "headstone; fwd=miss");
    }

    @Test
    void servesNoStaleRecordWhoseGraceEndsWhileTheTableFails() {
        bench.cached(LIVE, NOW);
        bench.items.failing(true);
        bench.clock.set(NOW.plus(Freshness.FRESH).plus(Freshness.STALE_GRACE).minus(MILLI));
        bench.table.beforeRead(() -> bench.clock.advance(MILLI));

        assertUnavailable(bench.get(), "headstone; fwd=stale");
    }

    @Test
    void servesNoStaleRecordThatExpiresWhileTheTableFails() {
        Instant end = NOW.plusMillis(200);
        bench.memory.put(
                CODE,
                new Active(
                        LIVE.stamp(),
                        URL,
                        Optional.empty(),
                        Optional.empty(),
                        List.of(),
                        Optional.of(end),
                        OptionalLong.empty(),
                        NOW,
                        end.plusSeconds(60)));
        bench.items.failing(true);
        bench.table.beforeRead(() -> bench.clock.advance(Duration.ofMillis(200)));

        assertUnavailable(bench.get(), "headstone; fwd=stale");
    }

    @Test
    void letsNoStaleRecordStandInForAnItemThatNobodyCanRead() {
        bench.cached(LIVE, NOW.minus(Freshness.FRESH));
        bench.items.putUnreadable(CODE, "attribute 'is_active' is missing or malformed");

        assertUnavailable(bench.get(), "headstone; fwd=stale");
    }

    // Missing.

    @Test
    void populatesTheCacheOnAMiss() {
        bench.items.put(LIVE);
        bench.table.stallAfterRead(() -> bench.clock.advance(Duration.ofMillis(40)));

        assertRedirect(bench.get(), STORABLE, "headstone; fwd=miss; stored");
        assertThat(bench.memory.record(CODE))
                .contains(CacheRecord.of(LIVE, NOW, NOW)); // fresh from the start of the read
        assertThat(bench.memory.life(CODE))
                .contains(Freshness.FRESH.plus(Freshness.STALE_GRACE).minusMillis(40));
        assertThat(bench.count("headstone.populates", "result", "stored")).isEqualTo(1);
    }

    @Test
    void takesTheLeaseBeforeItAsksTheTableAndSettlesAfter() {
        bench.items.put(LIVE);
        List<String> order = new ArrayList<>();
        bench.table.beforeRead(() -> order.addAll(bench.memory.calls()));

        bench.get();

        assertThat(order).containsExactly("look abc", "ask abc");
        assertThat(bench.memory.calls()).containsExactly("look abc", "ask abc", "settle abc write");
    }

    @Test
    void buriesADeadLinkOnAMiss() {
        bench.items.put(TestBench.dead(LIVE, Cause.DEACTIVATED));

        assertNotFound(bench.get(), "headstone; fwd=miss; stored");
        assertNotFound(bench.get(), "headstone; hit; detail=tombstone");
        assertThat(bench.count("headstone.populates", "result", "buried")).isEqualTo(1);
    }

    @Test
    void neverCachesAnUnknownCode() {
        assertNotFound(bench.get(), "headstone; fwd=miss");

        assertThat(bench.memory.raw(CODE)).isEmpty();
        assertThat(bench.memory.calls()).endsWith("settle abc release");
        bench.items.put(LIVE);
        assertRedirect(bench.get(), STORABLE, "headstone; fwd=miss; stored");
    }

    @Test
    void givesTheLeaseBackForAnExpiredLink() {
        bench.items.put(Links.expiring(CODE, NOW));

        assertNotFound(bench.get(), "headstone; fwd=miss");
        assertThat(bench.memory.raw(CODE)).isEmpty();
        assertThat(bench.memory.calls()).endsWith("settle abc release");
        assertThat(bench.count("headstone.populates", "result", "released")).isEqualTo(1);
    }

    @Test
    void doesNotServeALinkThatExpiresWhileTheTableIsAsked() {
        bench.items.put(Links.expiring(CODE, NOW.plusMillis(30)));
        bench.table.stallAfterRead(() -> bench.clock.advance(Duration.ofMillis(30)));

        assertNotFound(bench.get(), "headstone; fwd=miss");
        assertThat(bench.memory.raw(CODE)).isEmpty();
    }

    @Test
    void asksToComeAgainWhenTheTableFailsOnAMiss() {
        bench.items.failing(true);

        assertUnavailable(bench.get(), "headstone; fwd=miss");
        assertThat(bench.memory.calls()).endsWith("settle abc release");
    }

    @Test
    void asksToComeAgainWhenTheTableThrows() {
        bench.table.beforeRead(
                () -> {
                    throw new IllegalStateException("a bug");
                });

        assertUnavailable(bench.get(), "headstone; fwd=miss");
    }

    @ParameterizedTest
    @MethodSource("dev.headstone.cache.UnreadableValues#all")
    void healsAKeyThatNobodyCanRead(byte[] value) {
        bench.memory.put(CODE, value);
        bench.items.put(LIVE);

        assertRedirect(bench.get(), STORABLE, "headstone; fwd=miss; stored");
        assertRedirect(bench.get(), STORABLE, "headstone; hit");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"javascript:alert(1)", "https://a/\r\nSet-Cookie: x", "https://a/é", "x"})
    void sendsNobodyToWhatIsNoDestination(String url) {
        bench.items.put(TestBench.live(url, Optional.empty()));

        assertUnavailable(bench.get(), "headstone; fwd=miss");
        assertThat(bench.memory.raw(CODE)).isEmpty();
    }

    @Test
    void writesNothingWhileAnotherHasTheLease() {
        bench.items.put(LIVE);
        bench.memory.askLease(CODE);

        assertRedirect(bench.get(), STORABLE, "headstone; fwd=miss");
        assertThat(bench.memory.raw(CODE)).isEmpty();
        assertThat(bench.count("headstone.populates", "result", "held")).isEqualTo(1);
    }

    @Test
    void writesNothingWhenTheLeaseIsTakenAwayMeanwhile() {
        bench.items.put(LIVE);
        bench.table.stallAfterRead(() -> bench.memory.forceLease(CODE));

        assertRedirect(bench.get(), STORABLE, "headstone; fwd=miss");
        assertThat(bench.memory.raw(CODE)).isEmpty();
        assertThat(bench.count("headstone.populates", "result", "refused")).isEqualTo(1);
    }

    @Test
    void leavesWhatIsNewer() {
        bench.items.put(LIVE);
        Link dead = TestBench.dead(LIVE, Cause.TAKEDOWN);
        bench.table.stallAfterRead(() -> bench.cached(dead, NOW));

        assertRedirect(bench.get(), STORABLE, "headstone; fwd=miss");
        assertThat(bench.memory.record(CODE)).get().isInstanceOf(Tombstone.class);
        assertThat(bench.count("headstone.populates", "result", "superseded")).isEqualTo(1);
    }

    @Test
    void failsNoClickForASettlementThatFails() {
        bench.items.put(LIVE);
        bench.cache.beforeSettle(() -> bench.memory.unreachable(true));

        assertRedirect(bench.get(), STORABLE, "headstone; fwd=miss");
        assertThat(bench.count("headstone.populates", "result", "failed")).isEqualTo(1);
    }

    @Test
    void failsNoClickForALeaseThatCannotBeHad() {
        bench.items.put(LIVE);
        bench.cache.afterLook(() -> bench.memory.unreachable(true));

        assertRedirect(bench.get(), STORABLE, "headstone; fwd=miss");
        assertThat(bench.count("headstone.populates", "result", "failed")).isEqualTo(1);
    }

    @Test
    void waitsForALookWithoutHoldingTheCaller() {
        bench.cached(LIVE, NOW);
        CompletableFuture<Void> gate = new CompletableFuture<>();
        bench.cache.gate(gate);

        CompletableFuture<RedirectAnswer> answer = click();
        assertThat(answer).isNotDone();

        gate.complete(null);
        assertThat(answer).isCompleted();
        assertRedirect(answer.join(), STORABLE, "headstone; hit");
    }

    // Without the cache.

    @Test
    void asksTheTableAndWritesNothingWhenTheCacheIsUnavailable() {
        bench.items.put(LIVE);
        bench.memory.unreachable(true);

        assertRedirect(bench.get(), STORABLE, "headstone; fwd=bypass; detail=cache-unavailable");
        assertThat(bench.memory.calls()).containsExactly("look abc");
        assertThat(bench.items.calls()).containsExactly("read abc");
    }

    @Test
    void answersADeadLinkWhenTheCacheIsUnavailable() {
        bench.items.put(TestBench.dead(LIVE, Cause.TAKEDOWN));
        bench.memory.unreachable(true);

        assertNotFound(bench.get(), "headstone; fwd=bypass; detail=cache-unavailable");
    }

    @Test
    void asksToComeAgainWhenBothFail() {
        bench.items.failing(true);
        bench.memory.unreachable(true);

        assertUnavailable(bench.get(), "headstone; fwd=bypass; detail=cache-unavailable");
    }

    @Test
    void takesALookThatFailsForAnUnavailableCache() {
        bench.items.put(LIVE);
        bench.cache.gate(CompletableFuture.failedFuture(new IllegalStateException("a bug")));

        assertRedirect(bench.get(), STORABLE, "headstone; fwd=bypass; detail=cache-unavailable");
    }

    @Test
    void takesALookThatThrowsForAnUnavailableCache() {
        bench.items.put(LIVE);
        bench.cache.beforeLook(
                () -> {
                    throw new IllegalStateException("a bug");
                });

        assertRedirect(bench.get(), STORABLE, "headstone; fwd=bypass; detail=cache-unavailable");
    }

    @Test
    void mustNotBeStoredIfTheTableTakesLongerThanASecond() {
        bench.items.put(LIVE);
        bench.table.stallAfterRead(() -> bench.clock.advance(Duration.ofMillis(1_001)));

        assertRedirect(bench.get(), "no-store", "headstone; fwd=miss; stored");
    }

    // Who asks, and how.

    @ParameterizedTest
    @MethodSource("situations")
    void answersAHeadAsAGet(Link item, boolean cached, boolean tableFails) {
        TestBench other = new TestBench();
        for (TestBench each : List.of(bench, other)) {
            each.items.put(item);
            each.items.failing(tableFails);
            if (cached) {
                each.cached(item, NOW);
            }
        }

        assertThat(bench.head()).isEqualTo(other.get());
    }

    static Stream<Object[]> situations() {
        return Stream.of(LIVE, TestBench.dead(LIVE, Cause.TAKEDOWN), Links.expiring(CODE, NOW))
                .flatMap(
                        item ->
                                Stream.of(
                                        new Object[] {item, true, false},
                                        new Object[] {item, false, false},
                                        new Object[] {item, false, true}));
    }

    @Test
    void redirectsProgramsThatLookAheadToAnUnlimitedLinkAndCountsPeople() {
        bench.cached(LIVE, NOW);
        Visitor crawler = new Visitor("Googlebot/2.1", "", "", "");
        Visitor prefetch = new Visitor("Mozilla/5.0", "prefetch;prerender", "", "");

        for (Visitor visitor : List.of(crawler, prefetch, Visitor.UNKNOWN)) {
            assertRedirect(bench.get(visitor), STORABLE, "headstone; hit");
        }
        bench.head();

        assertThat(bench.count("headstone.clicks")).isEqualTo(1);
    }

    // Faults and bounds.

    /** The tombstone is gone, and the stalled click has nothing to lose against but its lease. */
    @Test
    void staysDeadWhenAStalledClickWakesAfterItsTombstoneWasEvicted() {
        bench.items.put(LIVE);
        bench.table.stallAfterRead(
                () -> {
                    bench.takeDown(LIVE);
                    assertNotFound(bench.get(), "headstone; hit; detail=tombstone");
                    bench.memory.evict(CODE);
                    bench.clock.advance(Duration.ofMillis(1_500));
                });

        RedirectAnswer stalled = bench.get();

        assertRedirect(stalled, "no-store", "headstone; fwd=miss"); // it asked before the takedown
        assertThat(bench.memory.raw(CODE)).isEmpty();
        assertNotFound(bench.get(), "headstone; fwd=miss; stored");
        assertNotFound(bench.get(), "headstone; hit; detail=tombstone");
    }

    @Test
    void isVisibleAgainWhenAClickThatReadTheDeathWakesAfterARestore() {
        Link dead = TestBench.dead(LIVE, Cause.TAKEDOWN);
        Link restored =
                dead.revived(
                        new LastChange(NOW, "bob", Optional.empty(), "restore"), Optional.empty());
        bench.items.put(dead);
        bench.table.stallAfterRead(
                () -> {
                    bench.memory.forceLease(CODE);
                    bench.items.put(restored);
                });

        assertNotFound(bench.get(), "headstone; fwd=miss");
        bench.memory.loseLease(CODE);
        assertRedirect(bench.get(), STORABLE, "headstone; fwd=miss; stored");
    }

    @Test
    void shedsClicksBeyondTheLimitAndGoesOnServingHits() {
        List<Runnable> tasks = new ArrayList<>();
        TestBench full =
                new TestBench(tasks::add, new RedirectSettings(404, 1, 2, Duration.ofSeconds(1)));
        full.items.put(LIVE);
        ShortCode hot = new ShortCode("hot");
        full.cached(Links.plain(hot), NOW);
        CompletableFuture<RedirectAnswer> first = click(full, "abc");
        CompletableFuture<RedirectAnswer> second = click(full, "abd");

        assertUnavailable(full.get("abe"), "headstone; fwd=miss");
        assertThat(full.count("headstone.redirect.shed")).isEqualTo(1);
        assertThat(full.get("hot").status()).isEqualTo(302);

        tasks.removeFirst().run();
        tasks.removeFirst().run();
        assertThat(first.join().status()).isEqualTo(302);
        assertThat(second.join().status()).isEqualTo(404);
        CompletableFuture<RedirectAnswer> third = click(full, "abe");
        tasks.removeFirst().run();
        assertThat(third.join().status()).isEqualTo(404);
    }

    @Test
    void asksToComeAgainWhenTheExecutorIsShutDown() {
        TestBench down =
                new TestBench(
                        _ -> {
                            throw new RejectedExecutionException("shut down");
                        },
                        RedirectSettings.DEFAULT);

        assertUnavailable(down.get(), "headstone; fwd=miss");
        assertUnavailable(down.get(), "headstone; fwd=miss");
    }

    @Test
    void looksThroughTheConnectionOfTheLoopAndSharesTheRest() {
        bench.items.put(LIVE);
        InMemoryLinkCache loop = new InMemoryLinkCache(bench.clock);
        RedirectService there = bench.service.lookingThrough(loop);

        RedirectAnswer answer =
                there.answer(new RedirectRequest("abc", false, Visitor.UNKNOWN))
                        .toCompletableFuture()
                        .join();

        assertThat(answer.status()).isEqualTo(302);
        assertThat(loop.calls()).containsExactly("look abc");
        assertThat(bench.memory.calls()).containsExactly("ask abc", "settle abc write");
    }

    @Test
    void hasAllItsMetersFromTheStart() {
        for (CacheUse use : CacheUse.values()) {
            for (Outcome outcome : Outcome.values()) {
                assertThat(timed(outcome.label(), use.label())).isZero();
            }
        }
        for (Populate result : Populate.values()) {
            assertThat(bench.count("headstone.populates", "result", result.label())).isZero();
        }
        assertThat(bench.count("headstone.clicks")).isZero();
        assertThat(bench.count("headstone.redirect.shed")).isZero();
        assertThat(bench.registry.get("headstone.redirect.waiting").gauge().value()).isZero();
    }

    @Test
    void timesEachAnswerByOutcomeAndCache() {
        bench.items.put(LIVE);
        bench.get();
        bench.get();
        bench.get("unknown");

        assertThat(timed("redirect", "miss")).isEqualTo(1);
        assertThat(timed("redirect", "hit")).isEqualTo(1);
        assertThat(timed("unknown", "miss")).isEqualTo(1);
    }

    @Test
    void keepsTheDestinationOutOfTexts() {
        bench.cached(LIVE, NOW);

        assertThat(bench.get().toString()).doesNotContain("example");
    }

    private long timed(String outcome, String cache) {
        return bench.registry
                .get("headstone.redirect")
                .tags("outcome", outcome, "cache", cache)
                .timer()
                .count();
    }

    private CompletableFuture<RedirectAnswer> click() {
        return click(bench, CODE.value());
    }

    private static CompletableFuture<RedirectAnswer> click(TestBench bench, String code) {
        return bench.service
                .answer(new RedirectRequest(code, false, Visitor.UNKNOWN))
                .toCompletableFuture();
    }

    private static void assertRedirect(
            RedirectAnswer answer, String cacheControl, String cacheStatus) {
        assertThat(answer.status()).isEqualTo(302);
        assertThat(answer.location()).contains(URL);
        assertThat(answer.cacheControl()).isEqualTo(cacheControl);
        assertThat(answer.cacheStatus()).isEqualTo(cacheStatus);
        assertThat(answer.retryAfter()).isEmpty();
        assertThat(answer.body().isEmpty()).isTrue();
    }

    private static void assertNotFound(RedirectAnswer answer, String cacheStatus) {
        assertThat(answer.status()).isEqualTo(404);
        assertUnstored(answer, cacheStatus);
        assertThat(answer.retryAfter()).isEmpty();
    }

    private static void assertUnavailable(RedirectAnswer answer, String cacheStatus) {
        assertThat(answer.status()).isEqualTo(503);
        assertUnstored(answer, cacheStatus);
        assertThat(answer.retryAfter()).isEqualTo(OptionalInt.of(1));
    }

    private static void assertUnstored(RedirectAnswer answer, String cacheStatus) {
        assertThat(answer.location()).isEmpty();
        assertThat(answer.cacheControl()).isEqualTo("no-store");
        assertThat(answer.cacheStatus()).isEqualTo(cacheStatus);
        assertThat(answer.body().text()).doesNotContain("example");
    }
}
