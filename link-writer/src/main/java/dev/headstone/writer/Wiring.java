package dev.headstone.writer;

import dev.headstone.audit.SqsAuditQueue;
import dev.headstone.lambda.AwsClients;
import dev.headstone.lambda.AwsClients.Connections;
import dev.headstone.lambda.AwsClients.Deadlines;
import dev.headstone.lambda.EmbeddedMetrics;
import dev.headstone.lambda.FunctionCache;
import dev.headstone.lambda.Invocations;
import dev.headstone.lambda.Parts;
import dev.headstone.lambda.StandardOutput;
import dev.headstone.table.DynamoLinkTable;
import dev.headstone.table.DynamoVisitTable;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * Puts the writer's functions together for Lambda: the only place that makes clients, a clock and a
 * source of randomness.
 */
final class Wiring {
    private final Parts parts = new Parts();
    private final FunctionCache cache;
    private final WriterConfig config;
    private final WriterPorts ports;
    private final Invocations invocations;

    private Wiring(WriterConfig config, Connections connections) {
        this.config = config;
        var clock = Clock.tickMillis(ZoneOffset.UTC);
        SecureRandom random = new SecureRandom();
        EmbeddedMetrics figures = new EmbeddedMetrics(StandardOutput::line);
        AwsClients clients = new AwsClients(connections);
        this.invocations = new Invocations(figures, Duration.ZERO);
        this.cache = parts.add(FunctionCache.open(config.cache(), random, clock, figures));
        DynamoDbClient dynamo = parts.add(clients.dynamoDb(Deadlines.WRITES));
        this.ports =
                new WriterPorts(
                                new DynamoLinkTable(dynamo, config.tables()),
                                cache.links(),
                                new SqsAuditQueue(
                                        parts.add(clients.sqs(Deadlines.WRITES)),
                                        config.auditQueue()),
                                clock,
                                random,
                                figures)
                        .withVisits(new DynamoVisitTable(dynamo, config.tables()));
    }

    static Wiring open(WriterConfig config, Connections connections) {
        return new Wiring(config, connections);
    }

    /** The control API of links. */
    LinkFunction.Links links() {
        ControlApi api =
                new ControlApi(
                        ports,
                        new DestinationPolicy(List.of(config.baseUrl().getHost())),
                        config.baseUrl());
        return new LinkFunction.Links(api, cache::verify, invocations, parts);
    }

    /** The second half of a takedown, for those who cannot reach the cache. */
    InvalidationLambda.Invalidation invalidation() {
        LinkChanges changes = new LinkChanges(ports, new WriterMetrics(ports.meters()));
        return new InvalidationLambda.Invalidation(changes, cache::verify, invocations, parts);
    }
}
