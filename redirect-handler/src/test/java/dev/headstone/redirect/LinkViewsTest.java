package dev.headstone.redirect;

import static dev.headstone.redirect.TestBench.CODE;
import static dev.headstone.redirect.TestBench.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headstone.freshness.Freshness;
import dev.headstone.link.Cause;
import dev.headstone.link.Link;
import dev.headstone.table.Links;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Base64;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class LinkViewsTest {
    private static final List<String> ALL = List.of("/abc+", "/abc.qr", "/abc.qr?format=png");

    private final TestBench bench = new TestBench();

    // The same decision as for the link itself.

    @ParameterizedTest
    @ValueSource(strings = {"/abc+", "/abc.qr", "/abc.qr?format=svg", "/abc.qr?format=png"})
    void ofADeadUnknownOrExpiredLinkIsTheAnswerOfTheLink(String view) {
        assertSameAsLink(view); // unknown

        Link live = Links.plain(CODE);
        bench.items.put(live);
        assertThat(bench.view(view).status()).isEqualTo(200);
        bench.takeDown(live);
        assertSameAsLink(view); // a tombstone
        bench.memory.evict(CODE);
        assertSameAsLink(view); // the table's word

        bench.items.put(Links.expiring(CODE, NOW));
        bench.memory.evict(CODE);
        assertSameAsLink(view);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/abc+", "/abc.qr", "/abc.qr?format=png"})
    void hasTheStatusOfATakedown(String view) {
        TestBench strict =
                new TestBench(Runnable::run, RedirectSettings.DEFAULT.withGoneStatus(451));
        strict.items.put(TestBench.dead(Links.plain(CODE), Cause.TAKEDOWN));

        assertThat(strict.view(view).status()).isEqualTo(451);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/abc+", "/abc.qr", "/abc.qr?format=png"})
    void isNotKnownWhileTheTableFails(String view) {
        bench.items.put(Links.plain(CODE));
        bench.items.failing(true);

        assertSameAsLink(view);
        assertThat(bench.view(view).status()).isEqualTo(503);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/abc+", "/abc.qr", "/abc.qr?format=png"})
    void aStaleRecordStandsInForATableThatFails(String view) {
        bench.cached(Links.plain(CODE), NOW.minus(Freshness.FRESH));
        bench.items.failing(true);

        RedirectAnswer answer = bench.view(view);

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.cacheStatus()).isEqualTo("headstone; fwd=stale; detail=stale-served");
        bench.clock.advance(Freshness.STALE_GRACE);
        assertThat(bench.view(view).status()).isEqualTo(503);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/abc+", "/abc.qr", "/abc.qr?format=png"})
    void isShownOfAFreshRecordWithoutTheTableAndFillsTheCacheElse(String view) {
        bench.items.put(Links.plain(CODE));

        assertThat(bench.view(view).cacheStatus()).isEqualTo("headstone; fwd=miss; stored");
        assertThat(bench.view(view).cacheStatus()).isEqualTo("headstone; hit");
        assertThat(bench.items.calls()).containsExactly("read abc");
    }

    @Test
    void isShedWhenTooManyWait() {
        Deque<Runnable> tasks = new ArrayDeque<>();
        TestBench full = new TestBench(tasks::add, new RedirectSettings(404, 1, 1, Duration.ZERO));
        full.cached(Links.plain(CODE), NOW);

        CompletableFuture<RedirectAnswer> first =
                full.viewing().answer("GET", "/abc+", Visitor.UNKNOWN).toCompletableFuture();

        assertThat(full.view("/abc.qr").status()).isEqualTo(503);
        tasks.remove().run();
        assertThat(first.join().status()).isEqualTo(200);
    }

    @Test
    void isNotShownOnceTheLinkExpiredWhileItWasMade() {
        Deque<Runnable> tasks = new ArrayDeque<>();
        TestBench slow = new TestBench(tasks::add, RedirectSettings.DEFAULT);
        slow.cached(Links.expiring(CODE, NOW.plusMillis(1)), NOW);

        CompletableFuture<RedirectAnswer> answer =
                slow.viewing().answer("GET", "/abc+", Visitor.UNKNOWN).toCompletableFuture();
        slow.clock.advance(Duration.ofMillis(1));
        tasks.remove().run();

        assertThat(answer.join().status()).isEqualTo(404);
    }

    @ParameterizedTest
    @CsvSource({"/abc+, preview", "/abc.qr, qr", "/abc.qr?format=png, qr"})
    void isNoVisitAndIsCounted(String view, String outcome) {
        bench.cached(Links.plain(CODE), NOW);

        bench.view(view);

        assertThat(bench.count("headstone.clicks")).isZero();
        assertThat(
                        bench.registry
                                .get("headstone.redirect")
                                .tags("outcome", outcome, "cache", "hit")
                                .timer()
                                .count())
                .isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/abc+", "/abc.qr", "/abc.qr?format=png"})
    void mayBeKeptByNobodyNorIndexed(String view) {
        bench.cached(Links.plain(CODE), NOW);

        assertThat(headers(bench.view(view)))
                .containsEntry("Cache-Control", "no-store")
                .containsEntry("X-Robots-Tag", "noindex")
                .containsEntry("X-Content-Type-Options", "nosniff")
                .doesNotContainKey("Location");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/ab+",
                "/+",
                "/abc++",
                "/abc+.qr",
                "/abc.qr+",
                "/abc.QR",
                "/.qr",
                "/abc.qr/",
                "/abc%2B",
                "//abc+",
                "/é+",
                "/ab.qr?format=gif"
            })
    void nothingElseIsAViewAndNothingIsLookedUp(String target) {
        bench.cached(Links.plain(CODE), NOW);

        assertThat(bench.view(target).status()).isEqualTo(404);
        assertThat(bench.memory.calls()).isEmpty();
    }

    @Test
    void aHeadGetsTheAnswerOfAGet() {
        bench.cached(Links.plain(CODE), NOW);
        for (String view : ALL) {
            RedirectAnswer head =
                    bench.viewing()
                            .answer("HEAD", view, Visitor.UNKNOWN)
                            .toCompletableFuture()
                            .join();

            assertThat(headers(head)).isEqualTo(headers(bench.view(view)));
            assertThat(head.body().bytes()).isEqualTo(bench.view(view).body().bytes());
        }
    }

    // The page.

    @Test
    void thePageSaysWhereTheLinkGoesSinceWhenAndUntilWhen() {
        bench.cached(Links.expiring(CODE, Instant.parse("2027-01-02T03:04:05.678Z")), NOW);

        RedirectAnswer answer = bench.view("/abc+");

        assertThat(headers(answer)).containsEntry("Content-Type", "text/html; charset=utf-8");
        assertThat(answer.body().text())
                .startsWith("<!doctype html>")
                .contains("<h1>https://s.example/abc</h1>")
                .contains("<code>https://example.com/abc</code>")
                .contains("<time datetime=\"2026-11-18T11:06:40.123Z\">2026-11-18 11:06 UTC</time>")
                .contains("<time datetime=\"2027-01-02T03:04:05.678Z\">2027-01-02 03:04 UTC</time>")
                .contains("href=\"https://s.example/abc\"")
                .doesNotContain("<dt>Host</dt>");
    }

    @Test
    void thePageLeadsOnByTheShortLinkAndNotAroundIt() {
        bench.cached(Links.plain(CODE), NOW);

        assertThat(bench.view("/abc+").body().text()).doesNotContain("href=\"https://example.com");
    }

    @Test
    void thePageRunsLoadsAndSendsNothing() throws Exception {
        bench.cached(Links.plain(CODE), NOW);

        RedirectAnswer answer = bench.view("/abc+");

        String page = answer.body().text();
        Matcher style = Pattern.compile("<style>(.*)</style>", Pattern.DOTALL).matcher(page);
        assertThat(style.find()).isTrue();
        byte[] hash =
                MessageDigest.getInstance("SHA-256")
                        .digest(style.group(1).getBytes(StandardCharsets.UTF_8));
        assertThat(headers(answer).get("Content-Security-Policy"))
                .isEqualTo(
                        "default-src 'none'; style-src 'sha256-%s'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
                                .formatted(Base64.getEncoder().encodeToString(hash)));
        assertThat(page).doesNotContain("<script", "<img", "<link", " on", " style=", "url(");
        assertThat(style.group(1)).contains("color-scheme:light dark", "prefers-color-scheme:dark");
    }

    @Test
    void thePageEscapesTheDestination() {
        bench.cached(
                TestBench.live(
                        "https://example.com/?a=1&b='%22><script>alert(1)</script>",
                        Optional.empty()),
                NOW);

        assertThat(bench.view("/abc+").body().text())
                .contains(
                        "https://example.com/?a=1&amp;b=&#39;%22&gt;&lt;script&gt;alert(1)&lt;/script&gt;")
                .doesNotContain("<script");
    }

    @ParameterizedTest
    @CsvSource({
        "xn--bcher-kva.example, bücher.example",
        "xn--e1afmkfd.xn--80akhbyknj4f, пример.испытание",
        "xn--mgbh0fb.xn--kgbechtv, مثال.إختبار"
    })
    void thePageShowsAnInternationalHostInBothForms(String stored, String letters) {
        bench.cached(toHost(stored), NOW);

        assertThat(bench.view("/abc+").body().text())
                .contains("<code>https://" + stored + "/</code>")
                .contains(
                        "<bdi><code>%s</code></bdi> is written <bdi><code>%s</code></bdi>"
                                .formatted(letters, stored));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"example.com", "203.0.113.7", "xn--a", "xn--999999999", "xn--strae-oqa"})
    void thePageShowsAnyOtherHostAsItIsLookedUp(String stored) {
        bench.cached(toHost(stored), NOW);

        assertThat(bench.view("/abc+").body().text())
                .contains("https://" + stored + "/")
                .doesNotContain("<dt>Host</dt>");
    }

    @Test
    void thePageOfALimitedLinkHidesTheDestinationAndTakesNoVisit() {
        bench.items.put(Links.limited(CODE, 1));

        for (int i = 0; i < 3; i++) {
            RedirectAnswer answer = bench.view("/abc+");
            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.body().text())
                    .contains("shown to visitors only")
                    .doesNotContain("example.com");
            assertThat(bench.view("/abc.qr").status()).isEqualTo(200);
        }

        assertThat(bench.get().location()).contains("https://example.com/abc");
        assertSameAsLink("/abc+");
        assertThat(bench.view("/abc+").status()).isEqualTo(404);
    }

    @Test
    void withoutABaseUrlThePageNamesThePathAndThereAreNoCodes() {
        bench.cached(Links.plain(CODE), NOW);
        RedirectSite site = bench.viewing(Optional.empty());

        assertThat(answer(site, "/abc+").body().text()).contains("href=\"/abc\"");
        assertThat(answer(site, "/abc.qr").status()).isEqualTo(404);
    }

    // QR codes.

    @Test
    void theDrawingReadsAsTheShortUrl() throws Exception {
        bench.cached(Links.plain(CODE), NOW);

        RedirectAnswer answer = bench.view("/abc.qr");

        assertThat(headers(answer))
                .containsEntry("Content-Type", "image/svg+xml")
                .containsEntry(
                        "Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
        assertThat(QrReading.ofSvg(answer.body().text())).isEqualTo("https://s.example/abc");
        assertThat(bench.view("/abc.qr?x&format=svg&y").body().text())
                .isEqualTo(answer.body().text());
    }

    @Test
    void thePixelsReadAsTheShortUrl() throws Exception {
        bench.cached(Links.plain(CODE), NOW);

        RedirectAnswer answer = bench.view("/abc.qr?format=png");

        assertThat(headers(answer)).containsEntry("Content-Type", "image/png");
        assertThat(QrReading.ofPng(answer.body().bytes())).isEqualTo("https://s.example/abc");
    }

    @Test
    void aBaseUrlMayHaveAPathAndASlashAtItsEnd() throws Exception {
        bench.cached(Links.plain(CODE), NOW);
        RedirectSite site = bench.viewing(Optional.of(URI.create("https://s.example/go/")));

        assertThat(QrReading.ofSvg(answer(site, "/abc.qr").body().text()))
                .isEqualTo("https://s.example/go/abc");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "format=gif",
                "format=",
                "format",
                "format=PNG",
                "format=png&format=png",
                "format=svg&x=1&format=png",
                "x&format=%70ng"
            })
    void anyOtherFormatIsRefusedByNameAndNothingIsLookedUp(String query) {
        bench.cached(Links.plain(CODE), NOW);

        RedirectAnswer answer = bench.view("/abc.qr?" + query);

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.cacheControl()).isEqualTo("no-store");
        assertThat(answer.body().text()).isEqualTo("format is svg or png, and given once.\n");
        assertThat(bench.memory.calls()).isEmpty();
    }

    private void assertSameAsLink(String view) {
        RedirectAnswer first = bench.view(view);
        RedirectAnswer ofLink = bench.get();
        RedirectAnswer ofView = bench.view(view); // the first one may have filled the cache

        assertThat(first.status()).isEqualTo(ofLink.status());
        assertThat(first.body().text()).isEqualTo(ofLink.body().text());
        assertThat(ofLink.status()).isNotEqualTo(302);
        assertThat(ofView.status()).isEqualTo(ofLink.status());
        assertThat(headers(ofView)).isEqualTo(headers(ofLink));
        assertThat(ofView.body().text()).isEqualTo(ofLink.body().text());
    }

    private static Link toHost(String host) {
        Link plain = TestBench.live("https://" + host + "/", Optional.empty());
        return new Link(
                plain.code(),
                plain.longUrl(),
                Optional.of(host),
                plain.standing(),
                plain.version(),
                plain.createdAt(),
                plain.lastChange(),
                plain.expiresAt(),
                plain.purgeAt(),
                plain.owner(),
                plain.tags(),
                plain.visitLimit(),
                0);
    }

    private static RedirectAnswer answer(RedirectSite site, String target) {
        return site.answer("GET", target, Visitor.UNKNOWN).toCompletableFuture().join();
    }

    private static Map<String, String> headers(RedirectAnswer answer) {
        Map<String, String> headers = new HashMap<>();
        answer.forEachHeader(headers::put);
        return headers;
    }
}
