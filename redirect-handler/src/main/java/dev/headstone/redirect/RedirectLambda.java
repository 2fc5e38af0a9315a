package dev.headstone.redirect;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPResponse;
import dev.headstone.lambda.Environment;
import dev.headstone.lambda.Snapshot;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Lambda entry point behind a function URL or an HTTP API: translates the event in and the answer
 * out, and decides nothing.
 */
public final class RedirectLambda
        implements RequestHandler<APIGatewayV2HTTPEvent, APIGatewayV2HTTPResponse> {
    /** Below any sensible timeout of the function, above what the ports may take. */
    private static final Duration DEADLINE = Duration.ofMillis(2_500);

    /**
     * A code that nobody can have: too long to be made, and no alias begins like that by chance.
     */
    private static final String PRIMING = "/--snapshot--priming--";

    private final Handling handling;
    private final Duration deadline;

    /** Around an answer, whatever has to be: ids in logs, figures, a look at the cache. */
    private interface Handling {
        APIGatewayV2HTTPResponse answer(APIGatewayV2HTTPEvent event, @Nullable Context context);
    }

    /** For Lambda, which calls it once per execution environment. */
    public RedirectLambda() {
        this(new Environment(System.getenv()));
    }

    private RedirectLambda(Environment environment) {
        this.deadline = DEADLINE;
        RedirectConfig config = RedirectConfig.from(environment);
        Snapshot<Wiring> wiring =
                Snapshot.of(
                        environment,
                        connections -> Wiring.open(config, connections),
                        RedirectLambda::prime);
        this.handling = (event, context) -> answer(wiring.get(), event, context);
    }

    /**
     * For a process that has its own service.
     *
     * @param deadline how long an answer may take, well below the function's own timeout
     */
    public RedirectLambda(RedirectSite site, InstantSource clock, Duration deadline) {
        this.deadline = deadline;
        this.handling = (event, _) -> answer(site, clock, event);
    }

    /** A miss goes through everything but the redirect itself. */
    private static void prime(Wiring wiring) {
        for (String method : List.of("GET", "HEAD")) {
            RedirectAnswer _ =
                    wiring.site()
                            .answer(method, PRIMING, new Visitor("", "", "", ""))
                            .toCompletableFuture()
                            .join();
        }
    }

    @Override
    public APIGatewayV2HTTPResponse handleRequest(
            APIGatewayV2HTTPEvent event, @Nullable Context context) {
        return handling.answer(event, context);
    }

    private APIGatewayV2HTTPResponse answer(
            Wiring wiring, APIGatewayV2HTTPEvent event, @Nullable Context context) {
        return wiring.invocations()
                .around(
                        context,
                        Optional.ofNullable(headers(event).get("x-amzn-trace-id")),
                        () -> answer(wiring.site(), wiring.clock(), event));
    }

    private APIGatewayV2HTTPResponse answer(
            RedirectSite site, InstantSource clock, APIGatewayV2HTTPEvent event) {
        String method = event.getRequestContext().getHttp().getMethod();
        RedirectAnswer answer = await(site, method, event);
        return response(answer.leavingAt(clock.instant()), method.equals("HEAD"));
    }

    private RedirectAnswer await(RedirectSite site, String method, APIGatewayV2HTTPEvent event) {
        CompletableFuture<RedirectAnswer> answer =
                site.answer(method, event.getRawPath(), visitor(event)).toCompletableFuture();
        try {
            return answer.get(deadline.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException e) {
            return RedirectAnswer.tryAgain();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return RedirectAnswer.tryAgain();
        }
    }

    /** Format 2.0 gives the names of headers in lower case. */
    private static Map<String, String> headers(APIGatewayV2HTTPEvent event) {
        return event.getHeaders() == null ? Map.of() : event.getHeaders();
    }

    private static Visitor visitor(APIGatewayV2HTTPEvent event) {
        Map<String, String> headers = headers(event);
        return new Visitor(
                headers.getOrDefault("user-agent", ""),
                headers.getOrDefault("sec-purpose", ""),
                headers.getOrDefault("purpose", ""),
                headers.getOrDefault("x-moz", ""));
    }

    private static APIGatewayV2HTTPResponse response(RedirectAnswer answer, boolean head) {
        Map<String, String> headers = new LinkedHashMap<>();
        answer.forEachHeader(headers::put);
        return APIGatewayV2HTTPResponse.builder()
                .withStatusCode(answer.status())
                .withHeaders(headers)
                .withBody(head ? "" : answer.body().text())
                .withIsBase64Encoded(false)
                .build();
    }
}
