package dev.headstone.standalone.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headstone.standalone.browser.Chromium;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.Keys;

/**
 * What an operator sees of a running {@code serve} under clicks. On the way it takes the pictures
 * for the documentation: they lie in {@code target/dashboard} afterwards.
 */
@Tag("slow")
@DisabledIfSystemProperty(named = "browser.skip", matches = "true", disabledReason = "no Chromium")
final class DashboardServeTest {
    /** A chart wants some readings before it is worth a picture; one is taken every two seconds. */
    private static final long READINGS = 11;

    @TempDir private static Path folder;

    private static ServeProcess serve;
    private static Chromium browser;
    private static ScheduledExecutorService visitors;
    private static String overview;

    @BeforeAll
    static void start() {
        serve = ServeProcess.start(folder.resolve("data"), "--base-url", "https://go.example");
        serve.create("tour", "https://example.com/tour");
        serve.create("spring", "https://example.com/spring?utm=mail");
        serve.create("gone", "https://example.com/gone");
        serve.takeDown("gone");
        visitors = Executors.newSingleThreadScheduledExecutor();
        AtomicLong visits = new AtomicLong();
        var _ =
                visitors.scheduleAtFixedRate(
                        () -> visit(visits.getAndIncrement()), 0, 20, TimeUnit.MILLISECONDS);
        browser = Chromium.start();
        browser.desktop();
        browser.prefer("light");
        browser.forget();
        open("");
        overview = browser.window();
    }

    /** Clicks in waves, mostly on what is alive. */
    private static void visit(long visit) {
        double wave = 2 + 2 * Math.sin(visit / 60.0);
        for (int i = 0; i < wave; i++) {
            serve.click("/tour");
        }
        if (visit % 4 == 0) {
            serve.click("/gone");
        }
        if (visit % 9 == 0) {
            serve.click("/nobody" + visit);
        }
    }

    @AfterAll
    static void stop() {
        if (browser != null) {
            browser.close();
        }
        if (visitors != null) {
            visitors.shutdownNow();
        }
        if (serve != null) {
            serve.close();
        }
    }

    private static void open(String page) {
        browser.open(URI.create(serve.control() + "/dashboard" + page));
        browser.shown("h1");
    }

    @Test
    void aLinkIsTakenDownAndTheFiguresFollow() {
        browser.newWindow(); // the first one goes on showing the overview
        browser.desktop();
        browser.prefer("light");
        open("#/link/spring");
        browser.shown("#token").sendKeys(serve.token(), Keys.ENTER);
        browser.shown("#who", "local operator");
        browser.shown(".link .badge", "active");
        browser.shown(".halves", "active record");
        browser.shown(".verdict[data-mood=good]", "The cache agrees with the table.");

        browser.shown("#reason").sendKeys("phishing, ticket 4711");
        browser.named("Take down").click();
        browser.shown("[data-outcome=confirmed]", "Taken down, and confirmed");
        browser.shown(".countdown[data-clear=false]", "until the last copy in a CDN");
        assertThat(serve.click("/spring").statusCode()).isEqualTo(404);
        assertThat(browser.barriers()).isEmpty();
        browser.picture("receipt-light");
        browser.shown(".countdown[data-clear=true]", "No copy is left");

        browser.reload();
        browser.shown(".link .badge", "taken down");
        browser.shown(".halves", "tombstone");
        Awaitility.await("both events of the takedown are in the log")
                .atMost(Duration.ofSeconds(10))
                .until(() -> serve.audit("spring").size() >= 3);
        browser.reload();
        browser.shown(".trail", "phishing, ticket 4711");
        browser.shown(".trail", "by local");
        browser.named("Verify the chain").click();
        browser.shown("[role=status].verdict", "The chain verifies");
        browser.picture("link-light");
        browser.phone();
        open("#/takedown/tour");
        browser.shown("#takedown-reason").sendKeys("malware");
        assertThat(browser.barriers()).isEmpty();
        browser.pictureOfScreen("takedown-phone");

        browser.lookAt(overview);
        Awaitility.await("enough readings for a chart")
                .atMost(Duration.ofSeconds(40))
                .until(() -> readings() >= READINGS);
        assertThat(figure("clicks")).isPositive();
        assertThat(figure("hits")).isBetween(80.0, 100.0);
        assertThat(figure("takedowns")).isEqualTo(2);
        assertThat(figure("dead")).isZero();
        assertThat(figure("stale")).isZero();
        assertThat(browser.shown("[data-figure=breaker]").getText()).isEqualTo("closed");
        browser.shown("[data-figure=agreement]", "100 %");
        assertThat(browser.shown("[data-figure=lag]").getText()).endsWith("s");
        assertThat(browser.shown("[data-cell='redirect.p99']").getText()).endsWith("s");
        assertThat(browser.shown("[data-cell='unknown.total']").getText()).isNotEqualTo("0");
        browser.shown(".health[data-mood=good]", "All parts work, and the cache is trusted");
        assertThat(browser.barriers()).isEmpty();
        browser.picture("overview-light");
        browser.prefer("dark");
        assertThat(browser.paleTexts()).isEmpty();
        browser.picture("overview-dark");
        browser.phone();
        browser.pictureOfScreen("overview-phone");
        // a machine under load may be unready for a moment, which the page shows and the console
        // tells
        browser.assertQuiet(serve.control(), "/readyz");
    }

    private static long readings() {
        return (Long) browser.value("Number(document.documentElement.dataset.readings ?? 0)");
    }

    private static double figure(String key) {
        String text = browser.shown("[data-figure=" + key + "]").getText();
        return Double.parseDouble(text.replaceAll("[^0-9.]", ""));
    }
}
