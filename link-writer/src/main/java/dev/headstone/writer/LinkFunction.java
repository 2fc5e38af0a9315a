package dev.headstone.writer;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPEvent.RequestContext;
import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPEvent.RequestContext.Authorizer;
import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPResponse;
import dev.headstone.audit.AuditEvent;
import dev.headstone.lambda.Environment;
import dev.headstone.lambda.Invocations;
import dev.headstone.lambda.Parts;
import dev.headstone.lambda.Snapshot;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The control API behind an HTTP API or a function URL that lets nobody through without a signature
 * (IAM): translates the event in and the answer out, and decides nothing. Who calls is who the
 * authorizer says, an ARN; what callers may do goes with the function they may invoke.
 */
final class LinkFunction {
    private static final String PRIMING = "/v1/links/--snapshot--priming--";

    private final Snapshot<Links> links;
    private final Role role;
    private final Predicate<String> serves;

    /** What a function is made of. */
    record Links(ControlApi api, Runnable beforehand, Invocations invocations, Parts parts)
            implements AutoCloseable {
        @Override
        public void close() {
            parts.close();
        }
    }

    private LinkFunction(Snapshot<Links> links, Role role, Predicate<String> serves) {
        this.links = links;
        this.role = role;
        this.serves = serves;
    }

    /**
     * Opens it.
     *
     * @param role of all callers; empty for what the settings say
     * @param serves the paths, of those of the API
     */
    static LinkFunction open(
            Environment environment, Optional<Role> role, Predicate<String> serves) {
        WriterConfig config = WriterConfig.from(environment);
        return new LinkFunction(
                Snapshot.of(
                        environment,
                        connections -> Wiring.open(config, connections).links(),
                        LinkFunction::prime),
                role.orElse(config.apiRole()),
                serves);
    }

    private static void prime(Links links) {
        Caller nobody = new Caller("snapshot", Role.OPERATOR);
        for (String action : new String[] {"", "/takedown"}) {
            ControlResponse _ =
                    links.api.answer(
                            new ControlRequest(
                                    action.isEmpty() ? "GET" : "POST",
                                    PRIMING + action,
                                    Map.of(),
                                    "{\"reason\":\"priming\"}".getBytes(StandardCharsets.UTF_8)),
                            nobody);
        }
    }

    APIGatewayV2HTTPResponse handle(APIGatewayV2HTTPEvent event, @Nullable Context context) {
        Links open = links.get();
        return open.invocations.around(
                context,
                Optional.ofNullable(headers(event).get("x-amzn-trace-id")),
                () -> {
                    open.beforehand.run();
                    return response(answer(open.api, event));
                });
    }

    private ControlResponse answer(ControlApi api, APIGatewayV2HTTPEvent event) {
        Optional<String> arn = arnOf(event);
        if (arn.isEmpty()) {
            return Problem.of(401, "The request is not signed.").response();
        }
        if (!serves.test(event.getRawPath())) {
            return Problem.of(404, "There is nothing here.").response();
        }
        return body(event)
                .map(body -> api.answer(request(event, body), new Caller(arn.get(), role)))
                .orElseGet(
                        () -> Problem.of(400, "The body is not encoded as declared.").response());
    }

    /** Never from a header, a body or a name in the path: only from what the authorizer found. */
    private static Optional<String> arnOf(APIGatewayV2HTTPEvent event) {
        return Optional.ofNullable(event.getRequestContext())
                .map(RequestContext::getAuthorizer)
                .map(Authorizer::getIam)
                .map(RequestContext.IAM::getUserArn)
                .filter(arn -> !arn.isEmpty() && arn.length() <= AuditEvent.LONGEST_ACTOR);
    }

    private static ControlRequest request(APIGatewayV2HTTPEvent event, byte[] body) {
        return new ControlRequest(
                event.getRequestContext().getHttp().getMethod(),
                event.getRawPath(),
                headers(event),
                body);
    }

    private static Map<String, String> headers(APIGatewayV2HTTPEvent event) {
        return event.getHeaders() == null ? Map.of() : event.getHeaders();
    }

    private static Optional<byte[]> body(APIGatewayV2HTTPEvent event) {
        String body = event.getBody() == null ? "" : event.getBody();
        try {
            return Optional.of(
                    event.getIsBase64Encoded()
                            ? Base64.getDecoder().decode(body)
                            : body.getBytes(StandardCharsets.UTF_8));
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    private static APIGatewayV2HTTPResponse response(ControlResponse answer) {
        return APIGatewayV2HTTPResponse.builder()
                .withStatusCode(answer.status())
                .withHeaders(answer.headers())
                .withBody(answer.body())
                .withIsBase64Encoded(false)
                .build();
    }
}
