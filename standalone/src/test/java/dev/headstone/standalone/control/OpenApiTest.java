package dev.headstone.standalone.control;

import static dev.headstone.standalone.control.ControlDesk.CODE;
import static dev.headstone.standalone.control.ControlDesk.OPERATOR;
import static dev.headstone.standalone.control.ControlDesk.OWNER;
import static dev.headstone.standalone.control.ControlDesk.READER;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.headstone.audit.AuditEvent;
import dev.headstone.audit.AuditEventJson;
import dev.headstone.auditlog.ReceivedEvent;
import dev.headstone.cache.CacheRun;
import dev.headstone.link.Cause;
import dev.headstone.link.LastChange;
import dev.headstone.link.Link;
import dev.headstone.link.Standing.Dead;
import dev.headstone.stream.SweepOutcome;
import dev.headstone.table.Links;
import dev.headstone.table.Visits;
import io.swagger.v3.parser.OpenAPIV3Parser;
import io.swagger.v3.parser.core.models.ParseOptions;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The description of the API says what is answered, and what is answered is in the description. */
final class OpenApiTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String REASON = "{\"reason\": \"phishing\"}";
    private static final String DESTINATION = "{\"long_url\": \"https://a.example/\"}";
    private static final String LARGE = "{\"reason\": \"" + "x".repeat(66_000) + "\"}";
    private static final Part BROKEN = new Part("cache", () -> Optional.of("not there"));

    private static ApiDescription api;
    private static List<Exchange> exchanges;

    /** A request and the answer that it is to get. */
    record Asked(
            Consumer<ControlDesk> given,
            String token,
            String method,
            String path,
            String type,
            String body,
            int status) {

        String operation() {
            return api.operation(method, path).orElse(method + " " + path + " is not described");
        }
    }

    record Exchange(Asked asked, HttpResponse<String> answer) {}

    @BeforeAll
    static void askForEverything() throws Exception {
        api = new ApiDescription();
        exchanges = new ArrayList<>();
        for (Asked asked : everything()) {
            List<Part> parts =
                    asked.path().equals("/readyz") && asked.status() == 503
                            ? List.of(BROKEN)
                            : List.of(new Part("cache", Optional::empty));
            try (ControlDesk desk = new ControlDesk(table -> table, parts, settings -> settings)) {
                asked.given().accept(desk);
                exchanges.add(new Exchange(asked, answer(desk, asked)));
            }
        }
    }

    private static HttpResponse<String> answer(ControlDesk desk, Asked asked) throws Exception {
        var request =
                desk.request(asked.path())
                        .method(
                                asked.method(),
                                asked.body().isEmpty()
                                        ? BodyPublishers.noBody()
                                        : BodyPublishers.ofString(asked.body()));
        if (!asked.token().isEmpty()) {
            request.header("Authorization", "Bearer " + asked.token());
        }
        if (!asked.body().isEmpty()) {
            request.header("Content-Type", asked.type());
        }
        return desk.send(request);
    }

    private static List<Asked> everything() {
        List<Asked> all = new ArrayList<>();
        for (String open :
                List.of("/healthz", "/readyz", "/metrics", "/dashboard", "/openapi.yaml")) {
            all.add(get("", open, 200));
        }
        all.add(get("", "/readyz", 503));
        for (String asset : List.of("app.js", "style.css", "icon.svg")) {
            all.add(get("", "/dashboard/" + asset, 200));
        }
        all.add(get("", "/dashboard/nothing.js", 404));
        for (String path :
                List.of(
                        "/v1/caller",
                        "/v1/audit",
                        "/v1/audit/verify",
                        "/v1/links/abc",
                        "/v1/links/abc/stats")) {
            all.add(get("", path, 401));
            all.add(get("no-token-of-ours", path, 401));
        }
        all.add(get(READER, "/v1/caller", 200));
        all.addAll(create());
        all.addAll(show());
        all.addAll(stats());
        all.addAll(audit());
        all.addAll(change("PATCH", "/v1/links/abc", "{\"state\": \"deactivated\"}", READER));
        all.add(live("PATCH", "/v1/links/abc", "{\"tags\": [\"a\"], \"expires_at\": null}", 200));
        all.add(
                asked(
                        desk -> desk.table.put(takenDown()),
                        OPERATOR,
                        "PATCH",
                        "/v1/links/abc",
                        "{\"state\": \"active\"}",
                        409));
        all.addAll(change("POST", "/v1/links/abc/takedown", REASON, OWNER));
        all.add(
                asked(
                        desk -> desk.table.put(takenDown()),
                        OPERATOR,
                        "POST",
                        "/v1/links/abc/takedown",
                        REASON,
                        409));
        all.addAll(changeOfDead("/v1/links/abc/restore", REASON));
        all.addAll(changeOfDead("/v1/links/abc/confirm", "{}"));
        all.addAll(sweep());
        return all;
    }

    private static List<Asked> sweep() {
        String path = "/v1/sweep";
        CacheRun run = new CacheRun("a-run");
        return List.of(
                asked(
                        desk -> desk.sweep = new SweepOutcome.Swept(run, 3, Duration.ofMillis(250)),
                        OPERATOR,
                        "POST",
                        path,
                        "",
                        200),
                asked(_ -> {}, "", "POST", path, "", 401),
                asked(_ -> {}, OWNER, "POST", path, "", 403),
                asked(_ -> {}, OPERATOR, "POST", path, "", 503),
                asked(
                        desk -> desk.sweep = new SweepOutcome.RunChanged(),
                        OPERATOR,
                        "POST",
                        path,
                        "",
                        503));
    }

    private static List<Asked> create() {
        String path = "/v1/links";
        Consumer<ControlDesk> nothing = _ -> {};
        return List.of(
                asked(nothing, OWNER, "POST", path, DESTINATION, 201),
                asked(
                        nothing,
                        OPERATOR,
                        "POST",
                        path,
                        """
                        {"long_url": "https://a.example/", "alias": "spring", "expires_at": "2031-12-31T23:59:59Z",
                         "visit_limit": 3, "owner": "bob", "tags": ["a", "b"]}""",
                        201),
                asked(nothing, OWNER, "POST", path, "rubbish", 400),
                asked(nothing, "", "POST", path, DESTINATION, 401),
                asked(nothing, READER, "POST", path, DESTINATION, 403),
                asked(
                        ControlDesk::givenLive,
                        OWNER,
                        "POST",
                        path,
                        "{\"long_url\": \"https://a.example/\", \"alias\": \"abc\"}",
                        409),
                asked(nothing, OWNER, "POST", path, LARGE, 413),
                new Asked(nothing, OWNER, "POST", path, "text/plain", DESTINATION, 415),
                asked(
                        nothing,
                        OWNER,
                        "POST",
                        path,
                        "{\"long_url\": \"https://a.example/\", \"kind\": 1}",
                        422),
                asked(
                        nothing,
                        OWNER,
                        "POST",
                        path,
                        "{\"long_url\": \"https://a.example/\", \"visit_limit\": 0}",
                        422),
                asked(
                        nothing,
                        OWNER,
                        "POST",
                        path,
                        "{\"long_url\": \"https://a.example/\", \"tags\": [\"a b\"]}",
                        422),
                asked(desk -> desk.table.failing(true), OWNER, "POST", path, DESTINATION, 503));
    }

    private static List<Asked> show() {
        String path = "/v1/links/abc";
        return List.of(
                asked(ControlDesk::givenLive, READER, "GET", path, "", 200),
                asked(desk -> desk.table.put(Links.full(CODE)), READER, "GET", path, "", 200),
                asked(desk -> desk.table.put(takenDown()), READER, "GET", path, "", 200),
                asked(desk -> desk.table.put(takenDown()), OPERATOR, "GET", path, "", 200),
                asked(
                        desk -> {
                            desk.givenLive();
                            desk.cache.unreachable(true);
                        },
                        READER,
                        "GET",
                        path,
                        "",
                        200),
                asked(
                        desk -> {
                            desk.givenLive();
                            desk.visits.failing(true);
                        },
                        READER,
                        "GET",
                        path,
                        "",
                        200),
                asked(_ -> {}, READER, "GET", path, "", 404),
                asked(
                        desk -> desk.table.putUnreadable(CODE, "no version"),
                        READER,
                        "GET",
                        path,
                        "",
                        500),
                asked(desk -> desk.table.failing(true), READER, "GET", path, "", 503));
    }

    private static List<Asked> stats() {
        String path = "/v1/links/abc/stats";
        return List.of(
                asked(ControlDesk::givenLive, READER, "GET", path, "", 200),
                asked(OpenApiTest::visited, READER, "GET", path, "", 200),
                asked(_ -> {}, READER, "GET", path, "", 404),
                asked(
                        desk -> desk.table.putUnreadable(CODE, "no version"),
                        READER,
                        "GET",
                        path,
                        "",
                        500),
                asked(
                        desk -> {
                            desk.givenLive();
                            desk.visits.failing(true);
                        },
                        READER,
                        "GET",
                        path,
                        "",
                        503));
    }

    private static void visited(ControlDesk desk) {
        Link link = desk.givenLive();
        desk.visits.add(
                "batch",
                List.of(
                        new Visits(
                                CODE,
                                link.createdAt().toEpochMilli(),
                                Visits.dayOf(Links.NOW),
                                7,
                                Links.NOW,
                                Optional.empty())));
    }

    private static List<Asked> audit() {
        List<Asked> all = new ArrayList<>();
        Consumer<ControlDesk> events =
                desk -> {
                    desk.givenLive();
                    try {
                        desk.send(OPERATOR, "POST", "/v1/links/abc/takedown", REASON);
                        desk.send(OWNER, "POST", "/v1/links/abc/restore", REASON);
                    } catch (Exception e) {
                        throw new AssertionError(e);
                    }
                    for (AuditEvent event : desk.queue.events()) {
                        desk.auditLog.append(ReceivedEvent.read(AuditEventJson.encode(event)));
                    }
                };
        for (String path : List.of("/v1/audit", "/v1/audit/verify")) {
            all.add(asked(events, READER, "GET", path, "", 200));
            all.add(asked(events, READER, "GET", path + "?code=abc", "", 200));
            all.add(get(READER, path + "?code=a", 422));
            all.add(asked(desk -> desk.auditLog.unreachable(), READER, "GET", path, "", 503));
        }
        all.add(asked(events, READER, "GET", "/v1/audit?limit=1", "", 200));
        return all;
    }

    /** What every change of a live link may be answered with. */
    private static List<Asked> change(String method, String path, String body, String whoMayNot) {
        List<Asked> all = new ArrayList<>(refusals(method, path, body, whoMayNot));
        all.add(live(method, path, body, 200));
        all.add(
                asked(
                        desk -> {
                            desk.givenLive();
                            desk.cache.unreachable(true);
                        },
                        OPERATOR,
                        method,
                        path,
                        body,
                        503));
        all.add(
                asked(
                        desk -> {
                            desk.givenLive();
                            desk.queue.unreachable();
                        },
                        OPERATOR,
                        method,
                        path,
                        body,
                        503));
        return all;
    }

    /** What a change of a dead link may be answered with. */
    private static List<Asked> changeOfDead(String path, String body) {
        List<Asked> all = new ArrayList<>(refusals("POST", path, body, OWNER));
        all.add(asked(desk -> desk.table.put(takenDown()), OPERATOR, "POST", path, body, 200));
        all.add(live("POST", path, body, 409));
        all.add(
                asked(
                        desk -> {
                            desk.table.put(takenDown());
                            desk.cache.unreachable(true);
                        },
                        OPERATOR,
                        "POST",
                        path,
                        body,
                        503));
        return all;
    }

    private static List<Asked> refusals(String method, String path, String body, String whoMayNot) {
        return List.of(
                live(method, path, "rubbish", 400),
                asked(ControlDesk::givenLive, "", method, path, body, 401),
                asked(ControlDesk::givenLive, whoMayNot, method, path, body, 403),
                asked(_ -> {}, OPERATOR, method, path, body, 404),
                live(method, path, LARGE, 413),
                new Asked(ControlDesk::givenLive, OPERATOR, method, path, "text/plain", body, 415),
                live(method, path, "{\"kind\": 1}", 422),
                asked(
                        desk -> desk.table.putUnreadable(CODE, "no version"),
                        OPERATOR,
                        method,
                        path,
                        body,
                        500),
                asked(desk -> desk.table.failing(true), OPERATOR, method, path, body, 503));
    }

    private static Asked get(String token, String path, int status) {
        return asked(_ -> {}, token, "GET", path, "", status);
    }

    private static Asked live(String method, String path, String body, int status) {
        return asked(ControlDesk::givenLive, OPERATOR, method, path, body, status);
    }

    private static Asked asked(
            Consumer<ControlDesk> given,
            String token,
            String method,
            String path,
            String body,
            int status) {
        return new Asked(given, token, method, path, "application/json", body, status);
    }

    private static Link takenDown() {
        Link live = Links.full(CODE);
        return new Link(
                live.code(),
                live.longUrl(),
                live.host(),
                new Dead(Cause.TAKEDOWN, Links.NOW),
                2,
                live.createdAt(),
                new LastChange(Links.NOW, "bob", Optional.of("malware"), "by-bob"),
                live.expiresAt(),
                live.purgeAt(),
                live.owner(),
                live.tags(),
                live.visitLimit(),
                0);
    }

    @Test
    void theDocumentIsOpenApi() {
        ParseOptions options = new ParseOptions();
        options.setResolve(true);
        var parsed = new OpenAPIV3Parser().readContents(api.text(), null, options);

        assertThat(api.text()).startsWith("openapi: 3.1");
        assertThat(parsed.getMessages()).isEmpty();
        assertThat(parsed.getOpenAPI().getPaths().keySet())
                .isEqualTo(
                        api.operations().stream()
                                .map(operation -> operation.split(" ", 2)[1])
                                .collect(Collectors.toSet()));
    }

    static List<Exchange> exchanges() {
        return exchanges;
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("exchanges")
    void everyAnswerIsAsDescribed(Exchange exchange) {
        Asked asked = exchange.asked();
        HttpResponse<String> answer = exchange.answer();

        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(asked.status());
        assertThat(api.statuses()).contains(asked.operation() + " " + asked.status());
        JsonNode described = api.response(asked.operation(), answer.statusCode());
        String type = answer.headers().firstValue("Content-Type").orElseThrow().split(";", 2)[0];
        assertThat(api.faults(described, type, answer.body())).as(answer.body()).isEmpty();
        api.requiredHeaders(described)
                .forEach(
                        (name, pattern) ->
                                assertThat(answer.headers().firstValue(name).orElse("none"))
                                        .as(name)
                                        .containsPattern(pattern));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("exchanges")
    void aBodyIsAcceptedIfItIsAsDescribed(Exchange exchange) {
        Asked asked = exchange.asked();
        if (!asked.body().isEmpty() && asked.status() != 400 && asked.status() != 413) {
            assertThat(api.faultsOfRequest(asked.operation(), asked.body()).isEmpty())
                    .isEqualTo(asked.status() != 422);
        }
    }

    @Test
    void everyStatusThatIsDescribedWasGiven() {
        Set<String> given = new TreeSet<>();
        exchanges.forEach(
                each -> given.add(each.asked().operation() + " " + each.answer().statusCode()));

        assertThat(given).isEqualTo(api.statuses());
    }

    @Test
    void aMethodThatIsNotDescribedIsNotServed() throws Exception {
        try (ControlDesk desk = new ControlDesk()) {
            for (String operation : api.operations()) {
                String path =
                        operation
                                .substring(operation.indexOf(' ') + 1)
                                .replace("{code}", "abc")
                                .replace("{asset}", "app.js");
                Set<String> allowed = new TreeSet<>(api.methodsAt(path));
                if (allowed.contains("GET")) {
                    allowed.add("HEAD");
                }
                for (String method :
                        List.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")) {
                    if (!allowed.contains(method)) {
                        HttpResponse<String> answer = desk.send(OPERATOR, method, path, "");
                        assertThat(answer.statusCode()).as(method + " " + path).isEqualTo(405);
                        assertThat(answer.headers().firstValue("Allow").orElseThrow().split(", "))
                                .containsExactlyInAnyOrderElementsOf(allowed);
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "/v1/freshness",
        "/v1/links/abc/history",
        "/v1/takedowns",
        "/v1/takedowns/t1",
        "/v1/takedowns/t1/restore",
        "/dashboard/",
        "/v1/",
        "/",
    })
    void aPathThatIsNotDescribedIsNotServed(String path) throws Exception {
        try (ControlDesk desk = new ControlDesk()) {
            desk.givenLive();
            for (String method : List.of("GET", "POST")) {
                assertThat(api.operation(method, path))
                        .as("described: serve it, and test it")
                        .isEmpty();
                assertThat(desk.send(OPERATOR, method, path, "{}").statusCode())
                        .as("served: describe it, and take it from this list")
                        .isEqualTo(404);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
                "GET /healthz HTTP/1.0\r\nHost: x\r\n\r\n",
                "rubbish\r\n\r\n"
            })
    void whatTheServerItselfRefusesIsTheDefault(String request) throws Exception {
        try (ControlDesk desk = new ControlDesk()) {
            String answer = desk.raw(request);
            String body = answer.substring(answer.indexOf("\r\n\r\n") + 4);

            assertThat(
                            api.faults(
                                    api.response(
                                            "GET /healthz",
                                            JSON.readTree(body).get("status").asInt()),
                                    "application/problem+json",
                                    body))
                    .isEmpty();
        }
    }
}
