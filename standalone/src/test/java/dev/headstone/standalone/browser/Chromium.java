package dev.headstone.standalone.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.deque.html.axecore.results.CheckedNode;
import com.deque.html.axecore.results.Rule;
import com.deque.html.axecore.selenium.AxeBuilder;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.awaitility.Awaitility;
import org.openqa.selenium.By;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.WindowType;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;

/**
 * A headless Chromium with an empty profile, driven by its own driver. It finds no host but this
 * machine's loopback. Not safe for use by several threads.
 */
public final class Chromium implements AutoCloseable {
    /** How long to wait for what a page is to show. */
    private static final Duration PATIENCE = Duration.ofSeconds(15);

    private static final Path PICTURES = Path.of("target", "dashboard");
    private static final ObjectMapper JSON = new ObjectMapper();

    /** The levels A and AA of the guidelines, and what is good practice besides. */
    private static final List<String> GUIDELINES =
            List.of(
                    "wcag2a",
                    "wcag2aa",
                    "wcag21a",
                    "wcag21aa",
                    "wcag22a",
                    "wcag22aa",
                    "best-practice");

    /** It would say that it does not know this version's own protocol, which is not used. */
    private static final Logger DEVTOOLS = Logger.getLogger("org.openqa.selenium.devtools");

    private final Path profile;
    private final ChromeDriverService service;
    private final ChromeDriver driver;
    private final List<String> asked = new ArrayList<>();
    private final Thread atExit = new Thread(this::quit);

    private Chromium(Path profile, ChromeDriverService service, ChromeOptions options) {
        this.profile = profile;
        this.service = service;
        this.driver = new ChromeDriver(service, options);
        Runtime.getRuntime().addShutdownHook(atExit);
    }

    /**
     * Starts one. Where it and its driver are, the properties {@code chromium} and {@code
     * chromedriver} say; by default where Debian puts them.
     *
     * @throws IllegalStateException naming what is missing and how to get it
     */
    public static Chromium start() {
        Path browser = found("chromium");
        Path driver = found("chromedriver");
        DEVTOOLS.setLevel(Level.SEVERE);
        try {
            Path profile =
                    Files.createTempDirectory(Path.of("target").toAbsolutePath(), "chromium");
            ChromeDriverService service =
                    new ChromeDriverService.Builder()
                            .usingDriverExecutable(driver.toFile())
                            .usingAnyFreePort()
                            .withLogFile(profile.resolve("driver.log").toFile())
                            .build();
            return new Chromium(profile, service, options(browser, profile));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path found(String name) {
        Path program = Path.of(System.getProperty(name, "/usr/bin/" + name));
        if (!Files.isExecutable(program)) {
            throw new IllegalStateException(
                    "The page is tested in Chromium, and there is no %s. Get it with 'apt-get install chromium chromium-driver', or say where they are with -Dchromium= and -Dchromedriver="
                            .formatted(program));
        }
        return program;
    }

    private static ChromeOptions options(Path browser, Path profile) {
        ChromeOptions options = new ChromeOptions();
        options.setBinary(browser.toFile());
        options.addArguments(
                "--headless=new",
                "--no-sandbox", // it cannot have one as root, and sees our own page only
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--disable-quic",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--no-first-run",
                "--lang=en",
                "--force-color-profile=srgb",
                "--hide-scrollbars",
                "--window-size=1280,900",
                "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
                "--user-data-dir=" + profile.resolve("profile"));
        options.setCapability(
                "goog:loggingPrefs", Map.of(LogType.BROWSER, "ALL", LogType.PERFORMANCE, "ALL"));
        return options;
    }

    /** Loads a page in the window that is looked at. */
    public void open(URI page) {
        driver.get("about:blank"); // or another fragment of the same page would not load it
        driver.get(page.toString());
    }

    /** Opens one more window and looks at it. Returns its name. */
    public String newWindow() {
        return driver.switchTo().newWindow(WindowType.WINDOW).getWindowHandle();
    }

    /** The name of the window that is looked at. */
    public String window() {
        return driver.getWindowHandle();
    }

    /** Looks at another window. */
    public void lookAt(String window) {
        driver.switchTo().window(window);
    }

    public void reload() {
        driver.navigate().refresh();
    }

    public String address() {
        return driver.getCurrentUrl();
    }

    public String title() {
        return driver.getTitle();
    }

    /** Waits until something is visible, and returns the first of it. */
    public WebElement shown(String css) {
        return Awaitility.await(css)
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(50))
                .ignoreExceptionsMatching(Chromium::isPassing)
                .until(
                        () ->
                                driver.findElements(By.cssSelector(css)).stream()
                                        .filter(WebElement::isDisplayed)
                                        .findFirst()
                                        .orElse(null),
                        element -> element != null);
    }

    private static boolean isPassing(Throwable failure) {
        return failure instanceof StaleElementReferenceException
                || failure instanceof AssertionError;
    }

    /** Waits until the first visible match has the text in it, and returns all of its text. */
    public String shown(String css, String text) {
        return Awaitility.await(css + " with " + text)
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(50))
                .ignoreExceptionsMatching(Chromium::isPassing)
                .until(() -> shown(css).getText(), found -> found.contains(text));
    }

