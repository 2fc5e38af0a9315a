package dev.headstone.redirect;

import static dev.headstone.redirect.TestBench.CODE;
import static dev.headstone.redirect.TestBench.NOW;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPResponse;
import com.amazonaws.services.lambda.runtime.serialization.PojoSerializer;
import com.amazonaws.services.lambda.runtime.serialization.events.LambdaEventSerializers;
import com.amazonaws.services.lambda.runtime.serialization.factories.JacksonFactory;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.headstone.table.Links;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

final class RedirectLambdaTest {
    private final TestBench bench = new TestBench();
    private final RedirectLambda lambda = lambda(Duration.ofSeconds(5));

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

    private RedirectLambda lambda(Duration deadline) {
        return new RedirectLambda(new RedirectSite(bench.service), bench.clock, deadline);
    }

    private JsonNode invoke(String method, String path, String userAgent) throws IOException {
        return invoke(lambda, method, path, userAgent);
    }

    private static JsonNode invoke(
            RedirectLambda lambda, String method, String path, String userAgent)
            throws IOException {
        String event =
                """
                {"version": "2.0", "routeKey": "$default", "rawPath": "%s", "rawQueryString": "",
                 "headers": {"host": "x.lambda-url.eu-west-1.on.aws", "user-agent": "%s"},
                 "requestContext": {"accountId": "anonymous", "apiId": "x", "http":
                   {"method": "%s", "path": "%s", "protocol": "HTTP/1.1",
                    "sourceIp": "203.0.113.7", "userAgent": "%s"},
                   "requestId": "1", "stage": "$default", "timeEpoch": 1795000000000},
                 "isBase64Encoded": false}
                """
                        .formatted(path, userAgent, method, path, userAgent);
        return invoke(lambda, event);
    }

    /** As the managed runtime does it: its own JSON mapping in and out. */
    private static JsonNode invoke(RedirectLambda lambda, String event) throws IOException {
        ClassLoader loader = RedirectLambdaTest.class.getClassLoader();
        PojoSerializer<APIGatewayV2HTTPEvent> in =
                LambdaEventSerializers.serializerFor(APIGatewayV2HTTPEvent.class, loader);
        PojoSerializer<APIGatewayV2HTTPResponse> out =
                JacksonFactory.getInstance().getSerializer(APIGatewayV2HTTPResponse.class);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        out.toJson(lambda.handleRequest(in.fromJson(event), nothing()), bytes);
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
