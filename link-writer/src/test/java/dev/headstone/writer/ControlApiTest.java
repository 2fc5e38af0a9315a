package dev.headstone.writer;

import static dev.headstone.writer.Workshop.ALICE;
import static dev.headstone.writer.Workshop.BOB;
import static dev.headstone.writer.Workshop.CODE;
import static dev.headstone.writer.Workshop.NOW;
import static dev.headstone.writer.Workshop.OLGA;
import static dev.headstone.writer.Workshop.OSCAR;
import static dev.headstone.writer.Workshop.RITA;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.headstone.audit.AuditOutcome;
import dev.headstone.cache.CacheRecord;
import dev.headstone.link.Cause;
import dev.headstone.link.Link;
import dev.headstone.link.ShortCode;
import dev.headstone.table.Links;
import dev.headstone.table.Visits;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ControlApiTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String REASON = "{\"reason\": \"phishing\"}";

    private final Workshop workshop = new Workshop();

    @Test
    void aCreateAnswersTheLinkAndWhereItIs() {
        ControlResponse response =
                send(ALICE, "POST", "/v1/links", "{\"long_url\": \"https://a.example/x\"}");

        assertThat(response.status()).isEqualTo(201);
        JsonNode link = json(response);
        String code = link.path("short_code").asText();
        assertThat(response.headers()).containsEntry("Location", "/v1/links/" + code);
        assertThat(link.path("short_url").asText()).isEqualTo("https://sho.rt/" + code);
        assertThat(link.path("long_url").asText()).isEqualTo("https://a.example/x");
        assertThat(link.path("state").asText()).isEqualTo("active");
        assertThat(link.path("created_at").asText()).isEqualTo("2026-11-18T12:06:40.123Z");
    }

    @Test
    void aLinkIsShownWithAllItsFieldsAndWhatTheCacheHolds() {
        workshop.givenLive();

        JsonNode link = json(send(RITA, "GET", "/v1/links/abc", ""));

        assertThat(fields(link))
                .containsExactly(
                        "short_code",
                        "short_url",
                        "long_url",
                        "state",
                        "version",
                        "created_at",
                        "expires_at",
                        "deleted_at",
                        "changed_at",
                        "changed_by",
                        "change_reason",
                        "visits",
                        "last_visited_at",
                        "visit_limit",
                        "owner",
                        "tags",
                        "cache");
        assertThat(fields(link.path("cache")))
                .containsExactly("state", "stamp", "fresh_until", "stale_until");
        assertThat(link.path("cache").path("state").asText()).isEqualTo("active");
        assertThat(link.path("cache").path("stamp").asText())
                .isEqualTo(workshop.stored().stamp().text());
        assertThat(link.path("cache").path("fresh_until").asText())
                .isEqualTo("2026-11-19T12:06:40.123Z");
        assertThat(link.path("cache").path("stale_until").asText())
                .isEqualTo("2026-11-19T12:21:40.123Z");
    }

    @Test
    void aLinkIsShownWithItsVisits() {
        Link link = workshop.givenLive();
        assertThat(shown("visits").asLong()).isZero();
        assertThat(shown("last_visited_at").isNull()).isTrue();

        visited(link, 3, NOW);
        visited(link, 2, NOW.minus(Duration.ofDays(40)));
        visited(Links.createdAt(CODE, NOW), 99, NOW); // another incarnation of the code

        assertThat(shown("visits").asLong()).isEqualTo(5);
        assertThat(shown("last_visited_at").asText()).isEqualTo("2026-11-18T12:06:40.123Z");

        workshop.visits.failing(true);
        assertThat(shown("visits").isNull()).isTrue();
        assertThat(shown("last_visited_at").isNull()).isTrue();
    }

    @Test
    void theVisitsOfALimitedLinkAreThoseThatWereClaimed() {
        Link limited = Links.limited(CODE, 10).withVisits(4);
        workshop.table.put(limited);
        visited(limited, 3, NOW);

        assertThat(shown("visits").asLong()).isEqualTo(4);
        assertThat(shown("last_visited_at").asText()).isEqualTo("2026-11-18T12:06:40.123Z");

        workshop.visits.failing(true);
        assertThat(shown("visits").asLong()).isEqualTo(4);
    }

    @Test
    void theStatsOfALinkAreItsVisitsByDay() {
        Link link = workshop.givenLive();
        visited(link, 3, NOW);
        visited(link, 2, NOW.minus(Duration.ofDays(40)));

        ControlResponse response = send(RITA, "GET", "/v1/links/abc/stats", "");

        assertThat(response.status()).isEqualTo(200);
        assertThat(response.body())
                .isEqualTo(
                        "{\"short_code\":\"abc\",\"visits\":5,"
                                + "\"last_visited_at\":\"2026-11-18T12:06:40.123Z\",\"days\":["
                                + "{\"day\":\"2026-10-09\",\"visits\":2},"
                                + "{\"day\":\"2026-11-18\",\"visits\":3}]}");
    }

    @Test
    void theStatsOfALinkThatNobodyVisitedAreEmpty() {
        workshop.givenLive();

        assertThat(json(send(RITA, "GET", "/v1/links/abc/stats", "")).path("days").isEmpty())
                .isTrue();
        assertThat(send(RITA, "GET", "/v1/links/nobody/stats", "").status()).isEqualTo(404);
    }

    @Test
    void statsThatCannotBeReadAreUnavailable() {
        workshop.givenLive();
        workshop.visits.failing(true);

        assertThat(send(RITA, "GET", "/v1/links/abc/stats", "").status()).isEqualTo(503);
    }

    private JsonNode shown(String field) {
        return json(send(RITA, "GET", "/v1/links/abc", "")).path(field);
    }

    private void visited(Link link, long count, Instant last) {
        workshop.visits.add(
                UUID.randomUUID().toString(),
                List.of(
                        new Visits(
                                link.code(),
                                link.epoch(),
                                Visits.dayOf(last),
                                count,
                                last,
                                Optional.empty())));
    }

    @Test
    void whatTheCacheHoldsHasAWordForEachCase() {
        workshop.givenLive();
        workshop.cache.evict(CODE);
        assertThat(cacheState()).isEqualTo("absent");

        workshop.cache.put(CODE, "rubbish".getBytes(UTF_8));
        assertThat(cacheState()).isEqualTo("unreadable");

        Link dead = workshop.givenDead(Cause.TAKEDOWN, "alice");
        workshop.cache.put(CODE, CacheRecord.of(dead, NOW, NOW));
        assertThat(cacheState()).isEqualTo("deleted");

        workshop.cache.unreachable(true);
        assertThat(cacheState()).isEqualTo("unavailable");
    }

    private String cacheState() {
        return json(send(ALICE, "GET", "/v1/links/abc", "")).path("cache").path("state").asText();
    }

    @Test
    void aLinkHasOneOfFiveStates() {
        workshop.table.put(Links.plain(CODE));
        assertThat(state()).isEqualTo("active");
        workshop.table.put(Links.expiring(CODE, NOW));
        assertThat(state()).isEqualTo("expired");
        workshop.givenDead(Cause.DEACTIVATED, "olga");
        assertThat(state()).isEqualTo("deactivated");
        workshop.givenDead(Cause.TAKEDOWN, "alice");
        assertThat(state()).isEqualTo("taken_down");
        workshop.givenDead(Cause.EXHAUSTED, "redirect");
        assertThat(state()).isEqualTo("exhausted");
    }

    private String state() {
        return json(send(ALICE, "GET", "/v1/links/abc", "")).path("state").asText();
    }

    @Test
    void onlyOperatorsAndItsOwnerSeeWhereADeadLinkLed() {
        workshop.givenDead(Cause.TAKEDOWN, "alice");

        assertThat(json(send(ALICE, "GET", "/v1/links/abc", "")).has("long_url")).isTrue();
        assertThat(json(send(OLGA, "GET", "/v1/links/abc", "")).has("long_url")).isTrue();
        for (Caller other : List.of(OSCAR, RITA)) {
            ControlResponse response = send(other, "GET", "/v1/links/abc", "");
            assertThat(json(response).has("long_url")).isFalse();
            assertThat(response.body()).doesNotContain("example.com");
        }
    }

    @Test
    void aReceiptHasAllItsFields() {
        workshop.givenLive();

        ControlResponse response = send(ALICE, "POST", "/v1/links/abc/takedown", REASON);

        assertThat(response.status()).isEqualTo(200);
        JsonNode receipt = json(response);
        assertThat(fields(receipt))
                .containsExactly(
                        "short_code",
                        "outcome",
                        "state",
                        "version",
                        "at",
                        "confirmed_at",
                        "edge_clear_at",
                        "event_id");
        assertThat(receipt.path("outcome").asText()).isEqualTo("confirmed");
        assertThat(receipt.path("state").asText()).isEqualTo("taken_down");
        assertThat(receipt.path("edge_clear_at").asText()).isEqualTo("2026-11-18T12:06:46.123Z");
    }

    @Test
    void aTakedownByAnotherSaysWhoDidIt() {
        workshop.givenDead(Cause.TAKEDOWN, "alice");

        ControlResponse response = send(BOB, "POST", "/v1/links/abc/takedown", REASON);

        assertThat(response.status()).isEqualTo(409);
        assertThat(json(response).path("outcome").asText()).isEqualTo("refused");
        assertThat(json(response).path("changed_by").asText()).isEqualTo("alice");
    }

    @Test
    void whatFailedIsNamedAndWorthARetry() {
        workshop.givenLive();
        workshop.cache.unreachable(true);
        assertUnavailable("invalidate_failed");

        workshop.cache.unreachable(false);
        workshop.queue.unreachable();
        assertUnavailable("audit_failed");

        workshop.queue.recovers();
        assertThat(send(ALICE, "POST", "/v1/links/abc/takedown", REASON).status()).isEqualTo(200);
    }

    private void assertUnavailable(String outcome) {
        ControlResponse response = send(ALICE, "POST", "/v1/links/abc/takedown", REASON);
        assertThat(response.status()).isEqualTo(503);
        assertThat(response.headers()).containsEntry("Retry-After", "1");
        assertThat(json(response).path("outcome").asText()).isEqualTo(outcome);
    }

    @Test
    void aTableThatIsDownIsUnavailable() {
        workshop.table.failing(true);

        for (ControlResponse response :
                List.of(
                        send(ALICE, "GET", "/v1/links/abc", ""),
                        send(ALICE, "POST", "/v1/links/abc/takedown", REASON),
                        send(ALICE, "POST", "/v1/links/abc/confirm", ""),
                        send(ALICE, "PATCH", "/v1/links/abc", "{\"tags\": []}"),
                        send(
                                ALICE,
                                "POST",
                                "/v1/links",
                                "{\"long_url\": \"https://a.example/\"}"))) {
            assertThat(response.status()).isEqualTo(503);
            assertThat(response.headers()).containsKey("Retry-After");
            assertThat(response.body()).doesNotContain("Exception");
        }
    }

    @ParameterizedTest(name = "{0} {1} for reader, owner, other owner, operator: {2} {3} {4} {5}")
    @CsvSource(
            delimiter = '|',
            value = {
                "GET   | /v1/links/abc          |                                       | 200 | 200 | 200 | 200",
                "POST  | /v1/links              | {\"long_url\": \"https://a.example/\"} | 403 | 201 | 201 | 201",
                "PATCH | /v1/links/abc          | {\"state\": \"deactivated\"}           | 403 | 200 | 403 | 200",
                "PATCH | /v1/links/abc          | {\"tags\": [\"a\"]}                    | 403 | 200 | 403 | 200",
                "POST  | /v1/links/abc/takedown | {\"reason\": \"r\"}                    | 403 | 403 | 403 | 200",
                "POST  | /v1/links/dead/confirm |                                       | 403 | 403 | 403 | 200",
                "POST  | /v1/links/dead/restore | {\"reason\": \"r\"}                    | 403 | 403 | 403 | 200",
            })
    void eachRoleMayWhatItMay(
            String method,
            String path,
            @Nullable String body,
            int reader,
            int owner,
            int otherOwner,
            int operator) {
        List<Integer> statuses = new ArrayList<>();
        for (Caller caller : List.of(RITA, OLGA, OSCAR, ALICE)) {
            Workshop fresh = new Workshop();
            fresh.givenLive();
            fresh.table.put(
                    Workshop.dead(
                            Workshop.withOwner(Links.plain(new ShortCode("dead"))),
                            Cause.TAKEDOWN,
                            "alice"));

            int status = send(fresh, caller, method, path, body == null ? "" : body).status();

            statuses.add(status);
            boolean refused =
                    fresh.queue.events().stream()
                            .anyMatch(event -> event.outcome() == AuditOutcome.REFUSED);
            assertThat(refused)
                    .as("audited as refused where it concerns a link")
                    .isEqualTo(status == 403 && !path.equals("/v1/links"));
        }
        assertThat(statuses).containsExactly(reader, owner, otherOwner, operator);
    }

    @Test
    void whoMayNotIsToldSoWhateverTheBodySays() {
        workshop.givenLive();

        assertThat(send(RITA, "POST", "/v1/links/abc/takedown", "rubbish").status()).isEqualTo(403);
        assertThat(send(OLGA, "POST", "/v1/links/abc/takedown", "{}").status()).isEqualTo(403);
        assertThat(send(RITA, "PATCH", "/v1/links/abc", "").status()).isEqualTo(403);
        assertThat(workshop.audited()).hasSize(3).containsOnly(AuditOutcome.REFUSED);
    }

    @ParameterizedTest(name = "{0} {1} {2} is {3} at {4}")
    @CsvSource(
            delimiter = '|',
            value = {
                "POST  | /v1/links              | {\"long_url\": \"ftp://a.example/\"} | 422 | long_url",
                "POST  | /v1/links              | {}                          | 422 | long_url",
                "POST  | /v1/links              | {\"x\": 1}                  | 422 | x",
                "POST  | /v1/links              | rubbish                     | 400 |",
                "POST  | /v1/links              | ''                          | 400 |",
                "PATCH | /v1/links/abc          | {}                          | 400 |",
                "PATCH | /v1/links/abc          | {\"state\": \"gone\"}       | 422 | state",
                "PATCH | /v1/links/abc          | {\"expires_at\": \"2020-01-01T00:00:00Z\"} | 422 | expires_at",
                "POST  | /v1/links/abc/takedown | {}                          | 422 | reason",
                "POST  | /v1/links/abc/takedown | {\"reason\": \"\"}          | 422 | reason",
                "POST  | /v1/links/abc/restore  | {\"reason\": 7}             | 422 | reason",
                "POST  | /v1/links/abc/confirm  | {\"reason\": \"r\"}         | 422 | reason",
            })
    void whatIsAtFaultIsNamed(
            String method, String path, String body, int status, @Nullable String field) {
        workshop.givenLive();

        ControlResponse response = send(ALICE, method, path, body);

        assertThat(response.status()).isEqualTo(status);
        assertThat(response.headers()).containsEntry("Content-Type", "application/problem+json");
        assertThat(json(response).path("field").asText(null)).isEqualTo(field);
        assertThat(json(response).path("status").asInt()).isEqualTo(status);
        assertThat(workshop.stored().version()).isEqualTo(1);
    }

    @ParameterizedTest(name = "{0} {1} is {2}, {3}")
    @CsvSource({
        "GET,    /v1/links,                POST",
        "DELETE, /v1/links,                POST",
        "DELETE, /v1/links/abc,            'GET, HEAD, PATCH'",
        "PUT,    /v1/links/abc,            'GET, HEAD, PATCH'",
        "GET,    /v1/links/abc/takedown,   POST",
        "PATCH,  /v1/links/abc/restore,    POST",
        "HEAD,   /v1/links/abc/confirm,    POST",
        "POST,   /v1/links/abc/stats,      'GET, HEAD'",
    })
    void aMethodThatIsNotAllowedIsToldWhichAre(String method, String path, String allowed) {
        ControlResponse response = send(ALICE, method, path, "");

        assertThat(response.status()).isEqualTo(405);
        assertThat(response.headers()).containsEntry("Allow", allowed);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/v1/links/",
                "/v1/links/ab",
                "/v1/links/unknown",
                "/v1/links/abc/",
                "/v1/links/abc/nothing",
                "/v1/links/abc/takedown/",
                "/v1/links/a%62c",
                "/v1/links/%zz",
                "/v1/links/%",
                "/v1/links//abc",
                "/v1/linksx",
                "/v1/links/..%2f..%2fhealthz",
            })
    void whatIsNotThereIsNotFound(String path) {
        workshop.givenLive();

        ControlResponse response = send(ALICE, "GET", path, "");

        assertThat(response.status()).isEqualTo(404);
        assertThat(response.headers()).containsEntry("Content-Type", "application/problem+json");
    }

    @Test
    void anActionOnAnUnknownLinkIsNotFound() {
        assertThat(send(ALICE, "POST", "/v1/links/unknown/takedown", REASON).status())
                .isEqualTo(404);
        assertThat(send(ALICE, "POST", "/v1/links/u/takedown", REASON).status()).isEqualTo(404);
        assertThat(send(OLGA, "PATCH", "/v1/links/unknown", "{\"tags\": []}").status())
                .isEqualTo(404);
    }

    @Test
    void anIdempotencyKeyGetsTheSameAnswerAndIsNamedWhenItIsMisused() {
        Map<String, String> key = Map.of("idempotency-key", "k-1");
        String body = "{\"long_url\": \"https://a.example/\"}";
        ControlResponse first = send(workshop, ALICE, "POST", "/v1/links", key, body);

        assertThat(send(workshop, ALICE, "POST", "/v1/links", key, body)).isEqualTo(first);
        ControlResponse misused = send(workshop, ALICE, "POST", "/v1/links", key, body + " ");
        assertThat(misused.status()).isEqualTo(422);
        assertThat(json(misused).path("field").asText()).isEqualTo("Idempotency-Key");
        ControlResponse malformed =
                send(workshop, ALICE, "POST", "/v1/links", Map.of("Idempotency-Key", "a, b"), body);
        assertThat(malformed.status()).isEqualTo(422);
        assertThat(json(malformed).path("field").asText()).isEqualTo("Idempotency-Key");
    }

    @Test
    void aBodyIsJsonAndDeclaredSo() {
        workshop.givenLive();
        for (String type : List.of("application/json", "Application/JSON; charset=utf-8")) {
            assertThat(create(type).status()).isEqualTo(201);
        }
        for (String type : List.of("text/plain", "application/xml", "multipart/form-data", "")) {
            assertThat(create(type).status()).isEqualTo(415);
        }
        assertThat(create("application/x-www-form-urlencoded").status())
                .as("what curl says by itself")
                .isEqualTo(201);
    }

    private ControlResponse create(String type) {
        return send(
                workshop,
                ALICE,
                "POST",
                "/v1/links",
                Map.of("Content-Type", type),
                "{\"long_url\": \"https://a.example/\"}");
    }

    @Test
    void aBodyThatIsTooLargeIsNotLookedAt() {
        workshop.givenLive();
        String large = " ".repeat(RequestBodies.MAX_BYTES + 1);

        assertThat(send(ALICE, "POST", "/v1/links", large).status()).isEqualTo(413);
        assertThat(send(ALICE, "POST", "/v1/links/abc/takedown", large).status()).isEqualTo(413);
        assertThat(send(ALICE, "PATCH", "/v1/links/abc", large).status()).isEqualTo(413);
    }

    @Test
    void anAliasThatIsTakenIsNamed() {
        workshop.givenLive();
        String body = "{\"long_url\": \"https://a.example/\", \"alias\": \"abc\"}";

        ControlResponse response = send(ALICE, "POST", "/v1/links", body);

        assertThat(response.status()).isEqualTo(409);
        assertThat(json(response).path("field").asText()).isEqualTo("alias");
    }

    @Test
    void anItemThatIsNoLinkIsOurFault() {
        workshop.table.putUnreadable(CODE, "attribute 'version' is missing or malformed");

        assertThat(send(ALICE, "GET", "/v1/links/abc", "").status()).isEqualTo(500);
        assertThat(send(ALICE, "POST", "/v1/links/abc/takedown", REASON).status()).isEqualTo(500);
    }

    @Test
    void aSupersededChangeIsAConflict() {
        workshop.givenLive();
        workshop.interruptions.before(3, () -> send(BOB, "POST", "/v1/links/abc/restore", REASON));

        ControlResponse response = send(ALICE, "POST", "/v1/links/abc/takedown", REASON);

        assertThat(response.status()).isEqualTo(409);
        assertThat(json(response).path("outcome").asText()).isEqualTo("superseded");
        assertThat(json(response).path("version").asLong()).isEqualTo(3);
        assertThat(json(response).path("changed_by").asText()).isEqualTo("bob");
    }

    @Test
    void nobodyKeepsOrFramesAnAnswer() {
        workshop.givenLive();

        for (ControlResponse response :
                List.of(
                        send(ALICE, "GET", "/v1/links/abc", ""),
                        send(ALICE, "GET", "/v1/links/unknown", ""))) {
            assertThat(response.headers())
                    .containsEntry("Cache-Control", "no-store")
                    .containsEntry("X-Content-Type-Options", "nosniff")
                    .containsEntry("X-Frame-Options", "DENY");
        }
    }

    private ControlResponse send(Caller caller, String method, String path, String body) {
        return send(workshop, caller, method, path, body);
    }

    private static ControlResponse send(
            Workshop workshop, Caller caller, String method, String path, String body) {
        return send(workshop, caller, method, path, Map.of(), body);
    }

    private static ControlResponse send(
            Workshop workshop,
            Caller caller,
            String method,
            String path,
            Map<String, String> headers,
            String body) {
        return workshop.api.answer(
                new ControlRequest(method, path, headers, body.getBytes(UTF_8)), caller);
    }

    private static JsonNode json(ControlResponse response) {
        try {
            return JSON.readTree(response.body());
        } catch (JsonProcessingException e) {
            throw new AssertionError("no JSON: " + response.body(), e);
        }
    }

    private static List<String> fields(JsonNode node) {
        List<String> names = new ArrayList<>();
        node.fieldNames().forEachRemaining(names::add);
        return names;
    }
}
