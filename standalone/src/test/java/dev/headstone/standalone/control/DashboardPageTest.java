package dev.headstone.standalone.control;

import static dev.headstone.standalone.control.ControlDesk.CODE;
import static dev.headstone.standalone.control.ControlDesk.OPERATOR;
import static dev.headstone.standalone.control.ControlDesk.READER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headstone.audit.AuditEvent;
import dev.headstone.audit.AuditEventJson;
import dev.headstone.auditlog.ReceivedEvent;
import dev.headstone.standalone.browser.Chromium;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;

/** What the page does in a browser, over a control port whose other sides can be made to fail. */
@DisabledIfSystemProperty(named = "browser.skip", matches = "true", disabledReason = "no Chromium")
@Tag("slow")
final class DashboardPageTest {
    private static final int MOST_STOPS = 40;

    private static Chromium browser;
    private ControlDesk desk;
    private URI host;

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

    @BeforeEach
    void start() throws Exception {
        desk =
                new ControlDesk(
                        table -> table,
                        List.of(new Part("table", Optional::empty)),
                        settings -> settings);
        host = URI.create("http://127.0.0.1:" + desk.listener.port());
        browser.desktop();
        browser.prefer("light");
        browser.forget();
    }

    @AfterEach
    void stop() {
        desk.close();
    }

    private void open(String page) {
        browser.open(URI.create(host + "/dashboard" + page));
        browser.shown("h1");
    }

    private void signIn(String token) {
        browser.shown("#token").sendKeys(token, Keys.ENTER);
    }

    private void openAs(String token, String page) {
        open(page);
        signIn(token);
    }

    private void record(List<AuditEvent> events) {
        events.forEach(
                event -> desk.auditLog.append(ReceivedEvent.read(AuditEventJson.encode(event))));
    }

    @Test
    void aTokenThatIsNoneIsRefusedAndNotKept() {
        openAs("wrong", "#/signin");

        browser.shown("#token-fault", "The token is not good");
        assertThat(browser.focused().getAttribute("id")).isEqualTo("token");
        assertThat(browser.focused().getDomProperty("value")).isEmpty();
        assertThat(browser.value("sessionStorage.length")).isEqualTo(0L);
        browser.assertQuiet(host, "status of 401");
    }

    @Test
    void aTokenStaysInThisTabAndStandsInNoAddress() {
        openAs(OPERATOR, "#/signin");
        browser.shown("#who", "alice operator");
        browser.reload();
        browser.shown("#who", "alice operator");

        assertThat(browser.address()).isEqualTo(host + "/dashboard#/");
        assertThat(browser.requests()).isNotEmpty().noneMatch(url -> url.contains(OPERATOR));
        assertThat(browser.value("localStorage.length + document.cookie.length")).isEqualTo(0L);

        browser.named("Sign out").click();
        browser.named("Sign in");
        assertThat(browser.value("sessionStorage.length")).isEqualTo(0L);
        browser.assertQuiet(host);
    }

    @Test
    void aTokenThatWasRevokedMeanwhileAsksForAnother() {
        desk.givenLive();
        openAs(OPERATOR, "#/signin");
        browser.shown("#who", "alice");
        browser.value("sessionStorage.setItem('headstone.token', 'revoked')");
        browser.named("Link").click();
        browser.shown("#code").sendKeys("abc", Keys.ENTER);

        browser.shown("#token");
        assertThat(browser.value("sessionStorage.length")).isEqualTo(0L);
        browser.assertQuiet(host, "status of 401");
    }

    @Test
    void aLinkIsTakenDownWithTheKeyboardAlone() {
        desk.givenLive();
        open("");
        tabTo("Sign in");
        browser.press(Keys.ENTER);
        browser.shown("#token");
        tabTo("Token");
        browser.press(OPERATOR, Keys.ENTER);
        browser.shown("#who", "alice");
        tabTo("Takedown");
        browser.press(Keys.ENTER);
        browser.shown("#takedown-code");
        tabTo("Short code");
        browser.press("abc");
        tabTo("Reason");
        browser.press("phishing", Keys.ENTER);

        browser.shown("[data-outcome=confirmed]", "Taken down, and confirmed");
        assertThat(browser.focused().getText()).isEqualTo("Taken down, and confirmed");
        browser.shown(".countdown[data-clear=false]", "until the last copy");
        tabTo("abc");
        browser.press(Keys.ENTER);
        browser.shown(".link .badge", "taken down");
        browser.assertQuiet(host);
    }

