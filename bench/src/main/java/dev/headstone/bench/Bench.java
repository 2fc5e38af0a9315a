package dev.headstone.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Measures a {@code serve} from outside and prints what it found. Rates are taken side by side, in
 * alternating rounds; what they are measured beside needs {@code wrk}, {@code nginx} with its Lua
 * module and {@code redis-server} on the machine.
 */
public final class Bench {
    private static final Duration ROUND = Duration.ofSeconds(8);
    private static final int ROUNDS = 5;
    private static final int STARTS = 5;
    private static final Duration PACE = Duration.ofMillis(100);
    private static final int WARM_UP = 200;
    private static final int TAKEDOWNS = 500;
    private static final int REPAIRS = 100;
    private static final int AUDITED = 2_000;
    private static final int MANY_REPAIRS = 2_000;
    private static final int LINKS = 20_000;
    private static final int DRAWS = 400_000;
    private static final Duration MISSES = Duration.ofSeconds(2);
    private static final Duration CATCH_UP = Duration.ofMinutes(2);
    private static final long SEED = 20_261_201;
    private static final long CLICKS = 1_000_000;
    private static final long NO_END = 1_000_000_000;
    private static final int WRITERS = 64;

    /** The stream has settled so many in about a minute, and the rounds must not wait for more. */
    private static final int COUNTED_LINKS = 5_000;

    private static final String SETTLED = "headstone_stream_records_total{result=\"settled\"}";
    private static final String WRITTEN = "headstone_audit_events_total{result=\"written\"}";

    /** All but {@code start}, which starts its own. */
    private static final List<String> NAMES =
            List.of(
                    "takedown",
                    "repair-lag",
                    "repair-rate",
                    "audit",
                    "fresh-hit",
                    "tombstone",
                    "unknown",
                    "miss",
                    "zipf",
                    "limited",
                    "counting",
                    "memory");

    private final Path launcher;
    private final String path;
    private final PrintStream progress;
    private final List<Result> results = new ArrayList<>();

    private Bench(Path launcher, String path, PrintStream progress) {
        this.launcher = launcher;
        this.path = path;
        this.progress = progress;
    }

    /**
     * Measures and prints.
     *
     * @param arguments the launcher's path, then {@code --only NAME} and {@code --json} as wanted
     */
    public static void main(String[] arguments) throws Exception {
        List<String> words = Arrays.asList(arguments);
        int only = words.indexOf("--only");
        Optional<String> name =
                only < 0 || only + 1 >= words.size()
                        ? Optional.empty()
                        : Optional.of(words.get(only + 1));
        Bench bench = new Bench(Path.of(arguments[0]), System.getenv("PATH"), System.err);
        bench.run(name);
        if (bench.results.isEmpty()) {
            System.err.println(
                    "headstone: bench --only: one of start, " + String.join(", ", NAMES));
            System.exit(2);
        }
        if (words.contains("--json")) {
            System.out.println(bench.json());
        } else {
            bench.results.forEach(result -> System.out.println(result.row()));
        }
    }

    private void run(Optional<String> only) throws IOException, InterruptedException {
        if (wanted(only, "start")) {
            start();
        }
        if (NAMES.stream().noneMatch(name -> wanted(only, name))) {
            return;
        }
        try (Pipeline pipeline = Pipeline.start(launcher)) {
            if (wanted(only, "takedown")) {
                takedown(pipeline);
            }
            if (wanted(only, "repair-lag")) {
                repairLag(pipeline);
            }
            if (wanted(only, "repair-rate")) {
                repairRate(pipeline);
            }
            if (wanted(only, "audit")) {
                audit(pipeline);
            }
            Optional<Load> load = Machine.program("wrk", path).map(Load::new);
            if (load.isEmpty()) {
                progress.println("no wrk on the PATH: no rates, and no memory under load");
                return;
            }
            rates(pipeline, load.get(), only);
            if (wanted(only, "limited")) {
                limited(pipeline, load.get());
            }
            if (wanted(only, "counting")) {
                counting(pipeline, load.get());
            }
            if (Stream.of("miss", "zipf", "memory").anyMatch(name -> wanted(only, name))) {
                manyLinks(pipeline, load.get(), only);
            }
        }
    }

