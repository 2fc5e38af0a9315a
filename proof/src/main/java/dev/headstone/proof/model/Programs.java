package dev.headstone.proof.model;

import com.amazonaws.services.lambda.runtime.events.StreamsEventResponse;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.headstone.cache.Settler;
import dev.headstone.link.Cause;
import dev.headstone.link.LastChange;
import dev.headstone.link.Link;
import dev.headstone.link.ShortCode;
import dev.headstone.link.Standing;
import dev.headstone.stream.StreamHandler;
import dev.headstone.stream.Sweep;
import dev.headstone.stream.SweepOutcome;
import dev.headstone.stream.SweepSettings;
import dev.headstone.table.TableRead;
import dev.headstone.writer.Caller;
import dev.headstone.writer.ControlApi;
import dev.headstone.writer.ControlRequest;
import dev.headstone.writer.ControlResponse;
import dev.headstone.writer.DestinationPolicy;
import dev.headstone.writer.Role;
import dev.headstone.writer.WriterPorts;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

/** The shipped classes as programs of actors. */
final class Programs {
    /** The one link's code. */
    static final ShortCode CODE = new ShortCode("abc");

    private static final ObjectMapper JSON = new ObjectMapper();

    /** How long a settler goes on starting again. */
    static final Duration BUDGET = Duration.ofSeconds(2);

    private static final SweepSettings THIS_HOUR =
            new SweepSettings(Duration.ZERO, Duration.ZERO, 1, 1_000, Duration.ofMinutes(1));
    private static final URI BASE = URI.create("https://go.example");
    private static final DestinationPolicy ANYWHERE = new DestinationPolicy(List.of());

    private Programs() {}

    /** An operator takes the link down. */
    static Program takedown(String operator) {
        return takedown(operator, operator);
    }

    /**
     * The same.
     *
     * @param request tells this request from others by the same operator
     */
    static Program takedown(String operator, String request) {
        return act("takedown", "{\"reason\":\"phishing\"}", operator, request, true);
    }

    /** An operator brings it back. */
    static Program restore(String operator) {
        return act("restore", "{\"reason\":\"a mistake\"}", operator, operator, false);
    }

    /** An operator has a dead link's tombstone written again. */
    static Program confirm(String operator) {
        return act("confirm", "{}", operator, operator, true);
    }

    private static Program act(
            String verb, String body, String operator, String request, boolean dead) {
        return (ports, reports) ->
                change(
                        "POST",
                        ControlApi.LINKS + "/" + CODE.value() + "/" + verb,
                        body,
                        operator,
                        request,
                        dead,
                        ports,
                        reports);
    }

    /** An operator deactivates the link, or reactivates it. */
    static Program set(String state, String operator) {
        return (ports, reports) ->
                change(
                        "PATCH",
                        ControlApi.LINKS + "/" + CODE.value(),
                        "{\"state\":\"" + state + "\"}",
                        operator,
                        operator,
                        !state.equals("active"),
                        ports,
                        reports);
    }

    /** Somebody creates a link under the code as its alias. */
    static Program create(String operator) {
        return (ports, reports) ->
                change(
                        "POST",
                        ControlApi.LINKS,
                        "{\"long_url\":\"https://example.com/\",\"alias\":\"abc\"}",
                        operator,
                        operator,
                        false,
                        ports,
                        reports);
    }

    private static void change(
            String method,
            String path,
            String body,
            String operator,
            String request,
            boolean dead,
            Ports ports,
            List<Report> reports) {
        ControlApi api =
                new ControlApi(
                        new WriterPorts(
                                ports.table(),
                                ports.cache(),
                                ports.queue(),
                                ports.clock(),
                                new SplittableRandom(request.hashCode()),
                                new CompositeMeterRegistry()),
                        ANYWHERE,
                        BASE);
        ControlResponse response =
                api.answer(
                        new ControlRequest(
                                method,
                                path,
                                Map.of("Content-Type", "application/json"),
                                body.getBytes(StandardCharsets.UTF_8)),
                        new Caller(operator, Role.OPERATOR));
        reports.add(
                response.status() < 300
                        ? confirmed(response.body(), dead, ports)
                        : new Report.Failed(response.status()));
    }

    private static Report confirmed(String body, boolean dead, Ports ports) {
        try {
            JsonNode answer = JSON.readTree(body);
            boolean audited =
                    !answer.has("event_id")
                            || ports.accepted().contains(answer.get("event_id").asText());
            return new Report.Confirmed(answer.get("version").asLong(), dead, audited);
        } catch (IOException e) {
            throw new UncheckedIOException("an answer that is no JSON", e);
        }
    }

    /** Ends the link by an edit that leaves the version as it was. */
    static Program killByHand() {
        return (ports, reports) -> {
            if (ports.table().read(CODE) instanceof TableRead.Found(Link link)
                    && link.standing() instanceof Standing.Alive) {
                LastChange change =
                        new LastChange(
                                LinkWorld.START, "console", Optional.empty(), "edit-by-hand");
                Link ended = link.ended(Cause.TAKEDOWN, change, Optional.empty());
                ports.table().change(link, sameVersion(ended, link.version()));
            }
        };
    }

    private static Link sameVersion(Link link, long version) {
        return new Link(
                link.code(),
                link.longUrl(),
                link.host(),
                link.standing(),
                version,
                link.createdAt(),
                link.lastChange(),
                link.expiresAt(),
                link.purgeAt(),
                link.owner(),
                link.tags(),
                link.visitLimit(),
                link.visits());
    }

    /** The consumer is handed record number {@code index} of the stream. */
    static Program repair(int index) {
        return (ports, reports) -> {
            Delivery delivery = ports.receive(index);
            StreamHandler handler =
                    new StreamHandler(
                            new Settler(
                                    ports.cache(), ports.table(), ports.clock(), BUDGET, () -> {}),
                            ports.queue(),
                            _ -> true,
                            new CompositeMeterRegistry());
            StreamsEventResponse response =
                    handler.handleRequest(delivery.event(LinkWorld.START), null);
            reports.add(
                    response.getBatchItemFailures().isEmpty()
                            ? new Report.Settled(!ports.accepted().isEmpty(), ports.lastRead())
                            : new Report.Failed(503));
        };
    }

    /** The shipped sweep, once. */
    static Program sweep() {
        return (ports, reports) -> {
            Sweep sweep =
                    new Sweep(
                            ports.deaths(),
                            new Settler(
                                    ports.cache(), ports.table(), ports.clock(), BUDGET, () -> {}),
                            ports.node(),
                            ports.clock(),
                            () -> 0,
                            THIS_HOUR,
                            new CompositeMeterRegistry(),
                            _ -> {});
            reports.add(
                    sweep.run() instanceof SweepOutcome.Swept
                            ? new Report.Settled(true, ports.lastRead())
                            : new Report.Failed(503));
        };
    }
}