    /** Goes on with the tabulator until what has that name has the keyboard, and shows so. */
    private static void tabTo(String name) {
        for (int stops = 0; stops < MOST_STOPS; stops++) {
            browser.press(Keys.TAB);
            WebElement focused = browser.focused();
            if (focused.getTagName().equals("body")) {
                continue; // went round
            }
            assertThat(focused.getCssValue("outline-style"))
                    .as("the ring around " + focused.getAccessibleName())
                    .isNotEqualTo("none");
            if (name.equals(focused.getAccessibleName())) {
                return;
            }
        }
        throw new AssertionError("the keyboard does not get to " + name);
    }

    @Test
    void theFirstStopOfTheKeyboardSkipsToTheContent() {
        open("");
        browser.press(Keys.TAB);
        assertThat(browser.focused().getText()).isEqualTo("Skip to the content");
        browser.press(Keys.ENTER);

        assertThat(browser.focused().getTagName()).isEqualTo("main");
    }

    @Test
    void aTakedownThatIsNotConfirmedDoesNotLookLikeOneThatIs() {
        desk.givenLive();
        desk.cache.unreachable(true);
        openAs(OPERATOR, "#/takedown/abc");
        browser.shown("#takedown-reason").sendKeys("phishing", Keys.ENTER);

        browser.shown("[data-outcome=invalidate_failed]", "NOT confirmed");
        assertThat(browser.count("[data-outcome=confirmed], .countdown, .result[data-mood=good]"))
                .isZero();

        desk.cache.unreachable(false);
        browser.shown(".result button:not([aria-disabled])").click();
        browser.shown("[data-outcome=confirmed]", "Taken down, and confirmed");
        browser.assertQuiet(host, "status of 503");
    }

    @Test
    void whatIsMissingIsSaidAndGetsTheKeyboard() {
        openAs(OPERATOR, "#/takedown");
        browser.shown("#takedown-code").sendKeys(Keys.ENTER);

        browser.shown("#takedown-fault", "A short code is needed.");
        browser.press("abc", Keys.ENTER);
        browser.shown("#takedown-fault", "A reason is needed.");
        assertThat(browser.focused().getAttribute("id")).isEqualTo("takedown-reason");
        assertThat(browser.focused().getAttribute("aria-invalid")).isEqualTo("true");
    }

    @Test
    void aLinkShowsItsItemItsRecordAndItsTrail() throws Exception {
        desk.givenLive();
        desk.send(OPERATOR, "POST", "/v1/links/abc/takedown", "{\"reason\": \"phishing\"}");
        record(desk.queue.events());
        openAs(READER, "#/link/abc");

        browser.shown(".link .badge", "taken down");
        browser.shown(".halves", "tombstone");
        browser.shown(".halves", "The cache agrees with the table.");
        browser.shown(".trail", "taken down");
        browser.shown(".trail", "phishing");
        assertThat(browser.shown("main").getText()).doesNotContain("https://a.example");
        browser.named("Verify the chain").click();
        browser.shown("[role=status].verdict", "The chain verifies");
        browser.assertQuiet(host);
    }

    @Test
    void aReaderIsOfferedNothingToChange() {
        desk.givenLive();
        openAs(READER, "#/link/abc");
        browser.shown(".link", "Your role may look at this link, and change nothing.");
        assertThat(browser.count("#reason, .danger")).isZero();

        browser.named("Takedown").click();
        browser.shown("main", "Only operators take links down");
        assertThat(browser.count("form")).isZero();
    }

    @Test
    void whatPeopleWroteIsTextAndNothingElse() throws Exception {
        desk.givenLive();
        String reason = "<img src=x onerror=alert(1)><script>alert(2)</script>";
        desk.send(OPERATOR, "POST", "/v1/links/abc/takedown", "{\"reason\": \"" + reason + "\"}");
        record(desk.queue.events());
        openAs(OPERATOR, "#/link/abc");

        browser.shown(".trail", reason);
        browser.shown(".halves", reason);
        assertThat(browser.count("main img, main script")).isZero();
        open("#/link/" + "%3Cimg%20src=x%3E");
        browser.shown("[data-outcome=problem]");
        assertThat(browser.count("main img")).isZero();
        browser.assertQuiet(host, "status of 404");
    }

    @Test
    void whereTheServiceIsGoneThePageSaysSo() {
        open("");
        browser.shown("#pulse", "Live");
        browser.assertQuiet(host);
        desk.close();

        browser.shown(".health", "No figures: the service does not answer");
        browser.shown("#pulse", "No figures");
    }

    @Test
    void aFigureThatIsNotThereIsNotTakenForZero() {
        open("");
        browser.shown("#pulse", "Live");

        assertThat(browser.shown("[data-figure=hits]").getText()).isEqualTo("–");
        assertThat(browser.shown("[data-figure=lag]").getText()).isEqualTo("–");
        assertThat(browser.shown("[data-figure=dead]").getText()).isEqualTo("–");
    }