    private static boolean wanted(Optional<String> only, String name) {
        return only.isEmpty() || only.get().equals(name);
    }

    private void start() throws IOException, InterruptedException {
        double[] seconds = new double[STARTS];
        for (int i = 0; i < STARTS; i++) {
            long began = System.nanoTime();
            try (Pipeline _ = Pipeline.start(launcher)) {
                seconds[i] = (System.nanoTime() - began) / 1e9;
            }
            progress.printf("start %d of %d%n", i + 1, STARTS);
        }
        results.add(Result.of("start", "s", seconds));
    }

    /**
     * Links that have been there for a while, taken down ten a second: what a desk waits for. Then
     * the same without a pause, where each waits for the repairs and records of those before it
     * too.
     */
    private void takedown(Pipeline pipeline) throws IOException, InterruptedException {
        List<String> codes = new ArrayList<>();
        for (int i = 0; i < WARM_UP + 2 * TAKEDOWNS; i++) {
            codes.add(pipeline.create("https://example.com/takedown/" + i));
        }
        TimeUnit.SECONDS.sleep(2);
        takedowns(pipeline, codes.subList(0, WARM_UP), Duration.ZERO);
        double[] paced = takedowns(pipeline, codes.subList(WARM_UP, WARM_UP + TAKEDOWNS), PACE);
        addPercentiles("takedown", paced);
        double[] unpaced =
                takedowns(
                        pipeline, codes.subList(WARM_UP + TAKEDOWNS, codes.size()), Duration.ZERO);
        addPercentiles("takedown-back-to-back", unpaced);
    }

    private static double[] takedowns(Pipeline pipeline, List<String> codes, Duration pause)
            throws IOException, InterruptedException {
        double[] millis = new double[codes.size()];
        for (int i = 0; i < millis.length; i++) {
            TimeUnit.NANOSECONDS.sleep(pause.toNanos());
            long began = System.nanoTime();
            pipeline.takeDown(codes.get(i));
            millis[i] = (System.nanoTime() - began) / 1e6;
        }
        return millis;
    }

    /** The table is changed past the link writer, so that only the stream can entomb the link. */
    private void repairLag(Pipeline pipeline) throws IOException, InterruptedException {
        double[] millis = new double[REPAIRS];
        try (DynamoDbClient dynamo = table(pipeline)) {
            for (int i = -10; i < REPAIRS; i++) {
                String code = pipeline.create("https://example.com/repair");
                pipeline.click(code);
                kill(dynamo, code);
                long committed = System.nanoTime();
                while (pipeline.click(code) == 302) {
                    if (System.nanoTime() - committed > Duration.ofSeconds(10).toNanos()) {
                        throw new IllegalStateException("the stream repaired nothing in 10 s");
                    }
                }
                if (i >= 0) {
                    millis[i] = (System.nanoTime() - committed) / 1e6;
                }
            }
        }
        addPercentiles("repair-lag", millis);
    }

    private static DynamoDbClient table(Pipeline pipeline) {
        return DynamoDbClient.builder()
                .httpClientBuilder(Apache5HttpClient.builder())
                .endpointOverride(pipeline.table())
                .region(Region.US_EAST_1)
                .credentialsProvider(
                        StaticCredentialsProvider.create(
                                AwsBasicCredentials.create("headstone", "headstone")))
                .build();
    }

    private static void kill(DynamoDbClient dynamo, String code) {
        dynamo.updateItem(
                update ->
                        update.tableName("Links")
                                .key(Map.of("short_code", AttributeValue.fromS(code)))
                                .updateExpression(
                                        "SET is_active = :false, cause = :cause, deleted_at ="
                                                + " changed_at ADD version :one")
                                .expressionAttributeValues(
                                        Map.of(
                                                ":false", AttributeValue.fromBool(false),
                                                ":cause", AttributeValue.fromS("takedown"),
                                                ":one", AttributeValue.fromN("1"))));
    }

    private void addPercentiles(String name, double[] millis) {
        Arrays.sort(millis);
        results.add(Result.of(name, "ms", millis));
        results.add(Result.of(name + "-p99", "ms", millis[(int) (millis.length * 0.99)]));
    }

