package dev.headstone.standalone.control;

import static dev.headstone.standalone.control.ControlDesk.CODE;
import static dev.headstone.standalone.control.ControlDesk.OPERATOR;
import static dev.headstone.standalone.control.ControlDesk.OWNER;
import static dev.headstone.standalone.control.ControlDesk.READER;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.headstone.audit.AuditEvent;
import dev.headstone.audit.AuditEventJson;
import dev.headstone.audit.AuditOutcome;
import dev.headstone.auditlog.ReceivedEvent;
import dev.headstone.cache.CacheRecord;
import dev.headstone.cache.CacheRun;
import dev.headstone.stream.SweepOutcome;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What goes over the wire. */
final class ControlListenerTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String REASON = "{\"reason\": \"phishing\"}";
    private static final String LINK = "{\"long_url\": \"https://a.example/\"}";
    private static final String AUTHORIZED =
            " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + OPERATOR + "\r\n";

    private final ControlDesk desk;

    ControlListenerTest() throws Exception {
        desk = new ControlDesk();
    }

    @AfterEach
    void stop() {
        desk.close();
    }

    @Test
    void operatorsSweepByHandAndHearWhatBecameOfIt() throws Exception {
        assertThat(desk.send(OWNER, "POST", "/v1/sweep", "").statusCode()).isEqualTo(403);
        assertThat(desk.get(OPERATOR, "/v1/sweep").statusCode()).isEqualTo(405);
        HttpResponse<String> unfinished = desk.send(OPERATOR, "POST", "/v1/sweep", "");
        assertThat(unfinished.statusCode()).isEqualTo(503);
        assertThat(json(unfinished).path("outcome").asText()).isEqualTo("unfinished");

        desk.sweep = new SweepOutcome.Swept(new CacheRun("run-1"), 7, Duration.ofMillis(250));
        HttpResponse<String> swept = desk.send(OPERATOR, "POST", "/v1/sweep", "");
        assertThat(swept.statusCode()).isEqualTo(200);
        assertThat(json(swept).path("settled").asLong()).isEqualTo(7);
        assertThat(json(swept).path("seconds").asDouble()).isEqualTo(0.25);
    }

    @Test
    void aLinkIsCreatedShownTakenDownAndRestored() throws Exception {
        HttpResponse<String> created = desk.send(OWNER, "POST", "/v1/links", LINK);
        assertThat(created.statusCode()).isEqualTo(201);
        String path = created.headers().firstValue("Location").orElseThrow();
        assertThat(json(created).path("owner").asText()).isEqualTo("olga");

        HttpResponse<String> shown = desk.get(READER, path);
        assertThat(shown.statusCode()).isEqualTo(200);
        assertThat(json(shown).path("cache").path("state").asText()).isEqualTo("active");

        HttpResponse<String> receipt = desk.send(OPERATOR, "POST", path + "/takedown", REASON);
        assertThat(receipt.statusCode()).isEqualTo(200);
        assertThat(json(receipt).path("version").asLong()).isEqualTo(2);
        assertThat(json(desk.get(READER, path)).has("long_url")).isFalse();
        assertThat(json(desk.get(READER, path)).path("state").asText()).isEqualTo("taken_down");

        HttpResponse<String> restored = desk.send(OPERATOR, "POST", path + "/restore", REASON);
        assertThat(json(restored).path("state").asText()).isEqualTo("active");
        HttpResponse<String> patched =
                desk.send(OWNER, "PATCH", path, "{\"state\": \"deactivated\"}");
        assertThat(json(patched).path("state").asText()).isEqualTo("deactivated");
        HttpResponse<String> confirmed = desk.send(OPERATOR, "POST", path + "/confirm", "");
        assertThat(json(confirmed).path("version").asLong()).isEqualTo(4);
        assertThat(desk.queue.events())
                .extracting(AuditEvent::outcome)
                .hasSize(4)
                .containsOnly(AuditOutcome.SUCCESS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/healthz", "/readyz", "/metrics"})
    void someThingsAreOpenToAll(String path) throws Exception {
        assertThat(desk.get("", path).statusCode()).isEqualTo(200);
        assertThat(desk.get("no-token-of-ours", path).statusCode()).isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /v1/links/abc",
        "PATCH, /v1/links/abc",
        "POST, /v1/links/abc/takedown",
        "POST, /v1/links",
        "GET, /v1/audit",
        "GET, /v1/audit/verify",
        "GET, /v1/nothing",
        "GET, /v1"
    })
    void theRestWantsAToken(String method, String path) throws Exception {
        desk.givenLive();

        HttpResponse<String> without = desk.send("", method, path, "");
        assertThat(without.statusCode()).isEqualTo(401);
        assertProblem(without);
        assertThat(without.headers().firstValue("WWW-Authenticate"))
                .contains("Bearer realm=\"headstone\"");

        HttpResponse<String> wrong = desk.send("wrong", method, path, "");
        assertThat(wrong.statusCode()).isEqualTo(401);
        assertThat(wrong.headers().firstValue("WWW-Authenticate"))
                .contains("Bearer realm=\"headstone\", error=\"invalid_token\"");
        assertThat(wrong.body()).doesNotContain("wrong");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Basic b3BlcmF0b3I6eA==",
                "operator-token",
                "Bearer",
                "Bearer ",
                "Bearer operator-token x",
                "Bearer operator-token, Bearer operator-token"
            })
    void whatIsNoBearerTokenIsNone(String authorization) throws Exception {
        HttpResponse<String> response =
                desk.send(desk.request("/v1/audit").header("Authorization", authorization));

        assertThat(response.statusCode()).isEqualTo(401);
    }

    @Test
    void theSchemeMayBeInAnyCase() throws Exception {
        assertThat(
                        desk.send(
                                        desk.request("/v1/audit")
                                                .header("Authorization", "bearer " + READER))
                                .statusCode())
                .isEqualTo(200);
    }

    @ParameterizedTest(name = "{0} {1}: reader {3}, owner {4}, operator {5}")
    @CsvSource(
            delimiter = '|',
            value = {
                "GET   | /v1/links/abc          |                                      | 200 | 200 | 200",
                "HEAD  | /v1/links/abc          |                                      | 200 | 200 | 200",
                "GET   | /v1/audit              |                                      | 200 | 200 | 200",
                "GET   | /v1/audit/verify       |                                      | 200 | 200 | 200",
                "POST  | /v1/links              | {\"long_url\": \"https://a.example\"} | 403 | 201 | 201",
                "PATCH | /v1/links/abc          | {\"tags\": [\"a\"]}                   | 403 | 403 | 200",
                "POST  | /v1/links/abc/takedown | {\"reason\": \"r\"}                   | 403 | 403 | 200",
                "POST  | /v1/links/abc/confirm  |                                      | 403 | 403 | 409",
                "POST  | /v1/links/abc/restore  | {\"reason\": \"r\"}                   | 403 | 403 | 409",
            })
    void eachRoleMayWhatItMay(
            String method, String path, @Nullable String body, int reader, int owner, int operator)
            throws Exception {
        desk.givenLive();
        String sent = Optional.ofNullable(body).orElse("");

        assertThat(desk.send(READER, method, path, sent).statusCode()).isEqualTo(reader);
        assertThat(desk.send(OWNER, method, path, sent).statusCode()).isEqualTo(owner);
        assertThat(desk.send(OPERATOR, method, path, sent).statusCode()).isEqualTo(operator);
    }

    @ParameterizedTest(name = "{0} {1} with {2} is {3}")
    @CsvSource(
            delimiter = '|',
            value = {
                "GET    | /                                  |                    | 404 |",
                "GET    | /nothing                           |                    | 404 |",
                "GET    | /healthz/                          |                    | 404 |",
                "GET    | //healthz                          |                    | 404 |",
                "GET    | /v1/nothing                        |                    | 404 |",
                "GET    | /v1/takedowns                      |                    | 404 |",
                "GET    | /v1/links/unknown                  |                    | 404 |",
                "GET    | /v1/links/%41bc                    |                    | 404 |",
                "GET    | /v1/links/a%2Fb                    |                    | 404 |",
                "GET    | /v1/links/abc/                     |                    | 404 |",
                "GET    | /v1/links                          |                    | 405 |",
                "DELETE | /v1/links/abc                      |                    | 405 |",
                "OPTIONS| /v1/links/abc                      |                    | 405 |",
                "POST   | /healthz                           |                    | 405 |",
                "POST   | /metrics                           |                    | 405 |",
                "PUT    | /v1/audit                          |                    | 405 |",
                "POST   | /v1/links                          | rubbish            | 400 |",
                "POST   | /v1/links                          | {} {}              | 400 |",
                "POST   | /v1/links                          | {\"a\": 1}         | 422 | a",
                "POST   | /v1/links/abc/takedown             | {\"reason\": \"\"} | 422 | reason",
                "POST   | /v1/links/abc/takedown             |                    | 400 |",
                "PATCH  | /v1/links/abc                      | {\"state\": \"x\"} | 422 | state",
                "GET    | /v1/audit?code=%25                 |                    | 422 | code",
                "GET    | /v1/audit?since=yesterday          |                    | 422 | since",
                "GET    | /v1/audit?limit=0                  |                    | 422 | limit",
                "GET    | /v1/audit?cursor=x                 |                    | 422 | cursor",
                "GET    | /v1/audit?code=abc&code=abd        |                    | 422 | code",
                "GET    | /v1/audit?kode=abc                 |                    | 422 | query",
                "GET    | /v1/audit/verify?since=2026        |                    | 422 | query",
                "GET    | /v1/audit/verify?code=a            |                    | 422 | code",
            })
    void whatIsAtFaultIsNamed(
            String method, String path, @Nullable String body, int status, @Nullable String field)
            throws Exception {
        desk.givenLive();

        HttpResponse<String> response =
                desk.send(OPERATOR, method, path, Optional.ofNullable(body).orElse(""));

        assertThat(response.statusCode()).isEqualTo(status);
        assertProblem(response);
        assertThat(json(response).path("field").asText(null)).isEqualTo(field);
        if (status == 405) {
            assertThat(response.headers().firstValue("Allow")).isPresent();
        }
    }

    private static Stream<Map.Entry<String, Integer>> malformed() {
        String end = "Connection: close\r\n\r\n";
        String chunked = "Transfer-Encoding: chunked\r\n\r\n";
        String chunk = "1000\r\n" + " ".repeat(4_096) + "\r\n";
        return Stream.of(
                Map.entry("rubbish\r\n\r\n", 400),
                Map.entry("GET /healthz HTTP/9.9\r\nHost: x\r\n\r\n", 400),
                Map.entry("GET /healthz HTTP/1.0\r\nHost: x\r\n\r\n", 505),
                Map.entry("GET /%zz" + AUTHORIZED + end, 400),
                Map.entry("GET /v1/links/%" + AUTHORIZED + end, 400),
                Map.entry("GET /v1/audit?code=%zz" + AUTHORIZED + end, 400),
                Map.entry("GET /v1/links/\u00e4bc" + AUTHORIZED + end, 404),
                Map.entry("GET /v1/links/abc;x=1" + AUTHORIZED + end, 404),
                Map.entry("GET http://x/v1/links/unknown" + AUTHORIZED + end, 404),
                Map.entry("SPY /v1/links/abc" + AUTHORIZED + end, 405),
                Map.entry("GET /healthz HTTP/1.1\r\n\r\n", 400),
                Map.entry("GET /" + "a".repeat(10_000) + AUTHORIZED + end, 414),
                Map.entry("GET /healthz" + AUTHORIZED + "X: " + "a".repeat(20_000) + end, 400),
                Map.entry("GET /healthz" + AUTHORIZED + "no colon\r\n\r\n", 400),
                Map.entry(post("Content-Length: -1\r\n\r\n"), 400),
                Map.entry(post("Content-Length: many\r\n\r\n"), 400),
                Map.entry(post("Content-Length: 99999999999\r\n\r\n"), 413),
                Map.entry(post("Content-Length: 65537\r\n\r\n" + " ".repeat(65_537)), 413),
                Map.entry(post("Content-Length: 99999999\r\nExpect: 100-continue\r\n\r\n"), 413),
                Map.entry(post(chunked + "zz\r\n"), 400),
                Map.entry(post(chunked + chunk.repeat(17) + "0\r\n\r\n"), 413),
                Map.entry(post(chunked + chunk.repeat(500)), 413),
                Map.entry(post("Content-Length: 5\r\n" + chunked + "0\r\n\r\n"), 400),
                Map.entry(post("Content-Length: 2\r\nContent-Length: 3\r\n\r\n{} "), 400),
                Map.entry(post("Content-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}"), 400));
    }

    private static String post(String rest) {
        return "POST /v1/links" + AUTHORIZED + rest;
    }

    @Test
    void aConnectionIsKeptAndClosedAsTheClientWishes() throws Exception {
        String kept = "GET /healthz" + AUTHORIZED + "\r\n";
        String last = "GET /healthz" + AUTHORIZED + "Connection: close\r\n\r\n";

        assertThat(desk.raw(kept + kept + last).split("HTTP/1.1 200", -1)).hasSize(4);
    }

    @Test
    void theRestOfABodyIsNeverTakenForARequest() throws Exception {
        String inside = "GET /healthz" + AUTHORIZED + "Connection: close\r\n\r\n";

        String answer = desk.raw(post("Content-Length: 70000\r\n\r\n" + inside.repeat(800)));

        assertThat(answer).startsWith("HTTP/1.1 413 ").doesNotContain("HTTP/1.1 200");
    }

    @ParameterizedTest
    @MethodSource("malformed")
    void aRequestThatIsNoneIsAnsweredWithAProblem(Map.Entry<String, Integer> request)
            throws Exception {
        String answer = desk.raw(request.getKey());

        assertThat(answer)
                .as(abbreviated(request.getKey()))
                .startsWith("HTTP/1.1 " + request.getValue() + " ")
                .containsIgnoringCase("content-type: application/problem+json")
                .contains("\"status\":" + request.getValue())
                .doesNotContain("Exception", "\tat ");
        assertThat(desk.get("", "/healthz").statusCode()).isEqualTo(200);
    }

    private static String abbreviated(String request) {
        return request.substring(0, Math.min(160, request.length()));
    }

    @Test
    void aBodyOfTheLargestSizeIsRead() throws Exception {
        String body = LINK + " ".repeat(65_536 - LINK.length());

        assertThat(desk.send(OPERATOR, "POST", "/v1/links", body).statusCode()).isEqualTo(201);
        assertThat(
                        desk.send(
                                        desk.request("/v1/links")
                                                .header("Authorization", "Bearer " + OPERATOR)
                                                .POST(
                                                        BodyPublishers.ofInputStream(
                                                                () -> stream(body))))
                                .statusCode())
                .isEqualTo(201);
        assertThat(desk.send(OPERATOR, "POST", "/v1/links", body + " ").statusCode())
                .isEqualTo(413);
    }

    private static InputStream stream(String text) {
        return new ByteArrayInputStream(text.getBytes(UTF_8));
    }

    @Test
    void aBodyOfAnotherTypeIsNotRead() throws Exception {
        HttpResponse<String> response =
                desk.send(
                        desk.request("/v1/links")
                                .header("Authorization", "Bearer " + OPERATOR)
                                .header("Content-Type", "text/xml")
                                .POST(BodyPublishers.ofString(LINK)));

        assertThat(response.statusCode()).isEqualTo(415);
        assertProblem(response);
    }

    @Test
    void anIdempotencyKeyComesInItsHeader() throws Exception {
        List<String> answers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            answers.add(
                    desk.send(
                                    desk.request("/v1/links")
                                            .header("Authorization", "Bearer " + OPERATOR)
                                            .header("Idempotency-Key", "k-1")
                                            .POST(BodyPublishers.ofString(LINK)))
                            .body());
        }

        assertThat(answers).containsOnly(answers.getFirst());
    }

    @Test
    void headIsAnsweredAsGetWithoutABody() throws Exception {
        desk.givenLive();

        for (String path : List.of("/v1/links/abc", "/healthz", "/v1/audit")) {
            HttpResponse<String> head = desk.send(READER, "HEAD", path, "");
            assertThat(head.statusCode()).isEqualTo(200);
            assertThat(head.body()).isEmpty();
            assertThat(head.headers().firstValue("Content-Type")).contains("application/json");
        }
        assertThat(desk.raw("HEAD /v1/links/abc" + AUTHORIZED + "Connection: close\r\n\r\n"))
                .endsWith("\r\n\r\n");
    }

    @Test
    void everyAnswerCarriesWhatKeepsItSafe() throws Exception {
        desk.givenLive();
        for (HttpResponse<String> response :
                List.of(
                        desk.get(READER, "/v1/links/abc"),
                        desk.get("", "/v1/links/abc"),
                        desk.get("", "/metrics"),
                        desk.get("", "/nothing"))) {
            assertThat(response.headers().firstValue("Cache-Control")).contains("no-store");
            assertThat(response.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
            assertThat(response.headers().firstValue("Content-Security-Policy"))
                    .hasValueSatisfying(
                            policy -> assertThat(policy).contains("default-src 'none'"));
            assertThat(response.headers().firstValue("Server")).isEmpty();
        }
    }

    @Test
    void theAuditLogIsReadInPages() throws Exception {
        desk.givenLive();
        desk.send(OPERATOR, "POST", "/v1/links/abc/takedown", REASON);
        desk.send(OPERATOR, "POST", "/v1/links/abc/restore", REASON);
        for (AuditEvent event : desk.queue.eventsOf(CODE)) {
            desk.auditLog.append(ReceivedEvent.read(AuditEventJson.encode(event)));
        }

        JsonNode first = json(desk.get(READER, "/v1/audit?code=abc&limit=1"));
        assertThat(first.path("events")).hasSize(1);
        assertThat(first.path("events").path(0).path("type").asText()).isEqualTo("link.taken_down");
        JsonNode second =
                json(
                        desk.get(
                                READER,
                                "/v1/audit?code=abc&limit=1&cursor="
                                        + first.path("cursor").asText()));
        assertThat(second.path("events").path(0).path("type").asText()).isEqualTo("link.restored");
        assertThat(second.has("cursor")).isFalse();
        assertThat(
                        json(desk.get(READER, "/v1/audit?since=2020-01-01T00:00:00+02:00"))
                                .path("events"))
                .hasSize(2);
        assertThat(json(desk.get(READER, "/v1/audit/verify?code=abc")))
                .isEqualTo(JSON.readTree("{\"ok\":true,\"links\":1,\"events\":2,\"faults\":[]}"));
    }

    @Test
    void anAuditLogThatIsDownIsUnavailable() throws Exception {
        desk.auditLog.unreachable();

        for (String path : List.of("/v1/audit", "/v1/audit/verify")) {
            HttpResponse<String> response = desk.get(READER, path);
            assertThat(response.statusCode()).isEqualTo(503);
            assertProblem(response);
            assertThat(response.headers().firstValue("Retry-After")).contains("1");
        }
    }

    @Test
    void allFiguresOfTheWriterAreThereFromTheStart() throws Exception {
        HttpResponse<String> response = desk.get("", "/metrics");

        assertThat(response.headers().firstValue("Content-Type"))
                .contains("text/plain; version=0.0.4; charset=utf-8");
        assertThat(response.body().lines())
                .contains(
                        "headstone_takedown_seconds_count{outcome=\"confirmed\"} 0",
                        "headstone_takedown_seconds_count{outcome=\"invalidate_failed\"} 0",
                        "headstone_tombstones_total{result=\"confirmed\",source=\"takedown\"} 0.0",
                        "headstone_primings_total{result=\"primed\"} 0.0");
    }

    @Test
    void whatFailedIsSaidInEveryAnswerOfATakedown() throws Exception {
        desk.givenLive();
        desk.cache.unreachable(true);

        HttpResponse<String> failed = desk.send(OPERATOR, "POST", "/v1/links/abc/takedown", REASON);

        assertThat(failed.statusCode()).isEqualTo(503);
        assertThat(failed.headers().firstValue("Retry-After")).contains("1");
        assertThat(json(failed).path("outcome").asText()).isEqualTo("invalidate_failed");
        desk.cache.unreachable(false);
        assertThat(desk.send(OPERATOR, "POST", "/v1/links/abc/takedown", REASON).statusCode())
                .isEqualTo(200);
        assertThat(desk.cache.record(CODE)).get().isInstanceOf(CacheRecord.Tombstone.class);
    }

    private static void assertProblem(HttpResponse<String> response) {
        assertThat(response.headers().firstValue("Content-Type"))
                .contains("application/problem+json");
        JsonNode problem = json(response);
        assertThat(problem.path("status").asInt()).isEqualTo(response.statusCode());
        assertThat(problem.path("title").asText()).isNotEmpty();
        assertThat(problem.path("detail").asText()).isNotEmpty();
        assertThat(response.body()).doesNotContain("Exception", "\tat ");
    }

    private static JsonNode json(HttpResponse<String> response) {
        try {
            return JSON.readTree(response.body());
        } catch (JsonProcessingException e) {
            throw new AssertionError("no JSON: " + response.body(), e);
        }
    }
}