    @Test
    void nothingStandsInTheWayOfAnybody() {
        desk.givenLive();
        open("");
        browser.shown("#pulse", "Live");
        assertOpenToAll("overview");
        open("#/signin");
        assertOpenToAll("sign-in");
        signIn(OPERATOR);
        browser.shown("#who", "alice");

        open("#/link/abc");
        browser.named("Take down").click();
        browser.shown("#reason-fault", "A reason is needed");
        assertOpenToAll("link");

        open("#/takedown/abc");
        browser.shown("#takedown-reason").sendKeys("phishing", Keys.ENTER);
        browser.shown("[data-outcome=confirmed]");
        assertOpenToAll("receipt");

        desk.cache.unreachable(true);
        open("#/link/abc");
        browser.named("Confirm the tombstone").click();
        browser.shown("[data-outcome=invalidate_failed]");
        assertOpenToAll("not confirmed");
        browser.assertQuiet(host, "status of 503");
    }

    private static void assertOpenToAll(String page) {
        browser.prefer("light");
        assertThat(browser.barriers()).as(page).isEmpty();
        browser.prefer("dark");
        assertThat(browser.paleTexts()).as(page + " in the dark").isEmpty();
    }

    @Test
    void nothingIsCutOffOnAPhone() throws Exception {
        desk.givenLive();
        browser.phone();
        open("");
        browser.shown("#pulse", "Live");
        assertThat(overhang()).as("overview").isZero();
        open("#/takedown/abc");
        signIn(OPERATOR);
        browser.shown("#takedown-reason").sendKeys("x".repeat(200), Keys.ENTER);
        browser.shown("[data-outcome=confirmed]");
        assertThat(overhang()).as("receipt").isZero();
        record(desk.queue.events());
        open("#/link/abc");
        browser.shown(".trail", "xxx");
        assertThat(overhang()).as("link").isZero();
        assertThat(browser.barriers()).isEmpty();
        browser.assertQuiet(host);
    }

    /** How many pixels of the page lie beside the screen. */
    private static long overhang() {
        return (Long) browser.value("document.documentElement.scrollWidth - innerWidth");
    }

    @Test
    void numbersAreWrittenAsPeopleReadThem() {
        open("");

        assertThat(
                        inPage(
                                "format",
                                "[0, 2.5e-7, 0.0002, 0.0042, 0.0996, 0.1, 0.25, 1, 90, 600]"
                                        + ".map(m.duration)"))
                .isEqualTo(
                        List.of(
                                "0 s", "0 µs", "200 µs", "4.2 ms", "100 ms", "100 ms", "250 ms",
                                "1.0 s", "90.0 s", "10 min"));
        assertThat(inPage("format", "[0, 0.99999, 1, undefined, NaN].map(m.percent)"))
                .isEqualTo(List.of("0.0 %", "99.9 %", "100 %", "–", "–"));
    }

    @Test
    void ratesAndQuantilesAreThoseOfWhatCameInBetween() {
        open("");
        String samples =
                """
                (() => {
                  const text = (a, b, c) => `# TYPE s histogram
                s_bucket{o="x\\\\"y",le="0.1"} ${a}
                s_bucket{o="x\\\\"y",le="0.2"} ${b}
                s_bucket{o="x\\\\"y",le="+Inf"} ${c}
                s_count{o="x\\\\"y"} ${c}
                `;
                  const sample = (at, ...counts) => new m.Sample(at, m.parse(text(...counts)));
                  const wanted = {o: 'x"y'};
                  const from = sample(0, 100, 100, 100);
                  const to = sample(10000, 100, 120, 140);
                  const anew = sample(20000, 5, 5, 5);
                  return [m.rate(from, to, "s_count", wanted), m.quantile(from, to, "s", wanted, 0.25),
                    m.quantile(from, to, "s", wanted, 0.99), m.rate(to, anew, "s_count", wanted),
                    m.quantile(to, to, "s", wanted, 0.5) === undefined];
                })()""";

        // forty in ten seconds, half of them up to 0.2 s; of longer ones only that they were; then
        // a start, after which all counts began anew
        assertThat(inPage("metrics", samples).toString())
                .isEqualTo("[4, 0.15000000000000002, 0.2, 0.5, true]");
    }

    /** What an expression over the exports of one of the page's modules is. */
    private Object inPage(String module, String expression) {
        return browser.value(
                "import('%s/dashboard/%s.js').then(m => %s)".formatted(host, module, expression));
    }

    @Test
    void theCodeInTheAddressIsTheOneThatIsShown() {
        desk.givenLive();
        openAs(OPERATOR, "#/link/" + CODE.value());
        browser.shown(".link .code", CODE.value());

        assertThat(browser.title()).isEqualTo("abc · Link · Headstone");
    }
}
