package dev.headstone.stream;

import dev.headstone.audit.AuditQueue;
import dev.headstone.audit.SqsAuditQueue;
import dev.headstone.cache.Settler;
import dev.headstone.freshness.Freshness;
import dev.headstone.lambda.AwsClients;
import dev.headstone.lambda.AwsClients.Connections;
import dev.headstone.lambda.AwsClients.Deadlines;
import dev.headstone.lambda.EmbeddedMetrics;
import dev.headstone.lambda.FunctionCache;
import dev.headstone.lambda.Invocations;
import dev.headstone.lambda.Parts;
import dev.headstone.lambda.StandardOutput;
import dev.headstone.link.ShortCode;
import dev.headstone.table.DynamoDeathIndex;
import dev.headstone.table.DynamoLinkTable;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * Puts the consumer's functions together for Lambda: the only place that makes clients, a clock and
 * a source of randomness.
 */
final class Wiring implements AutoCloseable {
    /** What a stalled repair may still do to the cache after its deadline ends with its lease. */
    private static final Duration SETTLE_BUDGET = Duration.ofMillis(2_500);

    /** What is due is compared between two batches, as far as there are some. */
    private static final int COMPARISONS_PER_BATCH = 20;

    private static final int MOST_COMPARISONS_WAITING = 10_000;
    private static final ShortCode PRIMING = new ShortCode("--snapshot--priming--");

    private final Parts parts = new Parts();
    private final InstantSource clock = Clock.tickMillis(ZoneOffset.UTC);
    private final ConsumerConfig config;
    private final EmbeddedMetrics figures = new EmbeddedMetrics(StandardOutput::line);
    private final Invocations invocations = new Invocations(figures, Duration.ZERO);
    private final FunctionCache cache;
    private final DynamoDbClient dynamo;
    private final Settler settler;
    private final AuditQueue audit;
    private final CacheComparator comparator;

    private Wiring(ConsumerConfig config, Connections connections) {
        this.config = config;
        SecureRandom random = new SecureRandom();
        AwsClients clients = new AwsClients(connections);
        this.cache = parts.add(FunctionCache.open(config.cache(), random, clock, figures));
        this.dynamo = parts.add(clients.dynamoDb(Deadlines.BATCHES));
        DynamoLinkTable table = new DynamoLinkTable(dynamo, config.tables());
        this.settler = new Settler(cache.links(), table, clock, SETTLE_BUDGET);
        this.audit =
                new SqsAuditQueue(parts.add(clients.sqs(Deadlines.BATCHES)), config.auditQueue());
        this.comparator =
                new CacheComparator(
                        cache.links(),
                        table,
                        settler,
                        audit,
                        clock,
                        random,
                        MOST_COMPARISONS_WAITING,
                        figures);
    }

    static Wiring open(ConsumerConfig config, Connections connections) {
        return new Wiring(config, connections);
    }

    StreamHandler streamHandler() {
        return new StreamHandler(
                settler,
                audit,
                new DynamoParking(dynamo, config.parkedTable()),
                comparator,
                figures);
    }

    Sweep sweep() {
        SweepSettings usual = SweepSettings.DEFAULT;
        return new Sweep(
                new DynamoDeathIndex(dynamo, config.tables()),
                settler,
                cache.node(),
                clock,
                System::nanoTime,
                new SweepSettings(
                        Freshness.SWEPT_BACK,
                        usual.lookAhead(),
                        usual.concurrency(),
                        usual.mostPerSecond(),
                        config.sweepBudget()),
                figures);
    }

    Invocations invocations() {
        return invocations;
    }

    /** Compares what has become due while the environment was frozen. */
    void compareDue() {
        comparator.compareDue(COMPARISONS_PER_BATCH);
    }

    void verifyCache() {
        cache.verify();
    }

    /** A repair of what does not exist goes through everything but the parking. */
    void prime() {
        settler.repair(PRIMING, Settler.OfLive.DROP_OLDER, Optional.empty());
        comparator.after(PRIMING, clock.instant().minus(Duration.ofHours(1)));
        compareDue();
    }

    @Override
    public void close() {
        parts.close();
    }
}
