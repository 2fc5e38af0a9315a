package dev.headstone.redirect;

import dev.headstone.cache.Settler;
import dev.headstone.lambda.AwsClients;
import dev.headstone.lambda.AwsClients.Connections;
import dev.headstone.lambda.AwsClients.Deadlines;
import dev.headstone.lambda.EmbeddedMetrics;
import dev.headstone.lambda.FunctionCache;
import dev.headstone.lambda.Invocations;
import dev.headstone.lambda.Later;
import dev.headstone.lambda.Parts;
import dev.headstone.lambda.RandomUuids;
import dev.headstone.lambda.StandardOutput;
import dev.headstone.table.DynamoLinkTable;
import dev.headstone.table.DynamoVisitTable;
import dev.headstone.table.LinkTable;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * Puts the redirect together for Lambda: the only place that makes clients, a clock and a source of
 * randomness.
 */
final class Wiring implements AutoCloseable {
    /** What ending a link may still take after a click claimed its last visit. */
    private static final Duration SETTLE_BUDGET = Duration.ofSeconds(1);

    /** A line for each click would cost more than the click. */
    private static final Duration FIGURES_EVERY = Duration.ofSeconds(1);

    private final Parts parts = new Parts();
    private final InstantSource clock = Clock.tickMillis(ZoneOffset.UTC);
    private final FunctionCache cache;
    private final RedirectSite site;
    private final Invocations invocations;
    private final VisitSchedule visits;

    private Wiring(RedirectConfig config, Connections connections) {
        SecureRandom random = new SecureRandom();
        EmbeddedMetrics figures = new EmbeddedMetrics(StandardOutput::line);
        this.invocations = new Invocations(figures, FIGURES_EVERY);
        this.cache = parts.add(FunctionCache.open(config.cache(), random, clock, figures));
        AwsClients clients = new AwsClients(connections);
        Later<DynamoDbClient> forClicks =
                parts.add(new Later<>(() -> clients.dynamoDb(Deadlines.CLICKS)));
        LinkTable table =
                new TableWhenNeeded(() -> new DynamoLinkTable(forClicks.get(), config.tables()));
        Later<DynamoDbClient> forVisits =
                parts.add(new Later<>(() -> clients.dynamoDb(Deadlines.WRITES)));
        VisitCounter counter =
                new VisitCounter(
                        new VisitsWhenNeeded(
                                () -> new DynamoVisitTable(forVisits.get(), config.tables())),
                        clock,
                        new RandomUuids(random),
                        figures);
        this.visits =
                parts.add(new VisitSchedule(counter, VisitPace.AWS, System::nanoTime, figures));
        ExecutorService misses = Executors.newVirtualThreadPerTaskExecutor();
        parts.add(
                () -> {
                    misses.shutdownNow();
                    boolean _ = misses.awaitTermination(1, TimeUnit.SECONDS);
                });
        this.site =
                new RedirectSite(
                        new RedirectService(
                                        cache.links(),
                                        table,
                                        new Settler(cache.links(), table, clock, SETTLE_BUDGET),
                                        clock,
                                        misses,
                                        new RandomUuids(random),
                                        RedirectSettings.DEFAULT.withGoneStatus(
                                                config.goneStatus()),
                                        counter,
                                        figures)
                                .showing(new LinkViews(config::baseUrl)));
    }

    static Wiring open(RedirectConfig config, Connections connections) {
        return new Wiring(config, connections);
    }

    /** What answers, once the cache behind it has been verified for this invocation. */
    RedirectSite site() {
        cache.verify();
        return site;
    }

    /** Nothing runs between two invocations: what is due is written at the end of one. */
    void writeVisitsIfDue() {
        Duration _ = visits.flushIfDue();
    }

    InstantSource clock() {
        return clock;
    }

    Invocations invocations() {
        return invocations;
    }

    @Override
    public void close() {
        parts.close();
    }
}