    private void rates(Pipeline pipeline, Load load, Optional<String> only)
            throws IOException, InterruptedException {
        String live = pipeline.create("https://example.com/landing?campaign=spring");
        String dead = pipeline.create("https://example.com/landing?campaign=spring");
        pipeline.takeDown(dead);
        if (wanted(only, "fresh-hit")) {
            freshHit(pipeline, load, live);
        }
        for (var row : Map.of("tombstone", dead, "unknown", "nobody").entrySet()) {
            if (wanted(only, row.getKey())) {
                results.add(rounds(row.getKey(), load, pipeline, row.getValue()));
            }
        }
    }

    /** Each click is a conditional write of one item, and so is what it is measured beside. */
    private void limited(Pipeline pipeline, Load load) throws IOException, InterruptedException {
        String limited = pipeline.createLimited(NO_END);
        String beside = pipeline.createLimited(NO_END);
        load.rate(pipeline.clicks(limited), ROUND); // warm
        double[] clicks = new double[ROUNDS];
        double[] writes = new double[ROUNDS];
        try (DynamoDbClient dynamo = table(pipeline)) {
            conditionalWrites(dynamo, beside, ROUND);
            for (int round = 0; round < ROUNDS; round++) {
                writes[round] = conditionalWrites(dynamo, beside, ROUND);
                clicks[round] = load.rate(pipeline.clicks(limited), ROUND);
                progress.printf(
                        "limited round %d of %d: %.0f clicks/s, %.0f conditional writes/s%n",
                        round + 1, ROUNDS, clicks[round], writes[round]);
            }
        }
        Result versus = Result.of("conditional-writes", "req/s", writes);
        results.add(Result.of("limited", "req/s", clicks).beside("conditional-writes", versus));
    }

    /** What the table takes from as many writers as clicks come over connections. */
    private static double conditionalWrites(DynamoDbClient dynamo, String code, Duration round)
            throws InterruptedException {
        AtomicLong written = new AtomicLong();
        long began = System.nanoTime();
        long end = began + round.toNanos();
        try (ExecutorService writers = Executors.newFixedThreadPool(WRITERS)) {
            for (int writer = 0; writer < WRITERS; writer++) {
                writers.execute(
                        () -> {
                            while (System.nanoTime() < end) {
                                claim(dynamo, code);
                                written.incrementAndGet();
                            }
                        });
            }
        }
        return written.get() / ((System.nanoTime() - began) / 1e9);
    }

    private static void claim(DynamoDbClient dynamo, String code) {
        dynamo.updateItem(
                update ->
                        update.tableName("Links")
                                .key(Map.of("short_code", AttributeValue.fromS(code)))
                                .updateExpression(
                                        "SET visits = if_not_exists(visits, :zero) + :one")
                                .conditionExpression(
                                        "is_active = :true AND (attribute_not_exists(visits) OR"
                                                + " visits < :last)")
                                .expressionAttributeValues(
                                        Map.of(
                                                ":true", AttributeValue.fromBool(true),
                                                ":zero", AttributeValue.fromN("0"),
                                                ":one", AttributeValue.fromN("1"),
                                                ":last", AttributeValue.fromN("" + NO_END))));
    }

    /** The same clicks on two that differ in nothing but that one counts, in alternating rounds. */
    private void counting(Pipeline counts, Load load) throws IOException, InterruptedException {
        try (Pipeline silent = Pipeline.start(launcher, Map.of("HEADSTONE_COUNT_VISITS", "off"))) {
            String here = counts.create("https://example.com/landing");
            String there = silent.create("https://example.com/landing");
            compare(
                    "counting",
                    () -> load.rate(counts.clicks(here), ROUND),
                    () -> load.rate(silent.clicks(there), ROUND));
            List<String> drawsHere = zipf(counts.create(COUNTED_LINKS), new SplittableRandom(SEED));
            List<String> drawsThere =
                    zipf(silent.create(COUNTED_LINKS), new SplittableRandom(SEED));
            awaitStream(counts, counts.metric(SETTLED));
            awaitStream(silent, silent.metric(SETTLED));
            compare(
                    "counting-zipf",
                    () -> load.walk(counts.clicks(""), drawsHere, ROUND).perSecond(),
                    () -> load.walk(silent.clicks(""), drawsThere, ROUND).perSecond());
        }
    }

