package dev.headstone.standalone.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.headstone.link.ShortCode;
import dev.headstone.standalone.options.Console;
import dev.headstone.standalone.options.DataOption;
import dev.headstone.standalone.options.Misuse;
import dev.headstone.writer.Reason;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.ToIntFunction;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What the commands have in common that ask a running {@code serve}. */
abstract class Asking implements Callable<Integer> {
    static final int CONFIRMED = 0;
    static final int REFUSED = 1;
    static final int NOT_CONFIRMED = 3;

    private static final String GREEN = "32";
    private static final String RED = "31";

    @Mixin private final DataOption data = new DataOption();

    @Option(names = "--json", description = "print what the server says, as it is")
    private boolean json;

    final Shell shell;
    final Console console;
    private String at = "";

    Asking(Shell shell) {
        this.shell = shell;
        this.console = shell.console();
    }

    /** Asks and shows. */
    abstract int ask(ControlClient serve);

    /** Reads what was typed, before anything is looked for. */
    abstract void check();

    boolean needsToken() {
        return true;
    }

    @Override
    public Integer call() {
        if (shell.onAws().getAsBoolean()) {
            throw new Misuse("--aws: of these commands only takedown speaks to AWS");
        }
        return askServe();
    }

    final int askServe() {
        check();
        return switch (Place.find(console.environment(), data.folder(console), needsToken())) {
            case Place.Found.At(Place place) -> {
                at = place.control() + " (" + place.said() + ")";
                try (ControlClient serve = new ControlClient(place)) {
                    yield ask(serve);
                }
            }
            case Place.Found.Nowhere(String why) -> complain("failed", why, REFUSED);
        };
    }

    /** Asks once; a success is shown, and everything else said in one line. */
    final int ask(ControlClient serve, Question question, ToIntFunction<JsonNode> show) {
        return switch (serve.ask(question)) {
            case Reply.Answered answered when answered.isSuccess() && answered.json().isObject() ->
                    succeeded(answered, show);
            case Reply unsuccessful -> explain(unsuccessful, question.isChange());
        };
    }

    /** Says in one line what became of asking, when that is no success. */
    final int explain(Reply reply, boolean change) {
        return switch (reply) {
            case Reply.Answered answered -> failed(answered, change);
            case Reply.NotReached _ ->
                    complain("failed", "nothing answers at " + at + "; is serve running?", REFUSED);
            case Reply.NoAnswer _ ->
                    change
                            ? complain(
                                    "not_confirmed",
                                    "not confirmed: no answer from "
                                            + at
                                            + " in time; run it again"
                                            + hint(),
                                    NOT_CONFIRMED)
                            : complain("failed", "no answer from " + at + " in time", REFUSED);
        };
    }

    /** What else to do when it is run again. */
    String hint() {
        return "";
    }

    private int succeeded(Reply.Answered answered, ToIntFunction<JsonNode> show) {
        if (json) {
            say(answered.body().strip());
        }
        return show.applyAsInt(answered.json());
    }

    private int failed(Reply.Answered answered, boolean change) {
        // A success that cannot be read is none; and what failed in there may have been done.
        boolean doubt =
                change
                        && (answered.isSuccess()
                                || answered.status() / 100 == 5
                                || answered.status() == 408);
        if (json && answered.json().isObject()) {
            say(answered.body().strip());
        }
        String line = doubt ? "not confirmed: " + why(answered) + again(answered) : why(answered);
        err(line);
        return doubt ? NOT_CONFIRMED : REFUSED;
    }

    private String again(Reply.Answered answered) {
        return answered.retryAfter()
                        .map(seconds -> " Run it again in " + seconds + " s")
                        .orElse(" Run it again")
                + hint();
    }

    private String why(Reply.Answered answered) {
        JsonNode problem = answered.json();
        String detail =
                problem.path("detail").isTextual()
                        ? Plain.text(problem.path("detail"))
                        : "the answer was %d, which is no answer of headstone's"
                                .formatted(answered.status());
        String field = problem.path("field").isTextual() ? Plain.text(problem.path("field")) : "";
        String outcome =
                problem.path("outcome").isTextual() ? Plain.text(problem.path("outcome")) : "";
        return switch (answered.status()) {
            case 401 ->
                    "the token for %s is wrong or revoked; set HEADSTONE_TOKEN to a good one"
                            .formatted(at);
            case 403 -> "refused: " + detail;
            default ->
                    (field.isEmpty() ? "" : field + ": ")
                            + detail
                            + (outcome.isEmpty() ? "" : " (" + outcome + ")");
        };
    }

    final boolean isJson() {
        return json;
    }

    /** Shows a receipt; without one that says it is confirmed, nothing is. */
    final int receipt(JsonNode receipt) {
        if (!receipt.path("outcome").asText().equals("confirmed")) {
            err("not confirmed: the answer is no receipt; run it again");
            return NOT_CONFIRMED;
        }
        if (!json) {
            Grid grid =
                    new Grid()
                            .row("confirmed", Plain.text(receipt.path("short_code")))
                            .row("state", state(receipt.path("state")))
                            .row("version", Plain.text(receipt.path("version")))
                            .row("at", Plain.text(receipt.path("at")))
                            .row("confirmed at", Plain.text(receipt.path("confirmed_at")));
            if (receipt.path("edge_clear_at").isTextual()) {
                grid.row("edge", edge(receipt.path("edge_clear_at")));
            }
            say(grid.row("event", Plain.text(receipt.path("event_id"))));
        }
        return CONFIRMED;
    }

    private String edge(JsonNode clearAt) {
        try {
            Duration left =
                    Duration.between(shell.clock().instant(), Instant.parse(clearAt.asText()));
            return left.isPositive()
                    ? "edge clear in %d s (%s)"
                            .formatted((left.toMillis() + 999) / 1_000, Plain.text(clearAt))
                    : "edge clear since " + Plain.text(clearAt);
        } catch (DateTimeParseException _) {
            return Plain.text(clearAt);
        }
    }

    final String state(JsonNode state) {
        String text = Plain.text(state);
        return paint(text.equals("active"), text);
    }

    /** In green or in red, where there are colours. */
    final String paint(boolean good, String text) {
        return shell.isColoured()
                ? "\u001b[%sm%s\u001b[0m".formatted(good ? GREEN : RED, text)
                : text;
    }

    final void say(Object text) {
        console.out().println(text);
        console.out().flush();
    }

    final void err(String line) {
        console.out().flush();
        console.err().println("headstone: " + Plain.text(line));
        console.err().flush();
    }

    /** A failure the server knows nothing of; as JSON too, for programs. */
    final int complain(String outcome, String why, int status) {
        if (json) {
            ObjectNode said = JsonNodeFactory.instance.objectNode();
            say(said.put("outcome", outcome).put("detail", why));
        }
        err(why);
        return status;
    }

    static ShortCode code(String typed) {
        return ShortCode.parse(typed)
                .orElseThrow(
                        () -> new Misuse("CODE must be 3 to 32 characters of A-Z a-z 0-9 _ -"));
    }

    static Reason reason(String typed) {
        try {
            return new Reason(typed);
        } catch (IllegalArgumentException e) {
            throw new Misuse("--reason: " + e.getMessage());
        }
    }

    static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    static String number(double value) {
        return String.format(Locale.ROOT, "%,.0f", value);
    }
}
