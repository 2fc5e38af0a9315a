package dev.headstone.standalone.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code audit}: what happened, page after page, or whether the log is whole. */
@Command(
        name = "audit",
        description = "Shows the audit log of a link, or verifies it.",
        mixinStandardHelpOptions = true)
final class AuditCommand extends Asking {
    /** What the control port gives itself, and a second. */
    private static final Duration VERIFYING = Duration.ofSeconds(301);

    /** Ten million events; a server that gives cursors for ever is left. */
    private static final int MOST_PAGES = 10_000;

    @Parameters(paramLabel = "CODE", arity = "0..1", description = "the code (of all links)")
    private @Nullable String code;

    @Option(names = "--verify", description = "verify the chains instead; exit status 1 if broken")
    private boolean verify;

    @Option(
            names = "--since",
            paramLabel = "TIME",
            description = "from then on, such as 2026-12-01T00:00:00Z")
    private @Nullable String since;

    private String cursor = "";

    AuditCommand(Shell shell) {
        super(shell);
    }

    @Override
    void check() {
        if (code != null) {
            code(code);
        }
    }

    @Override
    int ask(ControlClient serve) {
        if (verify) {
            return ask(
                    serve,
                    Question.get(path("/v1/audit/verify", List.of())).within(VERIFYING),
                    this::verified);
        }
        for (int page = 0; page < MOST_PAGES; page++) {
            int status = ask(serve, Question.get(path("/v1/audit", paging())), this::page);
            if (status != CONFIRMED || cursor.isEmpty()) {
                return status;
            }
        }
        return complain("failed", "there is more; go on with --since", REFUSED);
    }

    private List<String> paging() {
        List<String> parameters = new ArrayList<>(List.of("limit=1000"));
        if (since != null) {
            parameters.add("since=" + encoded(since));
        }
        if (!cursor.isEmpty()) {
            parameters.add("cursor=" + encoded(cursor));
        }
        return parameters;
    }

    private String path(String path, List<String> parameters) {
        List<String> all = new ArrayList<>(parameters);
        if (code != null) {
            all.add("code=" + code);
        }
        return all.isEmpty() ? path : path + "?" + String.join("&", all);
    }

    private static String encoded(String value) {
        return URLEncoder.encode(value, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private int page(JsonNode page) {
        String next = page.path("cursor").asText("");
        if (!next.isEmpty() && next.equals(cursor)) {
            return complain("failed", "the same cursor came twice", REFUSED);
        }
        cursor = next;
        if (!isJson()) {
            Grid grid = new Grid();
            for (JsonNode event : page.path("events")) {
                grid.row(
                        Plain.text(event.path("at")),
                        Plain.text(event.path("short_code")),
                        "#" + Plain.text(event.path("seq")),
                        Plain.text(event.path("type")),
                        Plain.text(event.path("outcome")),
                        "v" + Plain.text(event.path("version")),
                        Plain.text(event.path("actor")),
                        Plain.text(event.path("reason")));
            }
            if (!page.path("events").isEmpty()) {
                say(grid);
            }
        }
        return CONFIRMED;
    }

    private int verified(JsonNode answer) {
        boolean whole = answer.path("ok").asBoolean();
        if (!isJson()) {
            Grid grid =
                    new Grid()
                            .row("audit log", paint(whole, whole ? "whole" : "broken"))
                            .row("links", Plain.text(answer.path("links")))
                            .row("events", Plain.text(answer.path("events")));
            answer.path("faults").forEach(fault -> grid.row("fault", Plain.text(fault)));
            say(grid);
        }
        return whole ? CONFIRMED : REFUSED;
    }
}
