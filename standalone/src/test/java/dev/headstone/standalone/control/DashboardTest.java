package dev.headstone.standalone.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How the page and its assets are served; what it does, a browser shows. */
final class DashboardTest {
    private static final Pattern ELSEWHERE = Pattern.compile("(https?:)?//(?!www\\.w3\\.org)[a-z]");

    private static final Pattern METRIC = Pattern.compile("headstone_[a-z_]*[a-z]");

    private final ControlDesk desk;

    DashboardTest() throws Exception {
        desk = new ControlDesk();
    }

    @AfterEach
    void stop() {
        desk.close();
    }

    @Test
    void thePageNeedsNoTokenAndAllowsNothingButItself() throws Exception {
        HttpResponse<String> page = desk.get("", "/dashboard");

        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.headers().firstValue("Content-Type")).contains("text/html; charset=utf-8");
        assertThat(page.headers().firstValue("Content-Security-Policy").orElseThrow().split("; *"))
                .containsExactlyInAnyOrder(
                        "default-src 'none'",
                        "script-src 'self'",
                        "style-src 'self'",
                        "img-src 'self'",
                        "connect-src 'self'",
                        "base-uri 'none'",
                        "form-action 'none'",
                        "frame-ancestors 'none'",
                        "require-trusted-types-for 'script'",
                        "trusted-types 'none'");
        assertThat(page.headers().map())
                .containsEntry("X-Content-Type-Options", List.of("nosniff"))
                .containsEntry("Referrer-Policy", List.of("no-referrer"))
                .containsEntry("X-Frame-Options", List.of("DENY"))
                .containsEntry("Cross-Origin-Opener-Policy", List.of("same-origin"))
                .containsEntry("Cache-Control", List.of("no-store"))
                .containsKey("Permissions-Policy");
    }

    @Test
    void everyAssetIsServedAsWhatItIs() throws Exception {
        Path folder = Path.of(URI.create(Dashboard.class.getResource("dashboard").toString()));
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.filter(each -> !each.endsWith("index.html")).toList()) {
                HttpResponse<String> asset =
                        desk.get("", "/dashboard/" + file.getFileName().toString());
                assertThat(asset.statusCode()).as(file.toString()).isEqualTo(200);
                assertThat(asset.body()).isEqualTo(Files.readString(file));
                assertThat(asset.headers().firstValue("Content-Type").orElseThrow())
                        .startsWith(
                                switch (file.getFileName().toString().replaceFirst(".*\\.", "")) {
                                    case "js" -> "text/javascript";
                                    case "css" -> "text/css";
                                    case "svg" -> "image/svg+xml";
                                    default -> "something that is no asset";
                                });
            }
        }
    }

    @Test
    void nothingIsAskedOfOthersAndNothingBecomesMarkup() throws Exception {
        Path folder = Path.of(URI.create(Dashboard.class.getResource("dashboard").toString()));
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                assertThat(Files.readString(file))
                        .as(file.toString())
                        .doesNotContainPattern(ELSEWHERE)
                        .doesNotContain(
                                "innerHTML",
                                "outerHTML",
                                "insertAdjacentHTML",
                                "document.write",
                                "eval(",
                                "localStorage",
                                "document.cookie",
                                " style=");
            }
        }
    }

    @Test
    void everyFigureThatThePageReadsIsInTheDocs() throws Exception {
        Set<String> documented =
                METRIC.matcher(Files.readString(Path.of("../docs/metrics.md")))
                        .results()
                        .map(MatchResult::group)
                        .collect(Collectors.toSet());
        Set<String> read =
                METRIC.matcher(desk.get("", "/dashboard/overview.js").body())
                        .results()
                        .map(MatchResult::group)
                        .collect(Collectors.toSet());

        assertThat(read).hasSizeGreaterThan(8).isSubsetOf(documented);
    }

    @Test
    void aTokenIsToldWhoItIs() throws Exception {
        assertThat(desk.get(ControlDesk.READER, "/v1/caller").body())
                .isEqualTo("{\"name\":\"rita\",\"role\":\"reader\"}");
        assertThat(desk.get(ControlDesk.OPERATOR, "/v1/caller").body())
                .isEqualTo("{\"name\":\"alice\",\"role\":\"operator\"}");
        assertThat(desk.get("", "/v1/caller").statusCode()).isEqualTo(401);
    }
}
