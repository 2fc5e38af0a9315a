package dev.headstone.standalone.control;

import static dev.headstone.standalone.control.ControlDesk.OPERATOR;
import static dev.headstone.standalone.control.ControlDesk.READER;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.headstone.link.Link;
import dev.headstone.link.ShortCode;
import dev.headstone.table.ChangeOutcome;
import dev.headstone.table.CreateOutcome;
import dev.headstone.table.Idempotency;
import dev.headstone.table.IdempotencyRead;
import dev.headstone.table.LinkTable;
import dev.headstone.table.TableRead;
import dev.headstone.table.VisitClaim;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the control port does when there is too much, or when something takes too long. */
@Tag("slow")
final class ControlBoundsTest {
    /** A table that does not answer reads before it is told to. */
    private static final class Gate {
        private final CountDownLatch open = new CountDownLatch(1);
        private final CountDownLatch reached = new CountDownLatch(1);

        LinkTable before(LinkTable table) {
            return new LinkTable() {
                @Override
                public TableRead read(ShortCode code) {
                    reached.countDown();
                    try {
                        if (!open.await(20, TimeUnit.SECONDS)) {
                            throw new AssertionError("nobody opened the gate");
                        }
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                        return new TableRead.Failed(e);
                    }
                    return table.read(code);
                }

                @Override
                public CreateOutcome create(Link link, Optional<Idempotency> idempotency) {
                    throw new IllegalStateException("secret inside");
                }

                @Override
                public IdempotencyRead recall(String key) {
                    return table.recall(key);
                }

                @Override
                public ChangeOutcome change(Link before, Link after) {
                    return table.change(before, after);
                }

                @Override
                public VisitClaim claimVisit(Link link) {
                    return table.claimVisit(link);
                }

                @Override
                public ChangeOutcome exhaust(Link before, Link after) {
                    return table.exhaust(before, after);
                }
            };
        }
    }

    private final Gate gate = new Gate();

    @Test
    void anAnswerThatTakesTooLongIsUnavailable() throws Exception {
        try (ControlDesk desk = desk(usual -> with(usual, 8, Duration.ofMillis(200)))) {
            HttpResponse<String> response = desk.get(READER, "/v1/links/abc");

            assertThat(response.statusCode()).isEqualTo(503);
            assertThat(response.headers().firstValue("Retry-After")).contains("1");
            assertThat(response.body()).contains("takes too long");
        }
    }

