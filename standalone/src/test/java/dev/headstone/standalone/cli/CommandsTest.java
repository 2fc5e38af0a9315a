package dev.headstone.standalone.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.headstone.standalone.options.Console;
import dev.headstone.standalone.options.Misuse;
import dev.headstone.writer.aws.TakedownOutcome;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The commands against a control port that says what it is told to. */
@Timeout(30)
final class CommandsTest {
    private static final String RECEIPT =
            "{\"short_code\":\"spring\",\"outcome\":\"confirmed\",\"state\":\"taken_down\","
                    + "\"version\":2,\"at\":\"2026-12-01T10:00:00.000Z\","
                    + "\"confirmed_at\":\"2026-12-01T10:00:00.100Z\","
                    + "\"edge_clear_at\":\"2026-12-01T10:00:06.100Z\",\"event_id\":\"outcome-1\"}";
    private static final Instant NOW = Instant.parse("2026-12-01T10:00:00.500Z");

    @TempDir private Path folder;
    private final Map<String, String> environment = new TreeMap<>();
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final List<String> asked = new ArrayList<>();
    private final Deque<Said> answers = new ArrayDeque<>();
    private boolean onTerminal;
    private boolean onAws;
    private HttpServer server;

    private record Said(int status, String body, Optional<String> retryAfter) {}

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
        environment.put("HEADSTONE_URL", "http://127.0.0.1:" + server.getAddress().getPort());
        environment.put("HEADSTONE_TOKEN", "hs_secret");
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private void answer(HttpExchange exchange) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
        asked.add(
                (exchange.getRequestMethod() + " " + exchange.getRequestURI() + " " + body)
                        .strip());
        Said said = answers.size() > 1 ? answers.pop() : answers.peek();
        if (said == null || said.status() == 0) {
            exchange.close(); // without a word
            return;
        }
        said.retryAfter()
                .ifPresent(after -> exchange.getResponseHeaders().set("Retry-After", after));
        if (said.status() == 302) {
            exchange.getResponseHeaders().set("Location", "/elsewhere");
        }
        exchange.sendResponseHeaders(said.status(), said.body().getBytes(UTF_8).length);
        exchange.getResponseBody().write(said.body().getBytes(UTF_8));
        exchange.close();
    }

    private CommandsTest says(int status, String body) {
        answers.add(new Said(status, body, status == 503 ? Optional.of("1") : Optional.empty()));
        return this;
    }

    private int run(String line) {
        return run(line.split(" ", -1));
    }

    private int run(String... arguments) {
        Console console = new Console(environment, new PrintWriter(out), new PrintWriter(err));
        Shell shell =
                new Shell(
                        console,
                        onTerminal,
                        () -> onAws,
                        InstantSource.fixed(NOW),
                        new Random(1),
                        _ -> {});
        CommandLine all = new CommandLine(new Root());
        Commands.all(shell, (_, _, _, _) -> new TakedownOutcome.Refused("none here"))
                .forEach(all::addSubcommand);
        return all.setErr(new PrintWriter(err))
                .setExecutionExceptionHandler(
                        (failure, _, _) -> {
                            if (failure instanceof Misuse misuse) {
                                err.append(misuse.line());
                                return Misuse.EXIT;
                            }
                            throw failure;
                        })
                .execute(arguments);
    }

    @Command(name = "headstone")
    private static final class Root {}

    @Test
    void aReceiptIsShownWithTheTimeTheEdgeStillHas() {
        assertThat(says(200, RECEIPT).run("takedown spring --reason phishing")).isZero();
        assertThat(asked)
                .containsExactly("POST /v1/links/spring/takedown {\"reason\":\"phishing\"}");
        assertThat(out.toString())
                .contains("confirmed     spring")
                .contains("edge          edge clear in 6 s (2026-12-01T10:00:06.100Z)")
                .doesNotContain("\u001b");
    }

    @Test
    void jsonIsWhatTheServerSaidByteForByte() {
        assertThat(says(200, RECEIPT).run("takedown spring --reason x --json")).isZero();
        assertThat(out.toString().strip()).isEqualTo(RECEIPT);
    }

    @Test
    void coloursAreForTerminalsWithoutNoColor() {
        onTerminal = true;
        says(200, RECEIPT).run("confirm spring");
        assertThat(out.toString()).contains("\u001b[31mtaken_down\u001b[0m");
        environment.put("NO_COLOR", "1");
        out.getBuffer().setLength(0);
        run("confirm spring");
        assertThat(out.toString()).doesNotContain("\u001b");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "confirm spring | POST /v1/links/spring/confirm",
                "restore spring --reason x | POST /v1/links/spring/restore {\"reason\":\"x\"}",
                "deactivate spring | PATCH /v1/links/spring {\"state\":\"deactivated\"}",
                "reactivate spring | PATCH /v1/links/spring {\"state\":\"active\"}",
            })
    void eachChangeAsksItsQuestion(String line, String question) {
        assertThat(says(200, RECEIPT).run(line)).isZero();
        assertThat(asked).containsExactly(question);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "200 | 3", "302 | 1", "401 | 1", "403 | 1", "404 | 1", "408 | 3", "409 | 1",
                "422 | 1", "500 | 3", "502 | 3", "503 | 3", "0 | 3",
            })
    void onlyAReceiptIsASuccessAndDoubtIsThree(int status, int exit) {
        says(status, "{\"detail\":\"So it is.\",\"outcome\":\"invalidate_failed\"}");
        assertThat(run("takedown spring --reason x")).isEqualTo(exit);
        assertThat(out.toString()).isEmpty();
        assertThat(err.toString().lines()).hasSize(1);
        assertThat(err.toString()).startsWith("headstone: ").doesNotContain("hs_secret");
        assertThat(asked).hasSize(1);
    }

    @Test
    void whatIsNotConfirmedSaysWhenToRunItAgain() {
        says(503, "{\"detail\":\"The cache is silent.\",\"outcome\":\"invalidate_failed\"}");
        assertThat(run("restore spring --reason x")).isEqualTo(3);
        assertThat(err.toString())
                .contains(
                        "not confirmed: The cache is silent. (invalidate_failed) Run it again in 1 s");
    }

    @Test
    void aWrongTokenSaysWhatToDo() {
        assertThat(says(401, "{}").run("show spring")).isEqualTo(1);
        assertThat(err.toString()).contains("wrong or revoked").contains("HEADSTONE_TOKEN");
    }

    @Test
    void nobodyThereIsAFailureThatNamesThePlace() {
        server.stop(0);
        assertThat(run("takedown spring --reason x")).isEqualTo(1);
        assertThat(err.toString()).contains("nothing answers at http://127.0.0.1:");
    }

    @Test
    void withoutAServeItSaysWhereItLooked() throws IOException {
        environment.clear();
        assertThat(run("show", "spring", "--data", folder.toString())).isEqualTo(1);
        assertThat(err.toString()).contains("no serve is running: there is no " + folder);

        Files.writeString(
                folder.resolve("serve.json"),
                "{\"port\":1,\"control_port\":2,\"pid\":" + Long.MAX_VALUE + "}");
        Files.writeString(folder.resolve("local-token"), "hs_local");
        assertThat(run("show", "spring", "--data", folder.toString(), "--json")).isEqualTo(1);
        assertThat(err.toString()).contains("which is gone");
        assertThat(out.toString()).contains("\"outcome\":\"failed\"");
    }

    @Test
    void theLocalTokenGoesToThisMachinesServeOnly() throws IOException {
        environment.remove("HEADSTONE_TOKEN");
        Files.writeString(folder.resolve("local-token"), "hs_local");
        assertThat(run("show", "spring", "--data", folder.toString())).isEqualTo(2);
        assertThat(asked).isEmpty();
    }

    @Test
    void theDataFolderLeadsToTheRunningServe() throws IOException {
        environment.clear();
        Files.writeString(
                folder.resolve("serve.json"),
                "{\"port\":1,\"control_port\":%d,\"pid\":%d}"
                        .formatted(server.getAddress().getPort(), ProcessHandle.current().pid()));
        Files.writeString(folder.resolve("local-token"), "hs_local\n");
        says(200, RECEIPT);
        assertThat(run("confirm", "spring", "--data", folder.toString())).isZero();
    }

    @Test
    void untrustedTextCannotSteerTheTerminal() {
        says(
                200,
                "{\"short_code\":\"abc\",\"state\":\"active\",\"long_url\":\"http://x/\\u001b[2J\","
                        + "\"owner\":\"a\\u202eb\",\"tags\":[\"t\\n\"]}");
        assertThat(run("show abc")).isZero();
        assertThat(out.toString()).doesNotContain("\u001b").doesNotContain("\u202e");
        assertThat(out.toString()).contains("http://x/\uFFFD[2J").contains("t\uFFFD");
    }

    @Test
    void aCreateThatWasNotAnsweredNamesTheKeyThatMakesItRepeatable() {
        says(0, "");
        assertThat(run("create https://example.com/ --alias spring --tag a --tag b")).isEqualTo(3);
        assertThat(err.toString()).containsPattern("--idempotency-key [0-9a-f]{32}");
        assertThat(asked)
                .containsExactly(
                        "POST /v1/links {\"long_url\":\"https://example.com/\",\"alias\":\"spring\","
                                + "\"tags\":[\"a\",\"b\"]}");
    }

    @Test
    void theAuditLogIsReadToItsEnd() {
        String event = "{\"at\":\"2026-12-01T10:00:00.000Z\",\"short_code\":\"abc\",\"seq\":%d}";
        says(200, "{\"events\":[" + event.formatted(1) + "],\"cursor\":\"a+b\"}");
        says(200, "{\"events\":[" + event.formatted(2) + "]}");
        assertThat(run("audit abc --since 2026-12-01T00:00:00+01:00")).isZero();
        assertThat(out.toString()).contains("#1").contains("#2");
        assertThat(asked)
                .containsExactly(
                        "GET /v1/audit?limit=1000&since=2026-12-01T00%3A00%3A00%2B01%3A00&code=abc",
                        "GET /v1/audit?limit=1000&since=2026-12-01T00%3A00%3A00%2B01%3A00&cursor=a%2Bb&code=abc");
    }

    @Test
    void aCursorThatGoesNowhereEndsIt() {
        says(200, "{\"events\":[],\"cursor\":\"a\"}");
        assertThat(run("audit abc")).isEqualTo(1);
        assertThat(asked).hasSize(2);
    }

    @Test
    void aBrokenAuditLogIsOne() {
        says(200, "{\"ok\":false,\"links\":1,\"events\":2,\"faults\":[{\"kind\":\"gap\"}]}");
        assertThat(run("audit --verify")).isEqualTo(1);
        assertThat(out.toString()).contains("broken").contains("gap");
    }

    @Test
    void aJobIsFollowedToItsEnd() {
        onTerminal = true;
        says(202, "{\"id\":\"job-1\",\"state\":\"blocked\",\"count\":2}");
        says(200, "{\"id\":\"job-1\",\"state\":\"running\",\"count\":2,\"done\":1}");
        says(200, "{\"id\":\"job-1\",\"state\":\"done\",\"count\":2,\"done\":2}");
        assertThat(run("takedowns --host evil.example --reason phishing")).isZero();
        assertThat(err.toString()).contains("\rjob-1  running, count 2, done 1");
        assertThat(out.toString()).contains("done, count 2, done 2");
        assertThat(asked.getFirst())
                .isEqualTo(
                        "POST /v1/takedowns {\"reason\":\"phishing\",\"host\":\"evil.example\"}");
    }

    @Test
    void aJobThatDoesNotEndIsLeftAndNotConfirmed() {
        says(202, "{\"id\":\"job-1\",\"state\":\"blocked\"}");
        says(200, "{\"id\":\"job-1\",\"state\":\"running\"}");
        assertThat(run("takedowns --tag t --reason x --wait 3")).isEqualTo(3);
        assertThat(err.toString()).contains("job job-1 goes on");
        assertThat(asked).hasSize(7); // the job, and twice a second
    }

    @Test
    void aDryRunShowsTheSampleAndTheCodesComeFromAFile() throws IOException {
        Path codes = Files.writeString(folder.resolve("codes"), "abc # first\n\ndef\nabc\n");
        says(200, "{\"count\":2,\"sample\":[\"abc\"]}");
        assertThat(run("takedowns", "--codes-file", codes.toString(), "--reason", "x", "--dry-run"))
                .isZero();
        assertThat(out.toString()).contains("2 alive, nothing was changed");
        assertThat(asked)
                .containsExactly(
                        "POST /v1/takedowns {\"reason\":\"x\",\"dry_run\":true,\"codes\":[\"abc\",\"def\"]}");
    }

    @Test
    void aServerWithoutJobsIsShownAsThat() {
        says(404, "{\"detail\":\"There is nothing here.\"}");
        assertThat(run("takedowns --host evil.example --reason x")).isEqualTo(1);
        assertThat(err.toString()).contains("There is nothing here.");
    }

    @Test
    void statusTellsByPartAndIsOneWhenNotReady() {
        says(
                503,
                "{\"ready\":false,\"parts\":{\"cache\":{\"ready\":false,\"why\":\"not swept\"}}}");
        says(200, "headstone_redirect_seconds_count{cache=\"hit\",outcome=\"redirect\"} 6.0\n");
        says(
                200,
                """
                headstone_redirect_seconds_count{cache="hit",outcome="redirect"} 9.0
                headstone_redirect_seconds_count{cache="miss",outcome="redirect"} 3.0
                headstone_dead_letters{queue="a"} 2.0
                headstone_x NaN
                nonsense""");
        environment.remove("HEADSTONE_TOKEN");
        assertThat(run("status")).isEqualTo(1);
        assertThat(out.toString())
                .contains("not ready: not swept")
                .contains("6/s now, 12 since the start")
                .contains("75.00 %")
                .contains("dead letters  2");
    }

    @Test
    void aSweepThatIsNotFinishedIsThree() {
        says(503, "{\"detail\":\"The sweep is not finished.\",\"outcome\":\"unfinished\"}");
        assertThat(run("sweep")).isEqualTo(3);
        answers.clear();
        assertThat(says(200, "{\"outcome\":\"swept\",\"settled\":3,\"seconds\":0.25}").run("sweep"))
                .isZero();
        assertThat(out.toString()).contains("swept: 3 dead links settled in 0.3 s");
        answers.clear();
        assertThat(says(200, "{\"outcome\":\"swept\",\"settled\":1,\"seconds\":0}").run("sweep"))
                .isZero();
        assertThat(out.toString()).contains("swept: 1 dead link settled in 0.0 s");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "audit abc | {\"events\":[]}",
                "audit --verify | {\"ok\":true,\"links\":0,\"events\":0,\"faults\":[]}",
                "takedowns --host a.example --reason x --dry-run | {\"count\":0,\"sample\":[]}",
                "sweep | {\"outcome\":\"swept\",\"settled\":0,\"seconds\":0.1}",
                "show abc | {\"short_code\":\"abc\",\"state\":\"active\"}",
                "confirm abc | {\"outcome\":\"confirmed\",\"short_code\":\"abc\"}",
            })
    void withJsonTheAnswerIsAllThatIsSaid(String line, String answer) {
        onTerminal = true;
        assertThat(says(200, answer).run(line + " --json")).isZero();
        assertThat(out.toString().strip()).isEqualTo(answer);
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void aFollowedJobIsTwoDocumentsInJson() {
        says(202, "{\"id\":\"job-1\",\"state\":\"blocked\"}");
        says(200, "{\"id\":\"job-1\",\"state\":\"done\",\"failed\":1}");
        assertThat(run("takedowns --owner bob --reason x --json")).isEqualTo(3);
        assertThat(out.toString().lines())
                .containsExactly(
                        "{\"id\":\"job-1\",\"state\":\"blocked\"}",
                        "{\"id\":\"job-1\",\"state\":\"done\",\"failed\":1}");
    }

    @Test
    void statusInJsonIsReadinessAndFigures() {
        says(200, "{\"ready\":true,\"parts\":{}}");
        says(200, "headstone_cache_agreement_ratio{after=\"2s\"} 1.0\n");
        assertThat(run("status --json")).isZero();
        assertThat(out.toString().strip())
                .isEqualTo(
                        "{\"readiness\":{\"ready\":true,\"parts\":{}},\"metrics\":{\"redirects\":0.0,"
                                + "\"redirects_per_second\":0.0,\"takedowns\":0.0,"
                                + "\"dead_letters\":0.0,\"cache_agreement_ratio\":1.0}}");
    }

    @Test
    void aServerThatNeverAnswersIsGivenUpAtTheDeadline() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 8, InetAddress.getLoopbackAddress())) {
            environment.put("HEADSTONE_URL", "http://127.0.0.1:" + silent.getLocalPort());
            Place place =
                    switch (Place.find(environment, folder, true)) {
                        case Place.Found.At(Place found) -> found;
                        case Place.Found.Nowhere(String why) -> throw new AssertionError(why);
                    };
            try (ControlClient serve = new ControlClient(place)) {
                Question question = Question.post("/v1/sweep").within(Duration.ofMillis(200));
                assertThat(serve.ask(question)).isInstanceOf(Reply.NoAnswer.class);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "show",
                "show a!",
                "takedown abc",
                "restore abc --reason ",
                "create",
                "create https://x/ --visit-limit many",
                "takedowns --reason x",
                "takedowns --reason x --host a --tag b",
                "takedowns --reason x --host a --wait 0",
                "takedowns --reason x --codes-file /nowhere/at/all",
                "audit a!",
                "status now",
            })
    void misuseIsTwoAndAsksNobody(String line) {
        assertThat(run(line)).isEqualTo(2);
        assertThat(asked).isEmpty();
        assertThat(err.toString()).isNotBlank();
    }

    @ParameterizedTest
    @ValueSource(strings = {"ftp://x", "http://user@x", "http://x/path", "http://x?q", "x:80"})
    void aUrlThatIsNoneIsMisuseAndNotQuoted(String url) {
        environment.put("HEADSTONE_URL", url);
        assertThat(run("show abc")).isEqualTo(2);
        assertThat(err.toString()).contains("HEADSTONE_URL must be").doesNotContain(url);
    }

    @Test
    void onlyTakedownSpeaksToAws() {
        onAws = true;
        assertThat(run("show abc")).isEqualTo(2);
        assertThat(run("takedown abc --reason x")).isEqualTo(1);
        assertThat(err.toString()).contains("none here");
    }
}
