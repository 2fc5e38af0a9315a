package dev.headstone.writer;

import dev.headstone.link.Link;
import dev.headstone.link.ShortCode;
import dev.headstone.table.VisitHistory;
import java.net.URI;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The control API of links, from the request to the answer, whichever way both travel: everything
 * under {@value #LINKS}. Who calls has been found out before.
 *
 * <p>Calls block, a little longer than {@link LinkChanges#DEADLINE} at the most, and throw nothing
 * for what a request contains or for what is down. Safe for use by several threads.
 */
public final class ControlApi {
    /** Where links are. */
    public static final String LINKS = "/v1/links";

    /**
     * What a body may be declared as. The second is what curl says if nobody tells it otherwise;
     * what the body really is, reading it strictly will show.
     */
    private static final Set<String> BODY_TYPES =
            Set.of("application/json", "application/x-www-form-urlencoded");

    private final LinkCreation creation;
    private final LinkChanges changes;
    private final LinkView view;
    private final RequestBodies bodies;
    private final LinkJson json;
    private final InstantSource clock;

    /**
     * The API over these ports.
     *
     * @param destinations decides about each destination
     * @param baseUrl what a code is appended to for its short URL, with a slash in between
     */
    public ControlApi(WriterPorts ports, DestinationPolicy destinations, URI baseUrl) {
        WriterMetrics metrics = new WriterMetrics(ports.meters());
        bodies = new RequestBodies(destinations);
        json = new LinkJson(baseUrl);
        creation = new LinkCreation(ports, bodies, json, metrics);
        changes = new LinkChanges(ports, metrics);
        view = new LinkView(ports);
        clock = ports.clock();
    }

    /** Whether this API answers for {@code path}, if only to say that nothing is there. */
    public static boolean serves(String path) {
        return path.equals(LINKS) || path.startsWith(LINKS + "/");
    }

    /** Answers. Whoever may not do a thing at all is told so before anything else is looked at. */
    public ControlResponse answer(ControlRequest request, Caller caller) {
        if (!serves(request.path())) {
            return notFound();
        }
        List<String> segments = List.of(request.path().substring(1).split("/", -1));
        return switch (segments.size()) {
            case 2 -> links(request, caller);
            case 3 -> link(request, segments.get(2), caller);
            case 4 -> action(request, segments.get(2), segments.get(3), caller);
            default -> notFound();
        };
    }

    private ControlResponse links(ControlRequest request, Caller caller) {
        return request.method().equals("POST") ? create(request, caller) : methodNotAllowed("POST");
    }

    private ControlResponse link(ControlRequest request, String segment, Caller caller) {
        return switch (request.method()) {
            case "GET", "HEAD" -> ofLink(segment, code -> show(code, caller));
            case "PATCH" -> ofLink(segment, code -> patch(request, code, caller));
            default -> methodNotAllowed("GET, HEAD, PATCH");
        };
    }

    private ControlResponse action(
            ControlRequest request, String segment, String action, Caller caller) {
        if (action.equals("stats")) {
            return switch (request.method()) {
                case "GET", "HEAD" -> ofLink(segment, this::stats);
                default -> methodNotAllowed("GET, HEAD");
            };
        }
        Optional<ChangeKind> kind =
                switch (action) {
                    case "takedown" -> Optional.of(ChangeKind.TAKEDOWN);
                    case "restore" -> Optional.of(ChangeKind.RESTORE);
                    case "confirm" -> Optional.of(ChangeKind.CONFIRM);
                    default -> Optional.empty();
                };
        if (kind.isEmpty()) {
            return notFound();
        }
        return request.method().equals("POST")
                ? ofLink(segment, code -> act(request, code, kind.get(), caller))
                : methodNotAllowed("POST");
    }

    private static ControlResponse ofLink(
            String segment, Function<ShortCode, ControlResponse> answer) {
        return ShortCode.parse(segment).map(answer).orElseGet(ControlApi::noSuchLink);
    }

    private ControlResponse create(ControlRequest request, Caller caller) {
        if (!caller.mayCreate()) {
            return answer(new CreateResult.Forbidden());
        }
        if (!hasBodyType(request)) {
            return unsupportedMediaType();
        }
        Optional<String> header = request.header(IdempotencyKey.HEADER);
        return switch (header.map(IdempotencyKey::read).orElse(null)) {
            case null -> create(request, Optional.empty(), caller);
            case Reading.Valid<IdempotencyKey>(IdempotencyKey key) ->
                    create(request, Optional.of(key), caller);
            case Reading.Rejected<IdempotencyKey>(var field, String why) -> rejected(field, why);
            case Reading.TooLarge<IdempotencyKey> _ -> tooLarge();
        };
    }

    private ControlResponse create(
            ControlRequest request, Optional<IdempotencyKey> key, Caller caller) {
        return answer(creation.create(request.body(), key, caller));
    }

    private static ControlResponse answer(CreateResult result) {
        return switch (result) {
            case CreateResult.Created(ShortCode code, String answer) ->
                    ControlResponse.json(201, answer).with("Location", LINKS + "/" + code.value());
            case CreateResult.Rejected(var field, String why) -> rejected(field.orElse(null), why);
            case CreateResult.TooLarge _ -> tooLarge();
            case CreateResult.Forbidden _ -> forbidden();
            case CreateResult.KeyReused _ ->
                    rejected(
                            IdempotencyKey.HEADER,
                            "The key was used for another body in the last 24 hours.");
            case CreateResult.AliasTaken(boolean quarantined) ->
                    Problem.of(
                                    409,
                                    quarantined
                                            ? "The alias belongs to a link that has ended, and is"
                                                    + " not free yet."
                                            : "The alias is taken.")
                            .field("alias")
                            .response();
            case CreateResult.NotCreated _ ->
                    Problem.of(503, "Nothing was created; try again.").response();
            case CreateResult.InDoubt _ ->
                    Problem.of(
                                    503,
                                    "Nobody knows whether the link was created; try again, with an"
                                            + " idempotency key to get one link only.")
                            .outcome("unknown")
                            .response();
        };
    }

    private ControlResponse show(ShortCode code, Caller caller) {
        return switch (view.show(code)) {
            case LinkView.Sight.Shown sight ->
                    ControlResponse.json(200, json.shown(sight, caller, clock.instant()));
            case LinkView.Sight.Unseen unseen -> answer(unseen);
        };
    }

    private ControlResponse stats(ShortCode code) {
        return switch (view.show(code)) {
            case LinkView.Sight.Shown(Link link, var _, Optional<VisitHistory> visits) ->
                    visits.map(counted -> ControlResponse.json(200, LinkJson.stats(link, counted)))
                            .orElseGet(() -> answer(new LinkView.Sight.Unavailable()));
            case LinkView.Sight.Unseen unseen -> answer(unseen);
        };
    }

    private static ControlResponse answer(LinkView.Sight.Unseen unseen) {
        return switch (unseen) {
            case LinkView.Sight.NoSuchLink _ -> noSuchLink();
            case LinkView.Sight.Unreadable(String why) -> unreadable(why);
            case LinkView.Sight.Unavailable _ ->
                    Problem.of(503, "The table does not answer; try again.").response();
        };
    }

    private ControlResponse patch(ControlRequest request, ShortCode code, Caller caller) {
        if (!caller.mayCreate()) {
            return answer(changes.forbid(code, ChangeKind.ALTER, caller));
        }
        if (!hasBodyType(request)) {
            return unsupportedMediaType();
        }
        return answer(
                bodies.change(request.body(), clock.instant()),
                wanted -> changes.change(code, wanted, caller));
    }

    private ControlResponse act(
            ControlRequest request, ShortCode code, ChangeKind kind, Caller caller) {
        if (!caller.isOperator()) {
            return answer(changes.forbid(code, kind, caller));
        }
        if (!hasBodyType(request)) {
            return unsupportedMediaType();
        }
        return switch (kind) {
            case TAKEDOWN ->
                    answer(
                            bodies.reason(request.body()),
                            reason -> changes.takeDown(code, reason, caller));
            case RESTORE ->
                    answer(
                            bodies.reason(request.body()),
                            reason -> changes.restore(code, reason, caller));
            case CONFIRM ->
                    answer(bodies.confirm(request.body()), _ -> changes.confirm(code, caller));
            case CREATE, DEACTIVATE, REACTIVATE, ALTER -> notFound();
        };
    }

    private static <T> ControlResponse answer(
            Reading<T> reading, Function<T, ChangeResult> carryOut) {
        return switch (reading) {
            case Reading.Valid<T>(T value) -> answer(carryOut.apply(value));
            case Reading.Rejected<T>(var field, String why) -> rejected(field, why);
            case Reading.TooLarge<T> _ -> tooLarge();
        };
    }

    /** How a change that came out like that is answered. */
    static ControlResponse answer(ChangeResult result) {
        return switch (result) {
            case ChangeResult.Confirmed(Receipt receipt) ->
                    ControlResponse.json(200, LinkJson.receipt(receipt));
            case ChangeResult.InvalidateFailed(Link link, String why) ->
                    about(
                                    link,
                                    Problem.of(
                                            503,
                                            "The change stands, but our caches are not known to"
                                                    + " follow it (%s); try again.".formatted(why)))
                            .outcome("invalidate_failed")
                            .response();
            case ChangeResult.AuditFailed(Optional<Link> link) -> auditFailed(link);
            case ChangeResult.Superseded(Optional<Link> now) -> superseded(now);
            case ChangeResult.Refused(Link link, Ground ground) -> refused(link, ground);
            case ChangeResult.Forbidden _ -> forbidden();
            case ChangeResult.NoSuchLink _ -> noSuchLink();
            case ChangeResult.Unreadable(String why) -> unreadable(why);
            case ChangeResult.NotMade _ ->
                    Problem.of(503, "Nothing was changed; try again.").response();
            case ChangeResult.InDoubt _ ->
                    Problem.of(503, "Nobody knows whether the change was made; try again.")
                            .outcome("unknown")
                            .response();
        };
    }

    private static ControlResponse auditFailed(Optional<Link> link) {
        Problem problem =
                Problem.of(
                                503,
                                "The outcome could not be recorded in the audit log, so it is not"
                                        + " reported; try again.")
                        .outcome("audit_failed");
        return link.map(found -> about(found, problem)).orElse(problem).response();
    }

    private static ControlResponse superseded(Optional<Link> now) {
        Problem problem =
                Problem.of(409, "The change was made, and a later one has taken its place.")
                        .outcome("superseded");
        return now.map(link -> about(link, problem).with("changed_by", link.lastChange().by()))
                .orElse(problem)
                .response();
    }

    private static ControlResponse refused(Link link, Ground ground) {
        Problem problem = about(link, Problem.of(409, ground.sentence())).outcome("refused");
        return switch (ground) {
            case DONE_BY_ANOTHER, TAKEN_DOWN ->
                    problem.with("changed_by", link.lastChange().by())
                            .with("changed_at", link.lastChange().at())
                            .response();
            case NOT_DEAD, DEAD_ALREADY, EXPIRED, USED_UP -> problem.response();
        };
    }

    private static Problem about(Link link, Problem problem) {
        return problem.with("short_code", link.code().value()).with("version", link.version());
    }

    private static boolean hasBodyType(ControlRequest request) {
        return request.header("Content-Type")
                .map(type -> type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT))
                .filter(type -> !BODY_TYPES.contains(type))
                .isEmpty();
    }

    private static ControlResponse unsupportedMediaType() {
        return Problem.of(415, "A body is JSON, and declared as application/json.").response();
    }

    private static ControlResponse rejected(@Nullable String field, String why) {
        return field == null
                ? Problem.of(400, why).response()
                : Problem.of(422, why).field(field).response();
    }

    private static ControlResponse tooLarge() {
        return Problem.of(413, "A body has at most 65,536 bytes.").response();
    }

    private static ControlResponse forbidden() {
        return Problem.of(403, "The token's role does not allow this.")
                .outcome("refused")
                .response();
    }

    private static ControlResponse unreadable(String why) {
        return Problem.of(500, "The table holds no readable link under this code: " + why + ".")
                .response();
    }

    private static ControlResponse noSuchLink() {
        return Problem.of(404, "There is no such link.").response();
    }

    private static ControlResponse notFound() {
        return Problem.of(404, "There is nothing here.").response();
    }

    private static ControlResponse methodNotAllowed(String allowed) {
        return Problem.of(405, "Only " + allowed + " is answered here.")
                .response()
                .with("Allow", allowed);
    }
}
