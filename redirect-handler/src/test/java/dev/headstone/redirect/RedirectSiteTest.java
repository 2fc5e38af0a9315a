package dev.headstone.redirect;

import static dev.headstone.redirect.TestBench.CODE;
import static dev.headstone.redirect.TestBench.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headstone.table.Links;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class RedirectSiteTest {
    private final TestBench bench = new TestBench();
    private final RedirectSite site = new RedirectSite(bench.service);

    @ParameterizedTest
    @ValueSource(strings = {"/abc", "/abc?", "/abc?x=1&y=%zz", "/abc?a?b/"})
    void answersACodeWhateverItsQuery(String target) {
        bench.cached(Links.plain(CODE), NOW);

        assertThat(get(target).status()).isEqualTo(302);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "*",
                "abc",
                "http://127.0.0.1/abc",
                "//abc",
                "/abc/",
                "/abc.",
                "/abc+",
                "/abc.qr",
                "/a%62c",
                "/abc%2Fdef",
                "/%",
                "/abc#x",
                "/abc;x",
                "/./abc",
                "/Robots.txt",
                "/xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
            })
    void findsNothingElseAndLooksNothingUp(String target) {
        bench.cached(Links.plain(CODE), NOW);

        RedirectAnswer answer = get(target);

        assertThat(answer.status()).isEqualTo(404);
        assertThat(answer.cacheControl()).isEqualTo("no-store");
        assertThat(bench.memory.calls()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "/, text/plain; charset=utf-8",
        "/robots.txt, text/plain; charset=utf-8",
        "/favicon.ico, image/svg+xml"
    })
    void hasAFewPagesThatNeedNoLookUp(String target, String type) {
        for (String each : new String[] {target, target + "?x"}) {
            RedirectAnswer answer = get(each);

            assertThat(answer.status()).isEqualTo(200);
            assertThat(headers(answer))
                    .containsEntry("Content-Type", type)
                    .containsEntry("Cache-Control", "public, max-age=3600")
                    .containsKey("Cache-Status");
            assertThat(answer.body().text()).isNotEmpty();
        }
        assertThat(bench.memory.calls()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT", "get", "BREW"})
    void allowsNoOtherMethod(String method) {
        RedirectAnswer answer =
                site.answer(method, "/abc", Visitor.UNKNOWN).toCompletableFuture().join();

        assertThat(answer.status()).isEqualTo(405);
        assertThat(headers(answer))
                .containsEntry("Allow", "GET, HEAD")
                .containsEntry("Cache-Control", "no-store");
        assertThat(bench.memory.calls()).isEmpty();
    }

    @Test
    void givesARedirectItsHeadersAndNoOthers() {
        bench.cached(Links.plain(CODE), NOW);

        assertThat(headers(get("/abc")))
                .isEqualTo(
                        Map.of(
                                "Location",
                                "https://example.com/abc",
                                "Cache-Control",
                                "public, max-age=5, must-revalidate, stale-if-error=0",
                                "Cache-Status",
                                "headstone; hit"));
    }

    @Test
    void saysWhenToComeAgain() {
        bench.items.failing(true);

        assertThat(headers(get("/abc")))
                .isEqualTo(
                        Map.of(
                                "Cache-Control",
                                "no-store",
                                "Cache-Status",
                                "headstone; fwd=miss",
                                "Retry-After",
                                "1",
                                "Content-Type",
                                "text/plain; charset=utf-8",
                                "X-Content-Type-Options",
                                "nosniff"));
    }

    private RedirectAnswer get(String target) {
        return site.answer("GET", target, Visitor.UNKNOWN).toCompletableFuture().join();
    }

    private static Map<String, String> headers(RedirectAnswer answer) {
        Map<String, String> headers = new HashMap<>();
        answer.forEachHeader(headers::put);
        return headers;
    }
}
