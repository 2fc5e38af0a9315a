package dev.headstone.standalone.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.headstone.link.ShortCode;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The command {@code show}. */
@Command(name = "show", description = "Shows a link.", mixinStandardHelpOptions = true)
final class ShowCommand extends Asking {
    private static final List<String> FIELDS =
            List.of(
                    "short_url",
                    "long_url",
                    "version",
                    "created_at",
                    "expires_at",
                    "deleted_at",
                    "changed_at",
                    "changed_by",
                    "change_reason",
                    "visits",
                    "visit_limit",
                    "last_visited_at",
                    "owner");

    @Parameters(paramLabel = "CODE", description = "the code of the link")
    private String code = "";

    ShowCommand(Shell shell) {
        super(shell);
    }

    @Override
    void check() {
        code(code);
    }

    @Override
    int ask(ControlClient serve) {
        ShortCode asked = code(code);
        return ask(serve, Question.get("/v1/links/" + asked.value()), this::show);
    }

    private int show(JsonNode link) {
        if (isJson()) {
            return CONFIRMED;
        }
        Grid grid =
                new Grid()
                        .row("code", Plain.text(link.path("short_code")))
                        .row("state", state(link.path("state")));
        for (String field : FIELDS) {
            if (link.hasNonNull(field)) {
                grid.row(field.replace('_', ' '), Plain.text(link.path(field)));
            }
        }
        if (!link.path("tags").isEmpty()) {
            grid.row(
                    "tags",
                    link.path("tags")
                            .valueStream()
                            .map(Plain::text)
                            .collect(Collectors.joining(", ")));
        }
        link.path("cache")
                .properties()
                .forEach(
                        cached ->
                                grid.row(
                                        "cache " + Plain.text(cached.getKey()).replace('_', ' '),
                                        Plain.text(cached.getValue())));
        say(grid);
        return CONFIRMED;
    }
}