    /** A round of load, which gives its rate. */
    @FunctionalInterface
    private interface Round {
        double run() throws IOException, InterruptedException;
    }

    private void compare(String name, Round counting, Round silent)
            throws IOException, InterruptedException {
        double[] with = new double[ROUNDS];
        double[] without = new double[ROUNDS];
        counting.run(); // warm
        silent.run();
        for (int round = 0; round < ROUNDS; round++) {
            without[round] = silent.run();
            with[round] = counting.run();
            progress.printf(
                    "%s round %d of %d: %.0f, off %.0f req/s%n",
                    name, round + 1, ROUNDS, with[round], without[round]);
        }
        Result versus = Result.of("counting-off", "req/s", without);
        results.add(Result.of(name, "req/s", with).beside("counting-off", versus));
    }

    private Result rounds(String name, Load load, Pipeline pipeline, String code)
            throws IOException, InterruptedException {
        load.rate(pipeline.clicks(code), ROUND);
        double[] rates = new double[3];
        for (int round = 0; round < rates.length; round++) {
            rates[round] = load.rate(pipeline.clicks(code), ROUND);
        }
        return Result.of(name, "req/s", rates);
    }

    private void freshHit(Pipeline pipeline, Load load, String code)
            throws IOException, InterruptedException {
        Optional<Path> nginx = Machine.program("nginx", path);
        Optional<Path> redis = Machine.program("redis-server", path);
        Optional<Path> redisClient = Machine.program("redis-cli", path);
        load.rate(pipeline.clicks(code), ROUND.multipliedBy(2)); // warm
        if (nginx.isEmpty() || redis.isEmpty() || redisClient.isEmpty()) {
            progress.println("no nginx or redis-server: fresh-hit is measured beside nothing");
            results.add(rounds("fresh-hit", load, pipeline, code));
            return;
        }
        double[] ours = new double[ROUNDS];
        double[] theirs = new double[ROUNDS];
        try (NginxRedirect beside =
                NginxRedirect.start(nginx.get(), redis.get(), redisClient.get())) {
            load.rate(beside.clicks(), Duration.ofSeconds(2));
            for (int round = 0; round < ROUNDS; round++) {
                theirs[round] = load.rate(beside.clicks(), ROUND);
                ours[round] = load.rate(pipeline.clicks(code), ROUND);
                progress.printf(
                        "fresh-hit round %d of %d: %.0f, nginx+lua %.0f req/s%n",
                        round + 1, ROUNDS, ours[round], theirs[round]);
            }
        }
        Result versus = Result.of("nginx+lua", "req/s", theirs);
        results.add(Result.of("fresh-hit", "req/s", ours).beside("nginx+lua", versus));
    }

    /** Links that die past the link writer, as many at a time as the table takes. */
    private void repairRate(Pipeline pipeline) throws IOException, InterruptedException {
        List<String> codes = pipeline.create(MANY_REPAIRS);
        awaitStream(pipeline, pipeline.metric(SETTLED));
        double before = pipeline.metric(SETTLED);
        long began = System.nanoTime();
        try (DynamoDbClient dynamo = table(pipeline);
                ExecutorService writers = Executors.newFixedThreadPool(8)) {
            codes.forEach(code -> writers.execute(() -> kill(dynamo, code)));
        }
        awaitMetric(pipeline, SETTLED, before + MANY_REPAIRS);
        results.add(Result.of("repair-rate", "links/s", perSecond(MANY_REPAIRS, began)));
    }

    /** Creates as fast as they are taken, until the last one's event is in the log. */
    private void audit(Pipeline pipeline) throws IOException, InterruptedException {
        double before = pipeline.metric(WRITTEN);
        long began = System.nanoTime();
        pipeline.create(AUDITED);
        awaitMetric(pipeline, WRITTEN, before + AUDITED);
        results.add(Result.of("audit", "events/s", perSecond(AUDITED, began)));
    }

    private static double perSecond(int count, long began) {
        return count / ((System.nanoTime() - began) / 1e9);
    }

