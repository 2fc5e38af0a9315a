package dev.headstone.standalone.control;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.headstone.auditlog.AuditReader;
import dev.headstone.stream.SweepOutcome;
import dev.headstone.writer.Caller;
import dev.headstone.writer.ControlApi;
import dev.headstone.writer.ControlRequest;
import dev.headstone.writer.ControlResponse;
import dev.headstone.writer.Problem;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Everything that the control port answers, apart from the server that carries it. Calls block.
 * Safe for use by several threads.
 */
public final class ControlSite {
    /** Verifying the audit log reads all of it, and may take accordingly long. */
    static final String VERIFY = "/v1/audit/verify";

    /** Sweeping by hand settles everything that died lately. */
    static final String SWEEP = "/v1/sweep";

    private static final String PROMETHEUS_TEXT = "text/plain; version=0.0.4; charset=utf-8";
    private static final Pattern BEARER =
            Pattern.compile("Bearer +(?<token>[!-~]+)", Pattern.CASE_INSENSITIVE);

    private final ControlApi links;
    private final AuditApi audit;
    private final SweepApi sweep;
    private final Authentication authentication;
    private final Readiness readiness;
    private final PrometheusMeterRegistry meters;
    private final Dashboard dashboard = new Dashboard();

    /**
     * @param sweep sweeps now, and blocks until that is done
     * @param parts what readiness tells of, in that order
     */
    public ControlSite(
            ControlApi links,
            AuditReader audit,
            Supplier<SweepOutcome> sweep,
            Authentication authentication,
            List<Part> parts,
            PrometheusMeterRegistry meters) {
        this.links = links;
        this.audit = new AuditApi(audit);
        this.sweep = new SweepApi(sweep);
        this.authentication = authentication;
        this.readiness = new Readiness(parts);
        this.meters = meters;
    }

    /**
     * Answers. What is open to all comes first; everything else under {@code /v1} wants a token
     * before it even says whether it is there.
     *
     * @param query as sent, without the question mark; empty if there is none
     */
    ControlResponse answer(ControlRequest request, String query) {
        return switch (request.path()) {
            case "/healthz" -> get(request, () -> ControlResponse.json(200, "{\"status\":\"ok\"}"));
            case "/readyz" -> get(request, readiness::answer);
            case "/metrics" ->
                    get(request, () -> ControlResponse.of(200, PROMETHEUS_TEXT, meters.scrape()));
            case String path when path.equals("/v1") || path.startsWith("/v1/") ->
                    restricted(request, query);
            case String path ->
                    dashboard
                            .at(path)
                            .map(found -> get(request, () -> found))
                            .orElseGet(ControlSite::notFound);
        };
    }

    private ControlResponse restricted(ControlRequest request, String query) {
        Optional<String> authorization = request.header("Authorization");
        Optional<Caller> caller =
                authorization.flatMap(ControlSite::token).flatMap(authentication::caller);
        return caller.map(known -> answer(request, query, known))
                .orElseGet(() -> unauthorized(authorization.isPresent()));
    }

    private static Optional<String> token(String authorization) {
        Matcher bearer = BEARER.matcher(authorization);
        return bearer.matches() ? Optional.of(bearer.group("token")) : Optional.empty();
    }

    private ControlResponse answer(ControlRequest request, String query, Caller caller) {
        return switch (request.path()) {
            case "/v1/audit" -> get(request, () -> audit.page(query));
            case "/v1/caller" -> get(request, () -> whoIs(caller));
            case VERIFY -> get(request, () -> audit.verify(query));
            case SWEEP -> sweep.answer(request, caller);
            case String path when ControlApi.serves(path) -> links.answer(request, caller);
            default -> notFound();
        };
    }

    /** So that a program, the page among them, can tell whose token it has and what that may do. */
    private static ControlResponse whoIs(Caller caller) {
        return ControlResponse.json(
                200,
                JsonNodeFactory.instance
                        .objectNode()
                        .put("name", caller.name())
                        .put("role", caller.role().wireName())
                        .toString());
    }

    private static ControlResponse get(ControlRequest request, Supplier<ControlResponse> answer) {
        return switch (request.method()) {
            case "GET", "HEAD" -> answer.get();
            default ->
                    Problem.of(405, "Only GET and HEAD are answered here.")
                            .response()
                            .with("Allow", "GET, HEAD");
        };
    }

    private static ControlResponse unauthorized(boolean wrongToken) {
        String challenge = "Bearer realm=\"headstone\"";
        return Problem.of(
                        401,
                        wrongToken
                                ? "The token is not good, or not any more."
                                : "This needs a token: Authorization: Bearer and the token.")
                .response()
                .with(
                        "WWW-Authenticate",
                        wrongToken ? challenge + ", error=\"invalid_token\"" : challenge);
    }

    private static ControlResponse notFound() {
        return Problem.of(404, "There is nothing here.").response();
    }
}