    @Test
    void whatIsOverTheBoundIsToldToTryAgain() throws Exception {
        try (ControlDesk desk = desk(usual -> with(usual, 2, Duration.ofSeconds(20)));
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            desk.givenLive();
            List<Future<HttpResponse<String>>> running = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                running.add(threads.submit(() -> desk.get(READER, "/v1/links/abc")));
            }
            Awaitility.await()
                    .atMost(Duration.ofSeconds(10))
                    .until(() -> running.stream().filter(Future::isDone).count() == 2);
            for (Future<HttpResponse<String>> each : running) {
                if (each.isDone()) {
                    assertThat(each.get().statusCode()).isEqualTo(503);
                    assertThat(each.get().headers().firstValue("Retry-After")).contains("1");
                    assertThat(each.get().headers().firstValue("Content-Type"))
                            .contains("application/problem+json");
                }
            }

            gate.open.countDown();
            List<Integer> statuses = new ArrayList<>();
            for (Future<HttpResponse<String>> each : running) {
                statuses.add(each.get(10, TimeUnit.SECONDS).statusCode());
            }
            assertThat(statuses).containsExactlyInAnyOrder(200, 200, 503, 503);
            assertThat(desk.get(READER, "/v1/links/abc").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void aFaultOfOursTellsNothingOfTheInside() throws Exception {
        try (ControlDesk desk = desk(usual -> usual)) {
            HttpResponse<String> response =
                    desk.send(
                            OPERATOR, "POST", "/v1/links", "{\"long_url\": \"https://a.example\"}");

            assertThat(response.statusCode()).isEqualTo(500);
            assertThat(response.body()).doesNotContain("secret", "Exception");
            assertThat(response.headers().firstValue("Content-Type"))
                    .contains("application/problem+json");
        }
    }

    @Test
    void aBodyThatTricklesIsNotWaitedForForever() throws Exception {
        try (ControlDesk desk =
                desk(
                        usual ->
                                new ControlSettings(
                                        usual.bind(),
                                        0,
                                        8,
                                        8,
                                        Duration.ofMillis(300),
                                        usual.answerDeadline(),
                                        usual.verifyDeadline(),
                                        Duration.ofSeconds(1),
                                        Duration.ofSeconds(1)))) {
            String head =
                    "POST /v1/links HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer "
                            + OPERATOR
                            + "\r\nContent-Length: 1000\r\n\r\n";

            assertThat(RawClient.exchange(desk.listener.port(), head))
                    .startsWith("HTTP/1.1 408 ")
                    .containsIgnoringCase("connection: close");
            assertThat(trickle(desk.listener.port(), head)).startsWith("HTTP/1.1 408 ");
        }
    }

    /** Sends a byte now and then, as long as the other side listens. */
    private static String trickle(int port, String head) throws Exception {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(50);
            OutputStream out = socket.getOutputStream();
            out.write(head.getBytes(US_ASCII));
            AtomicReference<String> answer = new AtomicReference<>("");
            Awaitility.await()
                    .atMost(Duration.ofSeconds(10))
                    .pollInterval(Duration.ofMillis(50))
                    .until(
                            () -> {
                                byte[] buffer = new byte[1_000];
                                try {
                                    out.write(' ');
                                    int read = socket.getInputStream().read(buffer);
                                    answer.set(new String(buffer, 0, Math.max(0, read), US_ASCII));
                                    return true;
                                } catch (SocketTimeoutException _) {
                                    return false;
                                }
                            });
            return answer.get();
        }
    }

    @Test
    void aConnectionThatIsSilentIsClosed() throws Exception {
        try (ControlDesk desk =
                desk(
                        usual ->
                                new ControlSettings(
                                        usual.bind(),
                                        0,
                                        8,
                                        8,
                                        usual.bodyDeadline(),
                                        usual.answerDeadline(),
                                        usual.verifyDeadline(),
                                        Duration.ofMillis(300),
                                        usual.stopDeadline()))) {
            String head = "GET /healthz HTTP/1.1\r\nHost: x\r\n";

            assertThat(RawClient.exchange(desk.listener.port(), "")).isEmpty();
            assertThat(RawClient.exchange(desk.listener.port(), "GET /hea")).isEmpty();
            assertThat(RawClient.exchange(desk.listener.port(), head)).isEmpty();
            assertThat(RawClient.exchange(desk.listener.port(), head + "\r\n"))
                    .startsWith("HTTP/1.1 200 ");
        }
    }

    @Test
    void aRequestInFlightIsAnsweredWhenTheListenerStops() throws Exception {
        try (ControlDesk desk = desk(usual -> usual);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            desk.givenLive();
            Future<HttpResponse<String>> running =
                    threads.submit(() -> desk.get(READER, "/v1/links/abc"));
            assertThat(gate.reached.await(10, TimeUnit.SECONDS)).isTrue();

            Future<?> stopping = threads.submit(desk.listener::close);
            Awaitility.await()
                    .atMost(Duration.ofSeconds(10))
                    .until(() -> !accepts(desk.listener.port()));
            gate.open.countDown();

            assertThat(running.get(10, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
            stopping.get(10, TimeUnit.SECONDS);
        }
    }

    private static boolean accepts(int port) {
        try (Socket _ = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return true;
        } catch (IOException _) {
            return false;
        }
    }

    @Test
    void aPortInUseIsNamed() throws Exception {
        try (ControlDesk desk = new ControlDesk()) {
            int port = desk.listener.port();

            assertThatIOException()
                    .isThrownBy(
                            () ->
                                    new ControlDesk(
                                            table -> table,
                                            List.of(),
                                            _ -> ControlSettings.on("127.0.0.1", port)))
                    .withMessage("cannot listen on 127.0.0.1:" + port);
        }
    }

    @Test
    void readinessIsToldByPart() throws Exception {
        AtomicReference<Optional<String>> cacheFault = new AtomicReference<>(Optional.empty());
        List<Part> parts =
                List.of(new Part("table", Optional::empty), new Part("cache", cacheFault::get));
        try (ControlDesk desk = new ControlDesk(table -> table, parts, settings -> settings)) {
            assertThat(desk.get("", "/readyz").body())
                    .isEqualTo(
                            "{\"ready\":true,\"parts\":{\"table\":{\"ready\":true},"
                                    + "\"cache\":{\"ready\":true}}}");

            cacheFault.set(Optional.of("not connected"));
            HttpResponse<String> response = desk.get("", "/readyz");
            assertThat(response.statusCode()).isEqualTo(503);
            assertThat(response.body())
                    .isEqualTo(
                            "{\"ready\":false,\"parts\":{\"table\":{\"ready\":true},"
                                    + "\"cache\":{\"ready\":false,\"why\":\"not connected\"}}}");
            assertThat(desk.get("", "/healthz").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void aPartThatCannotTellIsNotReady() throws Exception {
        Part broken =
                new Part(
                        "queue",
                        () -> {
                            throw new IllegalStateException("secret");
                        });
        try (ControlDesk desk =
                new ControlDesk(table -> table, List.of(broken), settings -> settings)) {
            assertThat(desk.get("", "/readyz").statusCode()).isEqualTo(503);
            assertThat(desk.get("", "/readyz").body()).doesNotContain("secret");
        }
    }

    @Test
    void settingsThatCannotBeAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ControlSettings.on("127.0.0.1", 70_000))
                .withMessageContaining("port");
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> with(ControlSettings.on("127.0.0.1", 0), 0, Duration.ofSeconds(1)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> with(ControlSettings.on("127.0.0.1", 0), 1, Duration.ZERO));
    }

    private ControlDesk desk(UnaryOperator<ControlSettings> bounds) throws IOException {
        return new ControlDesk(gate::before, List.of(), bounds);
    }

    private static ControlSettings with(
            ControlSettings usual, int maxRequests, Duration answerDeadline) {
        return new ControlSettings(
                usual.bind(),
                usual.port(),
                usual.maxConnections(),
                maxRequests,
                usual.bodyDeadline(),
                answerDeadline,
                usual.verifyDeadline(),
                usual.idleTimeout(),
                usual.stopDeadline());
    }
}
