package dev.headstone.standalone.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Visits as somebody outside sees them: exact where they are limited, counted where not. */
@Tag("slow")
final class VisitsTest {
    private static final int LIMIT = 1_000;
    private static final int CONNECTIONS = 64;

    @TempDir private Path folder;
    private ServeProcess serve;

    @BeforeEach
    void start() {
        serve = ServeProcess.start(folder.resolve("data"));
    }

    @AfterEach
    void stop() {
        serve.close();
    }

    /** Both kinds of link on one process, for starting one takes longer than all the rest. */
    @Test
    void aLimitIsKeptExactlyAndVisitsAreCountedAndTheNextStartKnowsThem() {
        limited("many");
        serve.create("counted", "https://example.com/");
        serve.create("unvisited", "https://example.com/");
        brief();
        Tally tally = new Tally();
        hit("many", tally);

        assertGiven(LIMIT, tally);
        assertExhausted("many");

        for (int visit = 0; visit < 7; visit++) {
            assertThat(serve.click("/counted").statusCode()).isEqualTo(302);
        }
        serve.click("/counted", "User-Agent", "Twitterbot/1.0");
        serve.click("/counted", "Sec-Purpose", "prefetch");
        Awaitility.await("the visits are written down, on a busy machine a minute later")
                .atMost(Duration.ofSeconds(90))
                .untilAsserted(
                        () -> assertThat(shown("counted").get("visits").asLong()).isEqualTo(7));
        assertThat(shown("counted").get("version").asLong()).isEqualTo(1);
        assertThat(shown("counted").get("last_visited_at").isNull()).isFalse();
        assertThat(stats("counted").get("visits").asLong()).isEqualTo(7);
        assertThat(serve.audit("counted")).hasSizeLessThanOrEqualTo(1);

        assertThat(serve.click("/brief").statusCode()).isEqualTo(404);
        serve.click("/counted");
        assertThat(serve.stop()).isZero(); // what was noted last is written down before the end
        start();

        assertThat(shown("counted").get("visits").asLong()).isEqualTo(8);
        for (String code : List.of("counted", "unvisited")) {
            Awaitility.await(code + " is warmed up in a Redis that began empty")
                    .atMost(Duration.ofSeconds(10))
                    .untilAsserted(
                            () ->
                                    assertThat(shown(code).at("/cache/state").asText())
                                            .isEqualTo("active"));
        }
        Awaitility.await("the code of an expired link is free once the table has purged it")
                .atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(500))
                .until(() -> create("brief", "") == 201);
        assertThat(shown("brief").get("visits").asLong()).isZero();
        assertThat(serve.click("/brief").statusCode()).isEqualTo(302);
    }

    /** A link that is visited once and ends before the limited one is used up. */
    private void brief() {
        Instant end = InstantSource.system().instant().plusSeconds(2);
        assertThat(create("brief", ",\"expires_at\":\"%s\"".formatted(end))).isEqualTo(201);
        assertThat(serve.click("/brief").statusCode()).isEqualTo(302);
        assertThat(create("brief", "")).isEqualTo(409);
        Awaitility.await("the link expires")
                .atMost(Duration.ofSeconds(10))
                .until(() -> serve.click("/brief").statusCode() == 404);
    }

    private int create(String code, String more) {
        String body =
                "{\"alias\":\"%s\",\"long_url\":\"https://example.com/\"%s}".formatted(code, more);
        return serve.control("POST", "/v1/links", body).statusCode();
    }

    @Test
    void aLimitIsKeptAcrossAKill() throws Exception {
        limited("some");
        Tally tally = new Tally();
        try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            clients.execute(() -> hit("some", tally));
            Awaitility.await()
                    .atMost(Duration.ofSeconds(30))
                    .pollInterval(Duration.ofMillis(2))
                    .until(() -> tally.redirected.get() > LIMIT / 3);
            serve.kill();
        }
        int before = tally.redirected.get();
        assertThat(before).isLessThan(LIMIT);
        serve.close();
        start();
        long claimed = shown("some").get("visits").asLong();
        assertThat(claimed).isGreaterThanOrEqualTo(before);
        assertThat(claimed - before) // those in flight, and those nobody knew of
                .isLessThanOrEqualTo(CONNECTIONS + tally.unknown.get());

        hit("some", tally);

        assertGiven(LIMIT - (int) (claimed - before), tally);
        assertExhausted("some");
    }

    /**
     * Exactly as many as there were to have. Where the machine is so busy that a claim took over a
     * second, its visitor was told to come again, and the visit may be used up all the same.
     */
    private static void assertGiven(int visits, Tally tally) {
        assertThat(tally.redirected.get()).isBetween(visits - tally.unknown.get(), visits);
        assertThat(tally.gone.get()).isGreaterThanOrEqualTo(CONNECTIONS);
        assertThat(tally.wrong.get()).isZero();
    }

    /** What the clients got; a connection that broke got nothing. */
    private static final class Tally {
        private final AtomicInteger redirected = new AtomicInteger();
        private final AtomicInteger gone = new AtomicInteger();
        private final AtomicInteger unknown = new AtomicInteger();
        private final AtomicInteger wrong = new AtomicInteger();
    }

    /** Each client clicks until it is told that the link is gone. */
    private void hit(String code, Tally tally) {
        ServeProcess target = serve;
        List<Thread> clients = new ArrayList<>();
        for (int client = 0; client < CONNECTIONS; client++) {
            clients.add(
                    Thread.startVirtualThread(
                            () -> {
                                while (click(target, code, tally)) {}
                            }));
        }
        clients.forEach(VisitsTest::join);
    }

    private static boolean click(ServeProcess target, String code, Tally tally) {
        try {
            int status = target.click("/" + code).statusCode();
            switch (status) {
                case 302 -> tally.redirected.incrementAndGet();
                case 404 -> tally.gone.incrementAndGet();
                case 503 -> tally.unknown.incrementAndGet();
                default -> tally.wrong.incrementAndGet();
            }
            return status != 404;
        } catch (UncheckedIOException killed) {
            return false;
        }
    }

    private static void join(Thread thread) {
        try {
            assertThat(thread.join(Duration.ofSeconds(60))).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    private void limited(String code) {
        String body =
                "{\"alias\":\"%s\",\"long_url\":\"https://example.com/\",\"visit_limit\":%d}"
                        .formatted(code, LIMIT);
        assertThat(serve.control("POST", "/v1/links", body).statusCode()).isEqualTo(201);
    }

    private void assertExhausted(String code) {
        JsonNode link = shown(code);
        assertThat(link.get("state").asText()).isEqualTo("exhausted");
        assertThat(link.get("visits").asLong()).isEqualTo(LIMIT);
        assertThat(link.get("version").asLong()).isEqualTo(2);
        // At once by whoever claimed the last visit; on a busy machine by the stream, a little
        // later.
        Awaitility.await()
                .atMost(Duration.ofSeconds(10))
                .until(() -> shown(code).at("/cache/state").asText().equals("deleted"));
        serve.assertSound(code);
        assertThat(serve.audit(code))
                .extracting(event -> event.get("type").asText())
                .containsExactly("link.created", "link.exhausted");
    }

    private JsonNode shown(String code) {
        return ServeProcess.parsed(serve.control("GET", "/v1/links/" + code, ""));
    }

    private JsonNode stats(String code) {
        return ServeProcess.parsed(serve.control("GET", "/v1/links/" + code + "/stats", ""));
    }
}
