package dev.headstone.standalone.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a person does with one running {@code serve}. */
@Tag("slow")
final class PipelineTest {
    @TempDir private static Path folder;
    private static final Pattern DOCUMENTED =
            Pattern.compile("^\\| `(headstone_[a-z_]+(?:\\{[a-z,]+\\})?)`", Pattern.MULTILINE);

    private static final Pattern SERIES = Pattern.compile("^([a-z_]+)(\\{.*\\})? ");
    private static final Pattern LABEL = Pattern.compile("([a-z]+)=\"");

    private static ServeProcess serve;
    private static String metricsAtStart;

    @BeforeAll
    static void start() {
        serve = ServeProcess.start(folder.resolve("data"));
        metricsAtStart = serve.control("GET", "/metrics", "").body();
    }

    @AfterAll
    static void stop() {
        assertThat(serve.stop()).isZero();
        assertThat(folder.resolve("data/serve.json")).doesNotExist();
    }

    @Test
    void aLinkIsCreatedClickedTakenDownAndStaysDead() {
        serve.create("tour", "https://example.com/tour?a=%20b");
        HttpResponse<String> alive = serve.click("/tour?utm=x");
        assertThat(alive.statusCode()).isEqualTo(302);
        assertThat(alive.headers().firstValue("Location"))
                .contains("https://example.com/tour?a=%20b");
        assertThat(alive.headers().firstValue("Cache-Status")).contains("headstone; hit");
        assertThat(alive.headers().firstValue("Cache-Control"))
                .contains("public, max-age=5, must-revalidate, stale-if-error=0");

        HttpResponse<String> receipt = serve.takeDown("tour");
        assertThat(receipt.statusCode()).as(receipt.body()).isEqualTo(200);
        assertThat(ServeProcess.parsed(receipt).get("outcome").asText()).isEqualTo("confirmed");

        HttpResponse<String> dead = serve.click("/tour");
        assertThat(dead.statusCode()).isEqualTo(404);
        assertThat(dead.headers().firstValue("Cache-Status"))
                .contains("headstone; hit; detail=tombstone");
        assertThat(dead.headers().firstValue("Cache-Control")).contains("no-store");
        serve.assertSound("tour");
        assertThat(serve.audit("tour").stream().map(event -> event.get("outcome").asText()))
                .contains("success");
    }

    @Test
    void aLinkShowsWhereItLeadsAndItsCodeUntilItIsTakenDown() {
        serve.create("shown", "https://example.com/shown?a=1&b=2");

        HttpResponse<String> preview = serve.click("/shown+");
        assertThat(preview.statusCode()).isEqualTo(200);
        assertThat(preview.headers().firstValue("Cache-Control")).contains("no-store");
        assertThat(preview.body()).contains("https://example.com/shown?a=1&amp;b=2");
        assertThat(serve.click("/shown.qr").body()).startsWith("<svg ");
        HttpResponse<String> pixels = serve.click("/shown.qr?format=png");
        assertThat(pixels.headers().firstValue("Content-Type")).contains("image/png");
        assertThat(serve.click("/shown.qr?format=gif").statusCode()).isEqualTo(400);

        serve.takeDown("shown");
        HttpResponse<String> dead = serve.click("/shown");
        for (String view : List.of("/shown+", "/shown.qr", "/shown.qr?format=png")) {
            HttpResponse<String> answer = serve.click(view);
            assertThat(answer.statusCode()).isEqualTo(404);
            assertThat(answer.body()).isEqualTo(dead.body());
            assertThat(answer.headers().firstValue("Cache-Status"))
                    .isEqualTo(dead.headers().firstValue("Cache-Status"));
        }
    }

    @Test
    void aRepeatedTakedownGivesTheSameDeathAgain() {
        serve.create("again", "https://example.com/");
        JsonNode first = ServeProcess.parsed(serve.takeDown("again"));
        JsonNode second = ServeProcess.parsed(serve.takeDown("again"));

        assertThat(second.get("version")).isEqualTo(first.get("version"));
        assertThat(second.get("at")).isEqualTo(first.get("at"));
        serve.assertSound("again");
    }

    @Test
    void aRestoredLinkIsVisibleAtOnce() {
        serve.create("lazarus", "https://example.com/");
        serve.takeDown("lazarus");
        HttpResponse<String> receipt =
                serve.control("POST", "/v1/links/lazarus/restore", "{\"reason\":\"mistake\"}");

        assertThat(receipt.statusCode()).as(receipt.body()).isEqualTo(200);
        assertThat(serve.click("/lazarus").statusCode()).isEqualTo(302);
        serve.assertSound("lazarus");
    }

    @Test
    void aLimitedLinkRedirectsExactlyAsOftenAsItMay() {
        serve.control(
                "POST",
                "/v1/links",
                "{\"alias\":\"few\",\"long_url\":\"https://example.com/\",\"visit_limit\":5}");
        List<Integer> statuses =
                IntStream.range(0, 20)
                        .parallel()
                        .mapToObj(_ -> serve.click("/few").statusCode())
                        .toList();

        assertThat(statuses).filteredOn(status -> status == 302).hasSize(5);
        assertThat(statuses).filteredOn(status -> status == 404).hasSize(15);
        assertThat(serve.click("/few", "User-Agent", "Slackbot-LinkExpanding 1.0").statusCode())
                .isEqualTo(404);
        serve.assertSound("few");
    }

