package dev.headstone.auditlog;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Puts the audit writer together for Lambda: the only place that creates a client. */
final class Wiring implements AutoCloseable {
    /** The service answers in milliseconds; a connection that does not is not worth waiting for. */
    private static final Duration CONNECT = Duration.ofSeconds(1);

    private static final Duration ATTEMPT = Duration.ofSeconds(2);
    private static final int ATTEMPTS = 3;

    /** Three attempts and the pauses between them. */
    private static final Duration CALL = Duration.ofSeconds(7);

    private final DynamoDbClient client;
    private final AuditBatch batch;

    private Wiring(DynamoDbClient client, AuditBatch batch) {
        this.client = client;
        this.batch = batch;
    }

    static Wiring from(AuditConfig config) {
        DynamoDbClient client =
                DynamoDbClient.builder()
                        .httpClient(
                                UrlConnectionHttpClient.builder()
                                        .connectionTimeout(CONNECT)
                                        .socketTimeout(ATTEMPT)
                                        .build())
                        .overrideConfiguration(
                                call ->
                                        call.apiCallAttemptTimeout(ATTEMPT)
                                                .apiCallTimeout(CALL)
                                                .retryStrategy(
                                                        AwsRetryStrategy.standardRetryStrategy()
                                                                .toBuilder()
                                                                .maxAttempts(ATTEMPTS)
                                                                .build()))
                        .build();
        return new Wiring(
                client,
                batch(
                        new DynamoAuditLog(client, config.table(), InstantSource.system()),
                        new SimpleMeterRegistry()));
    }

    static AuditBatch batch(AuditLog log, MeterRegistry registry) {
        return new AuditBatch(log, new AuditMetrics(registry));
    }

    AuditBatch batch() {
        return batch;
    }

    @Override
    public void close() {
        client.close();
    }
}