    /** The button or link with that text. */
    public WebElement named(String text) {
        return Awaitility.await(text)
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(50))
                .ignoreExceptionsMatching(Chromium::isPassing)
                .until(
                        () ->
                                driver
                                        .findElements(By.cssSelector("a, button, summary, label"))
                                        .stream()
                                        .filter(element -> element.getText().equals(text))
                                        .filter(WebElement::isDisplayed)
                                        .findFirst()
                                        .orElse(null),
                        element -> element != null);
    }

    /** How many elements match at this moment. */
    public int count(String css) {
        return driver.findElements(By.cssSelector(css)).size();
    }

    /** What an expression is in the page, or {@code "nothing"}. */
    public Object value(String expression) {
        return Objects.requireNonNullElse(driver.executeScript("return " + expression), "nothing");
    }

    /** Presses keys, wherever the keyboard is. */
    public void press(CharSequence... keys) {
        new Actions(driver).sendKeys(keys).perform();
    }

    /** What has the keyboard. */
    public WebElement focused() {
        return driver.switchTo().activeElement();
    }

    /** What a person set their machine to. */
    public void prefer(String scheme) {
        driver.executeCdpCommand(
                "Emulation.setEmulatedMedia",
                Map.of(
                        "features",
                        List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
    }

    /** Makes the screen one of a phone, narrower than most. */
    public void phone() {
        screen(360, 740, 2, true);
    }

    /** Makes the screen one of a desktop. */
    public void desktop() {
        screen(1280, 900, 1, false);
    }

    private void screen(int width, int height, int scale, boolean mobile) {
        driver.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of(
                        "width", width,
                        "height", height,
                        "deviceScaleFactor", scale,
                        "mobile", mobile));
    }

    /** What stands in the way of people who do not see, hear, point or read as most do. */
    public List<String> barriers() {
        return found(new AxeBuilder().withTags(GUIDELINES));
    }

    /** What is too pale to be read, which is all that another colour scheme can change. */
    public List<String> paleTexts() {
        return found(new AxeBuilder().withOnlyRules(List.of("color-contrast")));
    }

    @SuppressWarnings("deprecation") // the other way opens a second window, to look into frames
    private List<String> found(AxeBuilder axe) {
        axe.setLegacyMode(true); // without a window of its own to think in: there are no frames
        return axe.analyze(driver).getViolations().stream()
                .flatMap(rule -> rule.getNodes().stream().map(node -> described(rule, node)))
                .toList();
    }

    private static String described(Rule rule, CheckedNode node) {
        return "%s: %s".formatted(rule.getHelp(), node.getHtml());
    }

    /** Leaves a picture of the whole page in {@code target/dashboard}. */
    public void picture(String name) {
        JsonNode size =
                JSON.valueToTree(driver.executeCdpCommand("Page.getLayoutMetrics", Map.of()))
                        .get("cssContentSize");
        picture(name, size.get("height").asInt());
    }

    /** Leaves a picture of what is on the screen. */
    public void pictureOfScreen(String name) {
        picture(name, ((Number) value("innerHeight")).intValue());
    }

    private void picture(String name, int height) {
        value("scrollTo(0, 0)");
        int width = ((Number) value("innerWidth")).intValue();
        Object data =
                driver.executeCdpCommand(
                                "Page.captureScreenshot",
                                Map.of(
                                        "captureBeyondViewport",
                                        true,
                                        "clip",
                                        Map.of(
                                                "x", 0, "y", 0, "width", width, "height", height,
                                                "scale", 1)))
                        .get("data");
        try {
            Files.createDirectories(PICTURES);
            Files.write(PICTURES.resolve(name + ".png"), Base64.getDecoder().decode((String) data));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Asserts that since the last time nothing was logged in the console, a refused script or style
     * among it, and nobody but {@code host} was asked for anything.
     *
     * @param expected parts of what may have been logged all the same
     */
    public void assertQuiet(URI host, String... expected) {
        assertThat(entries(LogType.BROWSER))
                .map(LogEntry::getMessage)
                .filteredOn(message -> Arrays.stream(expected).noneMatch(message::contains))
                .as("logged in the console")
                .isEmpty();
        assertThat(requests())
                .as("asked of others")
                .allMatch(url -> url.startsWith(host + "/") || url.startsWith("data:"));
    }

    /** The addresses of everything that was asked for so far. */
    public List<String> requests() {
        for (LogEntry entry : entries(LogType.PERFORMANCE)) {
            JsonNode message = event(entry);
            if (message.path("method").asText().equals("Network.requestWillBeSent")) {
                asked.add(message.at("/params/request/url").asText());
            }
        }
        return List.copyOf(asked);
    }

    private static JsonNode event(LogEntry entry) {
        try {
            return JSON.readTree(entry.getMessage()).path("message");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<LogEntry> entries(String type) {
        return StreamSupport.stream(driver.manage().logs().get(type).spliterator(), false).toList();
    }

    /** Leaves the page, and forgets what was asked for and logged so far. */
    public void forget() {
        driver.get("about:blank");
        requests();
        asked.clear();
        entries(LogType.BROWSER);
    }

    @Override
    public void close() {
        quit();
        Runtime.getRuntime().removeShutdownHook(atExit);
        Awaitility.await("its processes let go of " + profile)
                .atMost(PATIENCE)
                .ignoreExceptions()
                .until(() -> removed(profile));
    }

    private static boolean removed(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
        return Files.notExists(folder);
    }

    private void quit() {
        try {
            driver.quit();
        } finally {
            service.stop();
        }
    }
}
