package dev.headstone.standalone.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headstone.standalone.browser.Chromium;
import java.net.URI;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.openqa.selenium.Keys;

/** The form that takes many links down, in a browser. */
@DisabledIfSystemProperty(named = "browser.skip", matches = "true", disabledReason = "no Chromium")
@Tag("slow")
final class DashboardManyTest {
    private static Chromium browser;

    @BeforeAll
    static void startBrowser() {
        browser = Chromium.start();
    }

    @AfterAll
    static void stopBrowser() {
        if (browser != null) {
            browser.close();
        }
    }

    private static void open(ManyTakedowns server) {
        browser.forget();
        browser.open(URI.create(server.host() + "/dashboard#/takedown"));
        browser.shown("#token").sendKeys("token", Keys.ENTER);
        browser.shown("#takedown-code");
    }

    private static void dryRun(String target) {
        browser.shown("#many-target").sendKeys(target);
        browser.shown("#many-reason").sendKeys("phishing");
        browser.named("Dry run").click();
    }

    @Test
    void isNotOfferedWhereItIsNotServed() throws Exception {
        try (ManyTakedowns server = new ManyTakedowns(false)) {
            open(server);

            browser.shown("html[data-readings]");
            assertThat(browser.requests()).contains(server.host() + "/openapi.yaml");
            assertThat(browser.count("#many-target")).isZero();
            browser.assertQuiet(server.host());
        }
    }

    @Test
    void aHostIsCountedThenTakenDownThenRestored() throws Exception {
        try (ManyTakedowns server = new ManyTakedowns(true)) {
            open(server);
            dryRun("*.bad.example");
            browser.shown("[data-outcome=dry_run]", "3 links are alive");
            assertThat(browser.shown(".sample").getText()).contains("bad1", "bad2", "bad3");
            assertThat(browser.barriers()).isEmpty();

            browser.named("Take down 3 links").click();
            browser.shown("[data-outcome=job_done]", "Done: every tombstone is confirmed");
            browser.named("Undo this takedown").click();
            browser.shown("[data-outcome=job_restored]", "Undone");

            assertThat(server.asked())
                    .map(Object::toString)
                    .containsExactly(
                            "{\"reason\":\"phishing\",\"host\":\"*.bad.example\",\"dry_run\":true}",
                            "{\"reason\":\"phishing\",\"host\":\"*.bad.example\"}",
                            "{\"reason\":\"phishing\"}");
            browser.assertQuiet(server.host());
        }
    }

    @Test
    void aTargetThatChangedIsCountedAgain() throws Exception {
        try (ManyTakedowns server = new ManyTakedowns(true)) {
            open(server);
            browser.named("Tag").click();
            dryRun("spam");
            browser.named("Take down 3 links");
            browser.shown("#many-target").sendKeys("s");

            browser.named("Dry run");
            assertThat(browser.count("form .danger")).isEqualTo(1); // of the form for one link
        }
    }

    @Test
    void aListIsSentAsCodes() throws Exception {
        try (ManyTakedowns server = new ManyTakedowns(true)) {
            open(server);
            browser.named("List").click();
            dryRun("bad1 bad2\nbad3\n");
            browser.shown("[data-outcome=dry_run]");

            assertThat(server.asked())
                    .map(Object::toString)
                    .containsExactly(
                            "{\"reason\":\"phishing\",\"codes\":[\"bad1\",\"bad2\",\"bad3\"],\"dry_run\":true}");
        }
    }

    @Test
    void whatIsNotConfirmedIsNamed() throws Exception {
        try (ManyTakedowns server = new ManyTakedowns(true)) {
            server.failing(1);
            open(server);
            dryRun("bad.example");
            browser.named("Take down 3 links").click();

            browser.shown("[data-outcome=job_done][data-mood=warn]", "1 NOT confirmed");
            assertThat(browser.shown(".sample").getText()).isEqualTo("bad1 invalidate failed");
        }
    }

    @Test
    void whatTheServerRefusesIsSaid() throws Exception {
        try (ManyTakedowns server = new ManyTakedowns(true)) {
            open(server);
            dryRun("co.uk");

            browser.shown(".result[data-mood=bad]", "co.uk is a public suffix.");
            assertThat(browser.shown(".result").getText()).contains("host");
            browser.assertQuiet(server.host(), "status of 422");
        }
    }
}