    /** Waits until the stream has been quiet for a while. */
    private static void awaitStream(Pipeline pipeline, double settled)
            throws IOException, InterruptedException {
        double last = settled;
        TimeUnit.SECONDS.sleep(1);
        for (double now = pipeline.metric(SETTLED); now > last; now = pipeline.metric(SETTLED)) {
            last = now;
            TimeUnit.SECONDS.sleep(1);
        }
    }

    private static void awaitMetric(Pipeline pipeline, String line, double value)
            throws IOException, InterruptedException {
        long end = System.nanoTime() + CATCH_UP.toNanos();
        while (pipeline.metric(line) < value) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException(
                        line + " stands at %.0f, not %.0f".formatted(pipeline.metric(line), value));
            }
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    private void manyLinks(Pipeline pipeline, Load load, Optional<String> only)
            throws IOException, InterruptedException {
        List<String> codes = pipeline.create(LINKS);
        progress.printf("%d links%n", LINKS);
        awaitStream(pipeline, pipeline.metric(SETTLED));
        if (wanted(only, "miss")) {
            miss(pipeline, load, codes);
        }
        if (wanted(only, "zipf")) {
            zipf(pipeline, load, codes);
        }
        if (wanted(only, "memory")) {
            memory(pipeline, load, codes.getFirst());
        }
    }

    /** Each link once after the cache was lost: lease, table, settle, answer. */
    private void miss(Pipeline pipeline, Load load, List<String> codes)
            throws IOException, InterruptedException {
        String dead = pipeline.create("https://example.com/dead");
        pipeline.takeDown(dead);
        double[] rates = new double[3];
        for (int round = 0; round < rates.length; round++) {
            pipeline.loseCache(dead);
            Load.Walk walk = load.walk(pipeline.clicks(""), codes, MISSES);
            if (walk.requests() > codes.size()) {
                throw new IllegalStateException("some of the clicks were hits: more links needed");
            }
            rates[round] = walk.perSecond();
        }
        results.add(Result.of("miss", "req/s", rates));
    }

    /** The n-th most popular link is clicked in proportion to 1/n. */
    private void zipf(Pipeline pipeline, Load load, List<String> codes)
            throws IOException, InterruptedException {
        progress.printf("zipf: seed %d%n", SEED);
        List<String> draws = zipf(codes, new SplittableRandom(SEED));
        load.walk(pipeline.clicks(""), draws, ROUND);
        double[] rates = new double[3];
        for (int round = 0; round < rates.length; round++) {
            rates[round] = load.walk(pipeline.clicks(""), draws, ROUND).perSecond();
        }
        results.add(Result.of("zipf", "req/s", rates));
    }

    private static List<String> zipf(List<String> codes, SplittableRandom random) {
        double[] upTo = new double[codes.size()];
        double sum = 0;
        for (int i = 0; i < upTo.length; i++) {
            sum += 1.0 / (i + 1);
            upTo[i] = sum;
        }
        List<String> draws = new ArrayList<>();
        for (int i = 0; i < DRAWS; i++) {
            int found = Arrays.binarySearch(upTo, random.nextDouble(sum));
            draws.add(codes.get(found < 0 ? -found - 1 : found));
        }
        return draws;
    }

    private void memory(Pipeline pipeline, Load load, String hot)
            throws IOException, InterruptedException {
        long clicks = 0;
        while (clicks < CLICKS) {
            clicks += load.requests(pipeline.clicks(hot), ROUND);
        }
        TimeUnit.SECONDS.sleep(2);
        results.add(Result.of("memory", "MB", Machine.residentMegabytes(pipeline.processes())));
    }

    private String json() throws IOException {
        ObjectMapper mapper = new ObjectMapper();
        ObjectNode report = mapper.createObjectNode();
        ArrayNode rows = report.putArray("results");
        for (Result result : results) {
            ObjectNode row = rows.addObject();
            row.put("name", result.name());
            row.put("unit", result.unit());
            row.put("median", result.median());
            row.put("min", result.min());
            row.put("max", result.max());
            row.put("versus", result.versus().orElse(null));
            row.put("ratio", result.ratio().orElse(null));
        }
        return mapper.writeValueAsString(report);
    }
}
