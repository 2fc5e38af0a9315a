package dev.headstone.standalone.listener;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.headstone.cache.InMemoryLinkCache;
import dev.headstone.cache.Settler;
import dev.headstone.link.ShortCode;
import dev.headstone.redirect.LinkViews;
import dev.headstone.redirect.RedirectService;
import dev.headstone.redirect.RedirectSettings;
import dev.headstone.redirect.RedirectSite;
import dev.headstone.standalone.listener.RawClient.Response;
import dev.headstone.table.InMemoryLinkTable;
import dev.headstone.table.Links;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.channel.EventLoop;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.InputStream;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

final class RedirectListenerTest {
    private static final Instant NOW = Links.NOW.plusSeconds(60);
    private static final InstantSource CLOCK = InstantSource.fixed(NOW);
    private static final InetAddress LOOPBACK = InetAddress.ofLiteral("127.0.0.1");
    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(LOOPBACK, 0);
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final ListenerSettings PATIENT =
            new ListenerSettings(ANY_PORT, 100, 4, LONG, LONG, LONG, Duration.ofSeconds(5));

    private final InMemoryLinkCache memory = new InMemoryLinkCache(CLOCK);
    private final GatedCache cache = new GatedCache(memory);
    private final InMemoryLinkTable table = new InMemoryLinkTable();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final RedirectService service =
            new RedirectService(
                            cache,
                            table,
                            new Settler(cache, table, CLOCK, Duration.ofSeconds(3)),
                            CLOCK,
                            threads,
                            () -> "change",
                            RedirectSettings.DEFAULT,
                            registry)
                    .showing(new LinkViews(() -> Optional.of(URI.create("https://s.example"))));
    private final EventLoops loops = EventLoops.start(2);
    private RedirectListener listener;

    @BeforeEach
    void start() throws IOException {
        for (String code : List.of("abc", "one", "two", "six")) {
            table.put(Links.plain(new ShortCode(code)));
        }
        listener = listener(loops, PATIENT);
    }

    @AfterEach
    void stop() {
        listener.close();
        loops.close();
        threads.shutdownNow();
    }

    private RedirectListener listener(EventLoops on, ListenerSettings settings) throws IOException {
        return RedirectListener.start(
                on, settings, _ -> new RedirectSite(service), CLOCK, registry);
    }

    /** Another listener instead of the patient one. */
    private void restart(ListenerSettings settings) throws IOException {
        listener.close();
        listener = listener(loops, settings);
    }

    private RawClient client() throws IOException {
        return new RawClient(listener.address());
    }

    // What is asked for.

    @Test
    void redirects() throws IOException {
        try (RawClient client = client()) {
            Response response = client.get("/abc?utm=1");

            assertThat(response.status()).isEqualTo(302);
            assertThat(response.header("Location")).isEqualTo("https://example.com/abc");
            assertThat(response.header("Cache-Control"))
                    .isEqualTo("public, max-age=5, must-revalidate, stale-if-error=0");
            assertThat(response.header("Cache-Status")).isEqualTo("headstone; fwd=miss; stored");
            assertThat(response.header("Content-Length")).isEqualTo("0");
            assertThat(response.header("Date")).isEqualTo("Wed, 18 Nov 2026 11:07:40 GMT");
            assertThat(response.headers()).doesNotContainKeys("Connection", "Content-Type");
            assertThat(client.get("/abc").header("Cache-Status")).isEqualTo("headstone; hit");
        }
    }

