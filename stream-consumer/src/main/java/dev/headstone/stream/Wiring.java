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
import dev.headstone.table.DynamoVisitTable;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.sqs.SqsClient;

/**
 * Puts the consumer's functions together for Lambda: the only place that makes clients, a clock and
 * a source of randomness.
 */
final class Wiring implements AutoCloseable {
    /** What a stalled repair may still do to the cache after its deadline ends with its lease. */
    private static final Duration SETTLE_BUDGET = Duration.ofMillis(2_500);

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
    private final DynamoLinkTable table;
    private final SecureRandom random = new SecureRandom();
    private final DelayedComparisons comparisons;

    private Wiring(ConsumerConfig config, Connections connections) {
        this.config = config;
        AwsClients clients = new AwsClients(connections);
        this.cache = parts.add(FunctionCache.open(config.cache(), random, clock, figures));
        this.dynamo = parts.add(clients.dynamoDb(Deadlines.BATCHES));
        this.table = new DynamoLinkTable(dynamo, config.tables());
        this.settler = new Settler(cache.links(), table, clock, SETTLE_BUDGET);
        SqsClient sqs = parts.add(clients.sqs(Deadlines.BATCHES));
        this.audit = new SqsAuditQueue(sqs, config.auditQueue());
        this.comparisons = new DelayedComparisons(sqs, config.comparisonsQueue(), clock, figures);
    }

    static Wiring open(ConsumerConfig config, Connections connections) {
        return new Wiring(config, connections);
    }

    StreamHandler streamHandler() {
        return new StreamHandler(
                settler,
                audit,
                new DynamoParking(dynamo, config.parkedTable()),
                comparisons,
                new DynamoVisitTable(dynamo, config.tables()),
                figures);
    }

    /** Compares; nothing waits in it. */
    CacheComparator comparator() {
        return new CacheComparator(cache.links(), table, settler, audit, clock, random, 0, figures);
    }

    DelayedComparisons comparisons() {
        return comparisons;
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

    void verifyCache() {
        cache.verify();
    }

    /** A repair of what does not exist goes through everything but the parking. */
    void prime() {
        settler.repair(PRIMING, Settler.OfLive.DROP_OLDER, Optional.empty());
    }

    @Override
    public void close() {
        parts.close();
    }
}
