package dev.headstone.standalone.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.headstone.link.ShortCode;
import dev.headstone.standalone.options.Misuse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code takedowns}: every link of a host, an owner, a tag or a list ends. */
@Command(
        name = "takedowns",
        description = "Takes down every link of a host, an owner, a tag or a list.",
        mixinStandardHelpOptions = true)
final class TakedownsCommand extends Asking {
    private static final Duration POLL = Duration.ofMillis(500);
    private static final long LARGEST_FILE_BYTES = 1 << 20;
    private static final int MOST_CODES = 10_000;

    @Option(
            names = "--host",
            paramLabel = "HOST",
            description = "a name, a URL, or *.name for its subdomains too")
    private @Nullable String host;

    @Option(names = "--owner", paramLabel = "NAME", description = "whose links")
    private @Nullable String owner;

    @Option(names = "--tag", paramLabel = "TAG", description = "links with that tag")
    private @Nullable String tag;

    @Option(
            names = "--codes-file",
            paramLabel = "FILE",
            description = "one code a line, at most 10,000; # begins a comment")
    private @Nullable Path codesFile;

    @Option(
            names = "--reason",
            required = true,
            paramLabel = "TEXT",
            description = "why, for the audit log: 1 to 500 characters")
    private String reason = "";

    @Option(names = "--dry-run", description = "count and show a sample, change nothing")
    private boolean dryRun;

    @Option(
            names = "--wait",
            paramLabel = "SECONDS",
            defaultValue = "600",
            description = "how long to follow the job at most (${DEFAULT-VALUE})")
    private int waitSeconds = 600;

    private int lastShown;

    TakedownsCommand(Shell shell) {
        super(shell);
    }

    @Override
    void check() {
        reason(reason);
        if (Stream.of(host, owner, tag, codesFile).filter(Objects::nonNull).count() != 1) {
            throw new Misuse("exactly one of --host, --owner, --tag and --codes-file is needed");
        }
        if (waitSeconds < 1 || waitSeconds > 86_400) {
            throw new Misuse("--wait must be 1 to 86400 seconds");
        }
        if (codesFile != null) {
            codes(codesFile);
        }
    }

    @Override
    int ask(ControlClient serve) {
        Question question = Question.post("/v1/takedowns", job());
        if (dryRun) {
            return ask(serve, question, this::sample);
        }
        return ask(serve, question, job -> follow(serve, job));
    }

    private ObjectNode job() {
        ObjectNode job = object().put("reason", reason);
        if (dryRun) {
            job.put("dry_run", true);
        }
        if (host != null) {
            job.put("host", host);
        }
        if (owner != null) {
            job.put("owner", owner);
        }
        if (tag != null) {
            job.put("tag", tag);
        }
        if (codesFile != null) {
            ArrayNode all = job.putArray("codes");
            codes(codesFile).forEach(code -> all.add(code.value()));
        }
        return job;
    }

    private static List<ShortCode> codes(Path file) {
        try {
            if (Files.size(file) > LARGEST_FILE_BYTES) {
                throw new Misuse("--codes-file is larger than 1 MiB");
            }
            List<String> lines = Files.readAllLines(file, StandardCharsets.UTF_8);
            List<ShortCode> codes =
                    Stream.iterate(0, line -> line < lines.size(), line -> line + 1)
                            .filter(line -> !typed(lines.get(line)).isEmpty())
                            .map(line -> code(lines.get(line), line + 1))
                            .distinct()
                            .toList();
            if (codes.isEmpty() || codes.size() > MOST_CODES) {
                throw new Misuse("--codes-file must hold 1 to 10,000 codes");
            }
            return codes;
        } catch (IOException | InvalidPathException e) {
            throw new Misuse("--codes-file cannot be read");
        }
    }

    private static String typed(String line) {
        return line.split("#", 2)[0].strip();
    }

    private static ShortCode code(String line, int number) {
        return ShortCode.parse(typed(line))
                .orElseThrow(
                        () -> new Misuse("--codes-file: line %d is no code".formatted(number)));
    }

    private int sample(JsonNode answer) {
        if (!isJson()) {
            say("links      " + Plain.text(answer.path("count")) + " alive, nothing was changed");
            answer.path("sample").forEach(each -> say("           " + Plain.text(each)));
        }
        return CONFIRMED;
    }

    /** They are all unservable by now; what follows are their tombstones. */
    private int follow(ControlClient serve, JsonNode begun) {
        String id = begun.path("id").asText();
        if (!id.matches("[A-Za-z0-9._~-]{1,128}")) {
            err("not confirmed: the answer names no job; run it again");
            return NOT_CONFIRMED;
        }
        progress(begun);
        Instant end = shell.clock().instant().plusSeconds(waitSeconds);
        long polls = Duration.ofSeconds(waitSeconds).dividedBy(POLL);
        JsonNode job = begun;
        // The clock may be set back meanwhile: the number of polls is a bound of its own.
        for (long poll = 0; poll < polls && shell.clock().instant().isBefore(end); poll++) {
            if (List.of("done", "restored").contains(job.path("state").asText())) {
                return ended(job);
            }
            shell.pause().accept(POLL);
            switch (serve.ask(Question.get("/v1/takedowns/" + id))) {
                case Reply.Answered answered
                        when answered.isSuccess() && answered.json().isObject() -> {
                    job = answered.json();
                    progress(job);
                }
                case Reply.Answered answered when answered.status() / 100 == 4 -> {
                    return unfollowed(id, "its progress was refused (%d)", answered.status());
                }
                case Reply.Answered _, Reply.NotReached _, Reply.NoAnswer _ -> {
                    // a moment's silence; the deadline ends it
                }
            }
        }
        return unfollowed(id, "it is not through after %d s", waitSeconds);
    }

    private int unfollowed(String id, String why, int number) {
        endLine();
        return complain(
                "not_confirmed",
                "job %s goes on, its links are unservable; %s".formatted(id, why.formatted(number)),
                NOT_CONFIRMED);
    }

    private int ended(JsonNode job) {
        endLine();
        if (isJson()) {
            say(job);
        } else {
            say(job.path("state").asText().equals("done") ? counts(job) : "restored meanwhile");
        }
        if (job.path("state").asText().equals("restored")) {
            return REFUSED;
        }
        return job.path("failed").asLong() == 0 ? CONFIRMED : NOT_CONFIRMED;
    }

    private static String counts(JsonNode job) {
        return Plain.text(job.path("state"))
                + job.properties().stream()
                        .filter(field -> field.getValue().isNumber())
                        .map(
                                field ->
                                        ", %s %s"
                                                .formatted(
                                                        Plain.text(field.getKey())
                                                                .replace('_', ' '),
                                                        field.getValue().asText()))
                        .collect(Collectors.joining());
    }

    /** On a terminal one line that is written over. */
    private void progress(JsonNode job) {
        if (shell.onTerminal() && !isJson()) {
            String line = Plain.text(job.path("id")) + "  " + counts(job);
            console.err().print("\r" + line + " ".repeat(Math.max(0, lastShown - line.length())));
            console.err().flush();
            lastShown = line.length();
        }
    }

    private void endLine() {
        if (lastShown > 0) {
            console.err().println();
            console.err().flush();
            lastShown = 0;
        }
    }
}
