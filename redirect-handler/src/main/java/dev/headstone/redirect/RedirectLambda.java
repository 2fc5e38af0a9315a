package dev.headstone.redirect;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPResponse;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Lambda entry point behind a function URL or an HTTP API: translates the event in and the answer
 * out, and decides nothing.
 */
public final class RedirectLambda
        implements RequestHandler<APIGatewayV2HTTPEvent, APIGatewayV2HTTPResponse> {
    private final RedirectSite site;
    private final InstantSource clock;
    private final Duration deadline;

    /**
     * @param deadline how long an answer may take, well below the function's own timeout
     */
    public RedirectLambda(RedirectSite site, InstantSource clock, Duration deadline) {
        this.site = site;
        this.clock = clock;
        this.deadline = deadline;
    }

    @Override
    public APIGatewayV2HTTPResponse handleRequest(APIGatewayV2HTTPEvent event, Context context) {
        String method = event.getRequestContext().getHttp().getMethod();
        RedirectAnswer answer = await(method, event);
        return response(answer.leavingAt(clock.instant()), method.equals("HEAD"));
    }

    private RedirectAnswer await(String method, APIGatewayV2HTTPEvent event) {
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
    private static Visitor visitor(APIGatewayV2HTTPEvent event) {
        Map<String, String> headers = event.getHeaders() == null ? Map.of() : event.getHeaders();
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
