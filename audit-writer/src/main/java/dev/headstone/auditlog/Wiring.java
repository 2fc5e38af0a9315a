package dev.headstone.auditlog;

import dev.headstone.lambda.AwsClients;
import dev.headstone.lambda.AwsClients.Connections;
import dev.headstone.lambda.AwsClients.Deadlines;
import dev.headstone.lambda.EmbeddedMetrics;
import dev.headstone.lambda.Invocations;
import dev.headstone.lambda.StandardOutput;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Puts the audit writer together for Lambda: the only place that creates a client. */
final class Wiring implements AutoCloseable {
    private final DynamoDbClient client;
    private final DynamoAuditLog log;
    private final AuditBatch batch;
    private final Invocations invocations;

    private Wiring(AuditConfig config, Connections connections) {
        EmbeddedMetrics figures = new EmbeddedMetrics(StandardOutput::line);
        this.client = new AwsClients(connections).dynamoDb(Deadlines.BATCHES);
        this.log = new DynamoAuditLog(client, config.table(), InstantSource.system());
        this.batch = batch(log, figures);
        this.invocations = new Invocations(figures, Duration.ZERO);
    }

    static Wiring open(AuditConfig config, Connections connections) {
        return new Wiring(config, connections);
    }

    static AuditBatch batch(AuditLog log, MeterRegistry registry) {
        return new AuditBatch(log, new AuditMetrics(registry));
    }

    AuditBatch batch() {
        return batch;
    }

    Invocations invocations() {
        return invocations;
    }

    /** Nothing is written: what an append only reads before it. */
    void prime() {
        log.chain("--snapshot--priming--", 0, Optional.empty(), 1);
    }

    @Override
    public void close() {
        client.close();
    }
}
