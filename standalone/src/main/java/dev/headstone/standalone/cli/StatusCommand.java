package dev.headstone.standalone.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.Locale;
import java.util.OptionalDouble;
import picocli.CommandLine.Command;

/** The command {@code status}: readiness by part, and the figures to look at first. */
@Command(
        name = "status",
        description = "Says whether serve is ready, and how it does; exit status 1 if it is not.",
        mixinStandardHelpOptions = true)
final class StatusCommand extends Asking {
    private static final Duration BETWEEN = Duration.ofSeconds(1);
    private static final String REDIRECTS = "headstone_redirect_seconds_count";

    StatusCommand(Shell shell) {
        super(shell);
    }

    @Override
    void check() {}

    @Override
    boolean needsToken() {
        return false;
    }

    @Override
    int ask(ControlClient serve) {
        Reply first = serve.ask(Question.get("/readyz"));
        return switch (first) {
            case Reply.Answered answered when answered.json().path("ready").isBoolean() ->
                    status(serve, answered.json());
            case Reply.Answered _, Reply.NotReached _, Reply.NoAnswer _ -> explain(first, false);
        };
    }

    private int status(ControlClient serve, JsonNode readiness) {
        Reply before = serve.ask(Question.get("/metrics"));
        shell.pause().accept(BETWEEN);
        Reply after = serve.ask(Question.get("/metrics"));
        if (!(before instanceof Reply.Answered earlier && earlier.isSuccess())) {
            return explain(before, false);
        }
        if (!(after instanceof Reply.Answered later && later.isSuccess())) {
            return explain(after, false);
        }
        ObjectNode figures =
                figures(new MetricsText(earlier.body()), new MetricsText(later.body()));
        boolean ready = readiness.path("ready").asBoolean();
        if (isJson()) {
            ObjectNode said = object();
            said.set("readiness", readiness);
            say(said.set("metrics", figures));
        } else {
            show(readiness, figures);
        }
        return ready ? CONFIRMED : REFUSED;
    }

    private static ObjectNode figures(MetricsText before, MetricsText now) {
        double redirects = now.sum(REDIRECTS);
        double hits =
                now.sum(
                        REDIRECTS,
                        labels ->
                                labels.contains("cache=\"hit\"")
                                        || labels.contains("cache=\"tombstone\""));
        ObjectNode figures =
                object().put("redirects", redirects)
                        .put("redirects_per_second", redirects - before.sum(REDIRECTS))
                        .put("takedowns", now.sum("headstone_takedown_seconds_count"))
                        .put("dead_letters", now.sum("headstone_dead_letters"));
        if (redirects > 0) {
            figures.put("hit_ratio", hits / redirects);
        }
        put(figures, "repair_lag_seconds", now.max("headstone_stream_lag_seconds_max"));
        put(figures, "audit_lag_seconds", now.max("headstone_audit_lag_seconds_max"));
        put(figures, "cache_agreement_ratio", now.min("headstone_cache_agreement_ratio"));
        put(figures, "cache_trusted", now.min("headstone_cache_trusted"));
        put(figures, "breaker_open", now.max("headstone_cache_breaker_open"));
        return figures;
    }

    private static void put(ObjectNode figures, String name, OptionalDouble value) {
        value.ifPresent(figure -> figures.put(name, figure));
    }

    private void show(JsonNode readiness, JsonNode figures) {
        boolean ready = readiness.path("ready").asBoolean();
        Grid grid = new Grid().row("serve", paint(ready, ready ? "ready" : "not ready"));
        readiness
                .path("parts")
                .properties()
                .forEach(
                        part ->
                                grid.row(
                                        "  " + Plain.text(part.getKey()),
                                        readyOrWhy(part.getValue())));
        grid.row(
                "redirects",
                "%s/s now, %s since the start"
                        .formatted(
                                number(figures.path("redirects_per_second").asDouble()),
                                number(figures.path("redirects").asDouble())));
        grid.row("hit ratio", percent(figures.path("hit_ratio")));
        grid.row("takedowns", number(figures.path("takedowns").asDouble()));
        grid.row("repair lag", seconds(figures.path("repair_lag_seconds")));
        grid.row("audit lag", seconds(figures.path("audit_lag_seconds")));
        grid.row("agreement", percent(figures.path("cache_agreement_ratio")));
        grid.row("dead letters", letters(figures.path("dead_letters").asDouble()));
        grid.row("cache", trust(figures.path("cache_trusted")));
        grid.row("breaker", breaker(figures.path("breaker_open")));
        say(grid);
    }

    private String readyOrWhy(JsonNode part) {
        boolean ready = part.path("ready").asBoolean();
        return paint(ready, ready ? "ready" : "not ready: " + Plain.text(part.path("why")));
    }

    private String letters(double count) {
        return paint(count == 0, number(count));
    }

    private String trust(JsonNode trusted) {
        boolean good = trusted.asDouble() > 0;
        return trusted.isMissingNode() ? "-" : paint(good, good ? "trusted" : "not trusted");
    }

    private String breaker(JsonNode open) {
        boolean closed = open.asDouble() == 0;
        return open.isMissingNode() ? "-" : paint(closed, closed ? "closed" : "open");
    }

    private static String percent(JsonNode ratio) {
        return ratio.isMissingNode()
                ? "-"
                : String.format(Locale.ROOT, "%.2f %%", ratio.asDouble() * 100);
    }

    private static String seconds(JsonNode value) {
        return value.isMissingNode()
                ? "-"
                : String.format(Locale.ROOT, "%.3f s at most lately", value.asDouble());
    }
}
