package dev.headstone.redirect;

import dev.headstone.cache.Settler;
import dev.headstone.lambda.AwsClients;
import dev.headstone.lambda.AwsClients.Connections;
import dev.headstone.lambda.AwsClients.Deadlines;
import dev.headstone.lambda.EmbeddedMetrics;
import dev.headstone.lambda.FunctionCache;
import dev.headstone.lambda.Invocations;
import dev.headstone.lambda.Parts;
import dev.headstone.lambda.RandomUuids;
import dev.headstone.lambda.StandardOutput;
import dev.headstone.table.DynamoLinkTable;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

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

    private Wiring(RedirectConfig config, Connections connections) {
        SecureRandom random = new SecureRandom();
        EmbeddedMetrics figures = new EmbeddedMetrics(StandardOutput::line);
        this.invocations = new Invocations(figures, FIGURES_EVERY);
        this.cache = parts.add(FunctionCache.open(config.cache(), random, clock, figures));
        DynamoLinkTable table =
                new DynamoLinkTable(
                        parts.add(new AwsClients(connections).dynamoDb(Deadlines.CLICKS)),
                        config.tables());
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
                                RedirectSettings.DEFAULT.withGoneStatus(config.goneStatus()),
                                figures));
    }

    static Wiring open(RedirectConfig config, Connections connections) {
        return new Wiring(config, connections);
    }

    /** What answers, once the cache behind it has been verified for this invocation. */
    RedirectSite site() {
        cache.verify();
        return site;
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
