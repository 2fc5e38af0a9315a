package dev.headstone.redirect;

import static dev.headstone.redirect.TestBench.CODE;
import static dev.headstone.redirect.TestBench.NOW;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.amazonaws.services.lambda.runtime.Context;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.headstone.table.Links;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class RedirectLambdaTest {
    private static final Duration DEADLINE = Duration.ofSeconds(5);

    private final TestBench bench = new TestBench();
    private final RedirectLambda lambda = lambda(DEADLINE);

    @Test
    void redirects() throws IOException {
        bench.items.put(Links.plain(CODE));

        JsonNode answer = invoke("GET", "/abc", "curl/8.5.0");

        assertThat(answer.get("statusCode").intValue()).isEqualTo(302);
        assertThat(answer.at("/headers/Location").textValue()).isEqualTo("https://example.com/abc");
        assertThat(answer.at("/headers/Cache-Control").textValue())
                .isEqualTo("public, max-age=5, must-revalidate, stale-if-error=0");
        assertThat(answer.at("/headers/Cache-Status").textValue())
                .isEqualTo("headstone; fwd=miss; stored");
        assertThat(answer.get("isBase64Encoded").booleanValue()).isFalse();
    }

    @Test
    void answersAHeadWithoutABody() throws IOException {
        assertThat(invoke("HEAD", "/abc", "").get("body").textValue()).isEmpty();
        assertThat(invoke("GET", "/abc", "").get("body").textValue())
                .isEqualTo("There is no such link.\n");
    }

    @Test
    void givesPixelsInBase64AndDrawingsAsText() throws IOException {
        bench.cached(Links.plain(CODE), NOW);
        RedirectLambda views = new RedirectLambda(bench.viewing(), bench.clock, DEADLINE);

        JsonNode png = invoke(views, "GET", "/abc.qr", "format=png", "");
        JsonNode svg = invoke(views, "GET", "/abc.qr", "", "");
        JsonNode head = invoke(views, "HEAD", "/abc.qr", "format=png", "");

        assertThat(png.get("isBase64Encoded").booleanValue()).isTrue();
        assertThat(png.get("body").binaryValue())
                .isEqualTo(bench.view("/abc.qr?format=png").body().bytes());
        assertThat(png.at("/headers/Content-Type").textValue()).isEqualTo("image/png");
        assertThat(svg.get("isBase64Encoded").booleanValue()).isFalse();
        assertThat(svg.get("body").textValue()).startsWith("<svg ");
        assertThat(head.get("isBase64Encoded").booleanValue()).isFalse();
        assertThat(head.get("body").textValue()).isEmpty();
        assertThat(head.get("headers")).isEqualTo(png.get("headers"));
    }

    @Test
    void readsWhoAsks() throws IOException {
        bench.items.put(Links.limited(CODE, 1));

        assertThat(invoke("GET", "/abc", "Twitterbot/1.0").get("statusCode").intValue())
                .isEqualTo(200);
        assertThat(invoke("GET", "/abc", "Mozilla/5.0").get("statusCode").intValue())
                .isEqualTo(302);
    }

    @Test
    void allowsGetAndHeadOnly() throws IOException {
        JsonNode answer = invoke("POST", "/abc", "");

        assertThat(answer.get("statusCode").intValue()).isEqualTo(405);
        assertThat(answer.at("/headers/Allow").textValue()).isEqualTo("GET, HEAD");
    }

    @Test
    void asksToComeAgainWhenTheAnswerTakesTooLong() throws IOException {
        bench.cache.gate(new CompletableFuture<>());

        JsonNode answer = invoke(lambda(Duration.ofMillis(5)), "GET", "/abc", "");

        assertThat(answer.get("statusCode").intValue()).isEqualTo(503);
        assertThat(answer.at("/headers/Retry-After").textValue()).isEqualTo("1");
        assertThat(answer.at("/headers/Cache-Control").textValue()).isEqualTo("no-store");
    }

    @Test
    void takesAnEventWithoutHeaders() throws IOException {
        bench.cached(Links.plain(CODE), NOW);
        String event =
                "{\"version\":\"2.0\",\"rawPath\":\"/abc\","
                        + "\"requestContext\":{\"http\":{\"method\":\"GET\",\"path\":\"/abc\"}}}";

        assertThat(invoke(lambda, event).get("statusCode").intValue()).isEqualTo(302);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "{",
                "{}",
                "{\"rawPath\":\"/abc\"}",
                "{\"rawPath\":\"/abc\",\"requestContext\":{\"http\":{\"method\":7}}}",
                "{\"rawPath\":\"/abc\",\"requestContext\":[],\"headers\":[\"x\"]}"
            })
    void anEventThatIsNoClickIsAnError(String event) {
        assertThatThrownBy(() -> invoke(lambda, event)).isInstanceOf(IOException.class);
    }

    @Test
    void looksOnlyAtWhatItNeeds() throws IOException {
        bench.cached(Links.plain(CODE), NOW);
        String event =
                "{\"cookies\":[\"a\",{\"b\":[]}],\"requestContext\":{\"authorizer\":{\"iam\":{}},"
                        + "\"http\":{\"more\":{\"method\":\"POST\"},\"method\":\"GET\"},\"x\":[1]},"
                        + "\"headers\":{\"many\":[\"x\"],\"user-agent\":\"curl\"},"
                        + "\"rawPath\":\"/abc\",\"body\":null}";

        assertThat(invoke(lambda, event).get("statusCode").intValue()).isEqualTo(302);
    }

    private RedirectLambda lambda(Duration deadline) {
        return new RedirectLambda(new RedirectSite(bench.service), bench.clock, deadline);
    }

    private JsonNode invoke(String method, String path, String userAgent) throws IOException {
        return invoke(lambda, method, path, userAgent);
    }

    private static JsonNode invoke(
            RedirectLambda lambda, String method, String path, String userAgent)
            throws IOException {
        return invoke(lambda, method, path, "", userAgent);
    }

    private static JsonNode invoke(
            RedirectLambda lambda, String method, String path, String query, String userAgent)
            throws IOException {
        String event =
                """
                {"version": "2.0", "routeKey": "$default", "rawPath": "%s", "rawQueryString": "%s",
                 "headers": {"host": "x.lambda-url.eu-west-1.on.aws", "user-agent": "%s"},
                 "requestContext": {"accountId": "anonymous", "apiId": "x", "http":
                   {"method": "%s", "path": "%s", "protocol": "HTTP/1.1",
                    "sourceIp": "203.0.113.7", "userAgent": "%s"},
                   "requestId": "1", "stage": "$default", "timeEpoch": 1795000000000},
                 "isBase64Encoded": false}
                """
                        .formatted(path, query, userAgent, method, path, userAgent);
        return invoke(lambda, event);
    }

    private static JsonNode invoke(RedirectLambda lambda, String event) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        lambda.handleRequest(new ByteArrayInputStream(event.getBytes(UTF_8)), bytes, nothing());
        return new ObjectMapper().readTree(bytes.toString(UTF_8));
    }

    /** The handler wants nothing of its context. */
    private static Context nothing() {
        return (Context)
                Proxy.newProxyInstance(
                        RedirectLambdaTest.class.getClassLoader(),
                        new Class<?>[] {Context.class},
                        (_, method, _) -> {
                            throw new UnsupportedOperationException(method.getName());
                        });
    }
}