    @Test
    void carriesPixelsByteForByte() throws IOException {
        URI code =
                URI.create(
                        "http://127.0.0.1:" + listener.address().getPort() + "/abc.qr?format=png");

        BufferedImage image = ImageIO.read(code.toURL());

        assertThat(image.getWidth()).isEqualTo(image.getHeight()).isGreaterThan(200);
        try (RawClient client = client()) {
            assertThat(client.get("/abc+").header("Content-Type"))
                    .isEqualTo("text/html; charset=utf-8");
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("paths")
    void answersEachPathOfTheCases(String path, Set<Integer> statuses) throws IOException {
        try (RawClient client = client()) {
            Response response = client.get(path);

            assertThat(response.status()).isIn(statuses);
            assertThat(response.headers()).doesNotContainKey("Location");
            assertThat(response.header("Cache-Control")).isNotEmpty();
            assertThat(response.header("Cache-Status")).startsWith("headstone");
        }
        assertThat(cache.looks()).isZero();
    }

    static Stream<Object[]> paths() throws IOException {
        try (InputStream lines =
                Objects.requireNonNull(
                        RedirectListenerTest.class.getResourceAsStream("/cases/paths.jsonl"))) {
            ObjectMapper json = new ObjectMapper();
            List<Object[]> cases = new ArrayList<>();
            for (String line : new String(lines.readAllBytes(), UTF_8).lines().toList()) {
                JsonNode each = json.readTree(line);
                Set<Integer> statuses = ConcurrentHashMap.newKeySet();
                JsonNode status = each.get("status");
                (status.isArray() ? status : json.createArrayNode().add(status))
                        .forEach(one -> statuses.add(one.intValue()));
                cases.add(new Object[] {each.get("path").textValue(), statuses});
            }
            return cases.stream();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "*",
                "http://x/abc",
                "https://x/abc",
                "abc",
                "/abc/",
                "/abc/.",
                "/./abc",
                "/ab+",
                "/abc.qr/",
                "/abc#x",
                "/abc;jsessionid=1",
                "/a\u00e9c",
                "/abc\\",
                "//x/abc"
            })
    void findsNoOtherForm(String target) throws IOException {
        try (RawClient client = client()) {
            assertThat(client.get(target).status()).isIn(400, 404);
        }
        assertThat(cache.looks()).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/abc",
                "GET\r\n\r\n",
                "GET /abc\r\n\r\n",
                "GET /abc HTTP/x\r\n\r\n",
                "GET /abc HTTP/2.0\r\n\r\n",
                "GET /a bc HTTP/1.1\r\n\r\n",
                "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
                "GET /abc HTTP/1.1\r\nHost x\r\n\r\n",
                "GET /abc HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n",
                "\u0016\u0003\u0001\u0002\u0000\u0001\r\n\r\n"
            })
    void refusesWhatIsNoRequest(String text) throws IOException {
        try (RawClient client = client()) {
            client.send(text);
            client.shutdownOutput();
            if (!text.equals("/abc")) { // which may yet become a request
                Response response = client.read(false);
                assertThat(response.status()).isEqualTo(400);
                assertThat(response.header("Connection")).isEqualTo("close");
            }
            assertThat(client.ended()).isTrue();
        }
        assertThat(cache.looks()).isZero();
    }

    @Test
    void refusesALineThatIsTooLong() throws IOException {
        try (RawClient client = client()) {
            Response response = client.get("/" + "x".repeat(10_000));

            assertThat(response.status()).isEqualTo(414);
            assertThat(client.ended()).isTrue();
        }
    }

    @Test
    void refusesHeadersThatAreTooLong() throws IOException {
        try (RawClient client = client()) {
            client.send("GET /abc HTTP/1.1\r\nCookie: " + "x".repeat(20_000) + "\r\n\r\n");

            assertThat(client.read(false).status()).isEqualTo(431);
            assertThat(client.ended()).isTrue();
        }
    }

    @Test
    void answersAHeadWithTheHeadersOfAGetAndNoBody() throws IOException {
        for (String path : List.of("/abc", "/nope", "/", "/abc")) {
            try (RawClient client = client()) {
                client.send("HEAD " + path + " HTTP/1.1\r\nHost: x\r\n\r\n");
                Response head = client.read(true);
                memory.evict(new ShortCode("abc"));
                Response get = client.get(path);

                assertThat(head.status()).isEqualTo(get.status());
                assertThat(head.headers()).isEqualTo(get.headers());
                memory.evict(new ShortCode("abc"));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "BREW"})
    void allowsNoOtherMethod(String method) throws IOException {
        try (RawClient client = client()) {
            client.send(method + " /abc HTTP/1.1\r\nHost: x\r\n\r\n");
            Response response = client.read(false);

            assertThat(response.status()).isEqualTo(405);
            assertThat(response.header("Allow")).isEqualTo("GET, HEAD");
            assertThat(client.get("/abc").status()).isEqualTo(302);
        }
    }

    @Test
    void readsWhoAsks() throws IOException {
        table.put(Links.limited(new ShortCode("few"), 2));
        try (RawClient client = client()) {
            for (String header :
                    List.of(
                            "User-Agent: Slackbot-LinkExpanding 1.0",
                            "sec-purpose: prefetch",
                            "Purpose: prefetch",
                            "X-moz: prefetch")) {
                client.send("GET /few HTTP/1.1\r\nHost: x\r\n" + header + "\r\n\r\n");
                Response response = client.read(false);

                assertThat(response.status()).isEqualTo(200);
                assertThat(response.body()).isEqualTo("This link opens in a browser.\n");
                assertThat(response.header("Content-Type")).isEqualTo("text/plain; charset=utf-8");
            }
            Response visit = client.get("/few");
            assertThat(visit.status()).isEqualTo(302);
            assertThat(visit.header("Cache-Control")).isEqualTo("no-store");
        }
    }

    // How connections live.

    @Test
    void keepsAConnectionOpen() throws IOException {
        try (RawClient client = client()) {
            for (int i = 0; i < 50; i++) {
                assertThat(client.get("/abc").status()).isEqualTo(302);
            }
        }
    }

    @Test
    void closesWhenTheClientWantsIt() throws IOException {
        try (RawClient client = client()) {
            client.send("GET /abc HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");

            assertThat(client.read(false).header("Connection")).isEqualTo("close");
            assertThat(client.ended()).isTrue();
        }
    }

    @Test
    void speaksTheOldVersion() throws IOException {
        try (RawClient client = client()) {
            client.send("GET /abc HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
            assertThat(client.read(false).header("Connection")).isEqualTo("keep-alive");

            client.send("GET /abc HTTP/1.0\r\n\r\n");
            assertThat(client.read(false).header("Connection")).isEqualTo("close");
            assertThat(client.ended()).isTrue();
        }
    }

    @Test
    void answersPipelinedRequestsInTheirOrder() throws IOException {
        CompletableFuture<Void> gate = cache.gate("one");
        try (RawClient client = client()) {
            client.request("/one");
            client.request("/two");
            client.request("/nope");
            client.request("/six");
            Awaitility.await().until(() -> cache.looks() == 4);
            gate.complete(null);

            assertThat(client.read(4))
                    .extracting(response -> response.status() + response.header("Location"))
                    .containsExactly(
                            "302https://example.com/one",
                            "302https://example.com/two",
                            "404",
                            "302https://example.com/six");
        }
    }

    @Test
    void answersNoMorePipelinedRequestsAtOneTimeThanItMay() throws IOException {
        int count = 500;
        CompletableFuture<Void> gate = cache.gate("one");
        try (RawClient client = client()) {
            client.request("/one");
            for (int i = 1; i < count; i++) {
                client.request(i % 2 == 0 ? "/two" : "/nope");
            }
            Awaitility.await().until(() -> cache.looks() == 4);
            try (RawClient other = client()) { // whose answer shows that time has passed
                other.get("/six");
            }
            assertThat(cache.looks()).isEqualTo(5);
            gate.complete(null);

            List<Response> responses = client.read(count);
            assertThat(responses.getFirst().header("Location")).endsWith("/one");
            for (int i = 1; i < count; i++) {
                assertThat(responses.get(i).status()).isEqualTo(i % 2 == 0 ? 302 : 404);
            }
        }
    }

    @Test
    void answersAllThatAClientSentBeforeItsEnd() throws IOException {
        CompletableFuture<Void> gate = cache.gate("one");
        try (RawClient client = client()) {
            client.request("/one");
            for (int i = 1; i < 50; i++) {
                client.request("/two");
            }
            client.shutdownOutput();
            Awaitility.await().until(() -> cache.looks() == 4);
            gate.complete(null);

            assertThat(client.read(50)).extracting(Response::status).containsOnly(302);
            assertThat(client.ended()).isTrue();
        }
    }

    @Test
    void readsNoMoreThanItCanAnswer() throws IOException {
        int flood = 5_000;
        CompletableFuture<Void> gate = cache.gate("one");
        try (RawClient client = client()) {
            client.request("/one");
            client.send("GET /two HTTP/1.1\r\n\r\n".repeat(flood));
            Awaitility.await().until(() -> cache.looks() == 4);
            try (RawClient other = client()) {
                assertThat(other.get("/six").status()).isEqualTo(302);
            }
            assertThat(cache.looks()).isEqualTo(5);

            gate.complete(null);
            assertThat(client.read(flood + 1)).extracting(Response::status).containsOnly(302);
        }
    }

    @Test
    void endsAClientThatClosedItsSideBehindMoreThanItCanAnswer() throws IOException {
        CompletableFuture<Void> gate = cache.gate("one");
        try (RawClient client = client()) {
            client.request("/one");
            client.send("GET /two HTTP/1.1\r\n\r\n".repeat(1_500)); // fits a small window
            client.shutdownOutput();

            assertThat(client.ended()).isTrue();
            assertThat(gate).isNotDone();
        }
        assertThat(cache.looks()).isLessThanOrEqualTo(4);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /abc HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello",
                "GET /abc HTTP/1.1\r\nHost: x\r\nContent-Length: 5000000\r\n\r\nhello",
                "GET /abc HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
                "GET /abc HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n",
                "GET /abc HTTP/1.1\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n"
            })
    void readsNoBodyAndTakesNothingAfterIt(String request) throws IOException {
        try (RawClient client = client()) {
            client.send(request + "GET /two HTTP/1.1\r\nHost: x\r\n\r\n");
            Response response = client.read(false);

            assertThat(response.status()).isIn(302, 400);
            assertThat(response.header("Connection")).isEqualTo("close");
            assertThat(client.ended()).isTrue();
        }
        assertThat(cache.looks()).isLessThanOrEqualTo(1);
    }

    @Test
    void letsAClientReadItsAnswerThatGoesOnSending() throws IOException {
        try (RawClient client = client()) {
            client.send(
                    "POST /abc HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n"
                            + "x".repeat(100_000));

            assertThat(client.read(false).status()).isEqualTo(405);
        }
    }

    @Test
    void closesAConnectionThatDoesNothing() throws IOException {
        restart(settings(100, LONG, Duration.ofMillis(150), LONG));
        try (RawClient client = client()) {
            assertThat(client.get("/abc").status()).isEqualTo(302);
            assertThat(client.ended()).isTrue();
        }
    }

    @Test
    void closesAConnectionWhoseRequestDoesNotEnd() throws IOException {
        restart(settings(100, Duration.ofMillis(300), LONG, LONG));
        try (RawClient client = client()) {
            assertThat(client.get("/abc").status()).isEqualTo(302);
            client.send("GET /abc HTTP/1.1\r\n");
            CompletableFuture<Void> drip =
                    CompletableFuture.runAsync(() -> dripHeaders(client), threads);

            assertThat(client.ended()).isTrue();
            assertThat(drip).failsWithin(Duration.ofSeconds(10)); // sends into a closed connection
        }
    }

    private static void dripHeaders(RawClient client) {
        Awaitility.await()
                .pollInterval(Duration.ofMillis(20))
                .atMost(Duration.ofSeconds(9))
                .until(
                        () -> {
                            client.send("X-Drip: 1\r\n");
                            return false;
                        });
    }

    @Test
    void asksToComeAgainWhenAnAnswerTakesTooLong() throws IOException {
        restart(settings(100, LONG, LONG, Duration.ofMillis(150)));
        CompletableFuture<Void> gate = cache.gate("one");
        try (RawClient client = client()) {
            client.request("/one");
            client.request("/two");

            Response late = client.read(false);
            assertThat(late.status()).isEqualTo(503);
            assertThat(late.header("Cache-Control")).isEqualTo("no-store");
            assertThat(late.header("Retry-After")).isEqualTo("1");
            assertThat(client.read(false).status()).isEqualTo(302);
            gate.complete(null);
            assertThat(client.get("/two").header("Location")).endsWith("/two");
        }
    }

    @Test
    void takesNoMoreConnectionsThanItMay() throws IOException {
        restart(settings(2, LONG, LONG, LONG));
        try (RawClient first = client();
                RawClient second = client()) {
            assertThat(first.get("/abc").status()).isEqualTo(302);
            assertThat(second.get("/abc").status()).isEqualTo(302);
            try (RawClient third = client()) {
                assertThat(third.ended()).isTrue();
            }
            assertThat(first.get("/abc").status()).isEqualTo(302);
        }
        Awaitility.await()
                .untilAsserted(
                        () -> {
                            try (RawClient next = client()) {
                                assertThat(next.get("/abc").status()).isEqualTo(302);
                            }
                        });
        assertThat(registry.get("headstone.listener.refused").counter().count()).isPositive();
    }

    // Start and stop.

    @Test
    void namesThePortThatIsInUse() {
        InetSocketAddress taken = listener.address();

        assertThatThrownBy(() -> listener(loops, ListenerSettings.on(taken)))
                .isInstanceOf(BindException.class)
                .hasMessage("port " + taken.getPort() + " on 127.0.0.1 is in use");
    }

    @Test
    void namesTheAddressThatCannotBeListenedOn() {
        InetSocketAddress elsewhere =
                new InetSocketAddress(InetAddress.ofLiteral("192.0.2.1"), 8080);

        assertThatThrownBy(() -> listener(loops, ListenerSettings.on(elsewhere)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("port 8080 on 192.0.2.1");
    }

    @Test
    void takesThePortAgainAfterAStop() throws IOException {
        InetSocketAddress address = listener.address();
        try (RawClient client = client()) {
            client.get("/abc");
            listener.close();
            listener = listener(loops, ListenerSettings.on(address));
        }
        try (RawClient client = client()) {
            assertThat(client.get("/abc").status()).isEqualTo(302);
        }
    }

    @Test
    void answersWhatIsInHandWhenItStops() throws IOException {
        CompletableFuture<Void> gate = cache.gate("one");
        try (RawClient busy = client();
                RawClient idle = client()) {
            assertThat(idle.get("/abc").status()).isEqualTo(302);
            busy.request("/one");
            Awaitility.await().until(() -> cache.looks() == 2);
            CompletableFuture<Void> stop = CompletableFuture.runAsync(listener::close, threads);

            assertThat(idle.ended()).isTrue();
            assertThat(stop).isNotDone();
            gate.complete(null);
            Response response = busy.read(false);
            assertThat(response.status()).isEqualTo(302);
            assertThat(response.header("Connection")).isEqualTo("close");
            assertThat(busy.ended()).isTrue();
            busy.shutdownOutput();
            assertThat(stop).succeedsWithin(Duration.ofSeconds(4));
        }
    }

    @Test
    void closesWhatIsInHandWhenTheTimeToDrainIsOver() throws IOException {
        restart(new ListenerSettings(ANY_PORT, 100, 4, LONG, LONG, LONG, Duration.ofMillis(100)));
        CompletableFuture<Void> gate = cache.gate("one");
        try (RawClient client = client()) {
            client.request("/one");
            Awaitility.await().until(() -> cache.looks() == 1);
            listener.close();

            assertThat(client.ended()).isTrue();
            assertThat(gate).isNotDone();
        }
    }

    @Test
    void givesEachLoopItsOwnSite() throws IOException {
        listener.close();
        Set<EventLoop> asked = ConcurrentHashMap.newKeySet();
        Set<String> threadsUsed = ConcurrentHashMap.newKeySet();
        listener =
                RedirectListener.start(
                        loops,
                        PATIENT,
                        loop -> {
                            asked.add(loop);
                            return new RedirectSite(
                                    service.lookingThrough(
                                            new ThreadNamingCache(cache, threadsUsed)));
                        },
                        CLOCK,
                        registry);
        for (int i = 0; i < 4; i++) {
            try (RawClient client = client()) {
                assertThat(client.get("/abc").status()).isEqualTo(302);
            }
        }

        assertThat(asked).containsExactlyInAnyOrderElementsOf(loops.all());
        assertThat(threadsUsed).hasSize(2).allMatch(name -> name.startsWith("headstone-loop"));
    }

    @Test
    void worksWithoutEpoll() throws IOException {
        EventLoops nio = EventLoops.nio(1);
        try (nio;
                RedirectListener other = listener(nio, PATIENT);
                RawClient client = new RawClient(other.address())) {
            assertThat(client.get("/abc").status()).isEqualTo(302);
            client.send("GET /abc HTTP/1.0\r\n\r\n");
            client.shutdownOutput();
            assertThat(client.read(false).status()).isEqualTo(302);
            assertThat(client.ended()).isTrue();
        }
    }

    private static ListenerSettings settings(
            int most, Duration head, Duration idle, Duration answer) {
        return new ListenerSettings(ANY_PORT, most, 4, head, idle, answer, Duration.ofSeconds(1));
    }
}
