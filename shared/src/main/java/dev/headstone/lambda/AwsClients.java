package dev.headstone.lambda;

import dev.headstone.freshness.Freshness;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.awscore.client.builder.AwsClientBuilder;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.client.builder.SdkSyncClientBuilder;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.sqs.SqsClient;

/**
 * The SDK's clients as functions use them: on the JDK's HTTP client, with deadlines and retries
 * said out loud. Region and credentials are the SDK's own configuration, which on Lambda is the
 * function's.
 */
public final class AwsClients {
    private static final Duration CONNECT = Duration.ofSeconds(1);
    private static final int ATTEMPTS = 3;

    private final Connections connections;

    /** Whose connections live that long. */
    public AwsClients(Connections connections) {
        this.connections = connections;
    }

    /** How long a connection lives. */
    public enum Connections {
        /** Until nobody has used it for a while. */
        KEPT,
        /** For one call: before a snapshot, which no socket survives. */
        CLOSED
    }

    /**
     * How long a call may take.
     *
     * @param attempt one attempt of it
     * @param call all attempts and the pauses between them
     */
    public record Deadlines(Duration attempt, Duration call) {
        /** For a click. */
        public static final Deadlines CLICKS =
                new Deadlines(Freshness.TABLE_BUDGET.dividedBy(2), Freshness.TABLE_BUDGET);

        /** For whoever changes something and would rather wait than not know. */
        public static final Deadlines WRITES =
                new Deadlines(Duration.ofSeconds(1), Duration.ofSeconds(3));

        /** For one record of a batch, which comes again otherwise. */
        public static final Deadlines BATCHES =
                new Deadlines(Duration.ofSeconds(2), Duration.ofSeconds(7));
    }

    /** A client of DynamoDB. */
    public DynamoDbClient dynamoDb(Deadlines deadlines) {
        return built(DynamoDbClient.builder(), deadlines);
    }

    /** A client of SQS. */
    public SqsClient sqs(Deadlines deadlines) {
        return built(SqsClient.builder(), deadlines);
    }

    private <B extends AwsClientBuilder<B, C> & SdkSyncClientBuilder<B, C>, C> C built(
            B builder, Deadlines deadlines) {
        return builder.httpClientBuilder(
                        UrlConnectionHttpClient.builder()
                                .connectionTimeout(CONNECT)
                                .socketTimeout(deadlines.attempt()))
                .overrideConfiguration(
                        override ->
                                override.apiCallAttemptTimeout(deadlines.attempt())
                                        .apiCallTimeout(deadlines.call())
                                        .retryStrategy(
                                                AwsRetryStrategy.standardRetryStrategy().toBuilder()
                                                        .maxAttempts(ATTEMPTS)
                                                        .build())
                                        .headers(headers()))
                .build();
    }

    private Map<String, List<String>> headers() {
        return switch (connections) {
            case KEPT -> Map.of();
            case CLOSED -> Map.of("Connection", List.of("close"));
        };
    }
}