    @Test
    void aClientThatMakesAPreviewUsesNoVisitUp() {
        serve.control(
                "POST",
                "/v1/links",
                "{\"alias\":\"once\",\"long_url\":\"https://example.com/\",\"visit_limit\":1}");

        HttpResponse<String> preview = serve.click("/once", "User-Agent", "Twitterbot/1.0");
        assertThat(preview.statusCode()).isEqualTo(200);
        assertThat(preview.headers().firstValue("Location")).isEmpty();
        assertThat(preview.body()).doesNotContain("example.com");
        assertThat(serve.click("/once").statusCode()).isEqualTo(302);
        assertThat(serve.click("/once").statusCode()).isEqualTo(404);
    }

    @Test
    void clicksGoOnWithoutTheCacheAndTakedownsSayThatTheyAreNotConfirmed() {
        serve.create("frozen", "https://example.com/");
        serve.create("bystander", "https://example.com/");
        ProcessHandle redis = serve.redis();
        ServeProcess.signal(redis, "STOP");
        HttpResponse<String> refused;
        try {
            assertThat(serve.click("/bystander").statusCode()).isEqualTo(302);
            refused = serve.takeDown("frozen");
            assertThat(refused.statusCode()).as(refused.body()).isEqualTo(503);
            assertThat(ServeProcess.parsed(refused).get("outcome").asText())
                    .isEqualTo("invalidate_failed");
            assertThat(refused.headers().firstValue("Retry-After")).isPresent();
            assertThat(serve.click("/frozen").statusCode()).isEqualTo(404);
        } finally {
            ServeProcess.signal(redis, "CONT");
        }

        Awaitility.await("the backstop entombs without a retry")
                .atMost(Duration.ofSeconds(10))
                .untilAsserted(
                        () ->
                                assertThat(
                                                serve.click("/frozen")
                                                        .headers()
                                                        .firstValue("Cache-Status"))
                                        .contains("headstone; hit; detail=tombstone"));
        serve.assertSound("frozen");
        serve.assertSound("bystander");
    }

    @Test
    void aRedisThatDiesIsReplaced() {
        serve.create("phoenix", "https://example.com/");
        serve.redis().destroyForcibly();

        assertThat(serve.click("/phoenix").statusCode()).isEqualTo(302);
        Awaitility.await()
                .atMost(Duration.ofSeconds(10))
                .untilAsserted(
                        () ->
                                assertThat(
                                                serve.click("/phoenix")
                                                        .headers()
                                                        .firstValue("Cache-Status"))
                                        .contains("headstone; hit"));
        assertThat(serve.takeDown("phoenix").statusCode()).isEqualTo(200);
    }

    @Test
    void comparesTheCacheWithTheTableAfterEachChange() {
        serve.create("compared", "https://example.com/");
        assertThat(serve.takeDown("compared").statusCode()).isEqualTo(200);

        Awaitility.await("the comparison after two seconds")
                .atMost(Duration.ofSeconds(10))
                .untilAsserted(
                        () ->
                                assertThat(serve.control("GET", "/metrics", "").body())
                                        .contains(
                                                "headstone_cache_agreement_ratio{horizon=\"2s\"}"
                                                        + " 1.0"));
    }

    @Test
    void everyMetricIsThereFromTheStartAndInTheDocs() throws Exception {
        assertThat(families(metricsAtStart))
                .isEqualTo(
                        DOCUMENTED
                                .matcher(Files.readString(Path.of("../docs/metrics.md")))
                                .results()
                                .map(found -> found.group(1))
                                .collect(Collectors.toCollection(TreeSet::new)));
    }

    @Test
    void hitsAndMissesAreTimedApartFromTheStart() {
        for (String cache :
                List.of("hit", "tombstone", "miss", "stale", "stale_served", "unavailable")) {
            assertThat(metricsAtStart)
                    .contains(
                            "headstone_redirect_seconds_bucket{cache=\"%s\",outcome=\"redirect\""
                                    .formatted(cache));
        }
    }

    /** The project's metrics as {@code name{label,label}}, without what a histogram adds. */
    private static SortedSet<String> families(String metrics) {
        Set<String> histograms =
                metrics.lines()
                        .filter(line -> line.matches("# TYPE .* (histogram|summary)"))
                        .map(line -> line.replaceFirst("# TYPE (\\S+) .*", "$1"))
                        .collect(Collectors.toSet());
        return metrics.lines()
                .filter(line -> line.startsWith("headstone_"))
                .map(line -> family(line, histograms))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static String family(String line, Set<String> histograms) {
        Matcher series = SERIES.matcher(line);
        assertThat(series.find()).as(line).isTrue();
        String name = series.group(1);
        String base = name.replaceFirst("_(bucket|count|sum|max)$", "");
        String labels =
                LABEL.matcher(series.group(2) == null ? "" : series.group(2))
                        .results()
                        .map(found -> found.group(1))
                        .filter(label -> !label.equals("le"))
                        .sorted()
                        .collect(Collectors.joining(","));
        return (histograms.contains(base) ? base : name)
                + (labels.isEmpty() ? "" : "{" + labels + "}");
    }

    @Test
    void saysByPartThatItIsReady() {
        HttpResponse<String> answer = serve.control("GET", "/readyz", "");

        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    }

    @Test
    void refusesASecondServeOnTheSameFolder() throws Exception {
        Process second =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-cp",
                                System.getProperty("java.class.path"),
                                "dev.headstone.standalone.Main",
                                "serve",
                                "--port",
                                "0",
                                "--control-port",
                                "0",
                                "--data",
                                folder.resolve("data").toString())
                        .redirectErrorStream(true)
                        .redirectOutput(folder.resolve("second.log").toFile())
                        .start();
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> !second.isAlive());

        assertThat(second.exitValue()).isEqualTo(2);
        assertThat(Files.readString(folder.resolve("second.log"))).contains("headstone: ");
    }
}
