package dev.headstone.standalone;

import dev.headstone.freshness.Freshness;
import dev.headstone.standalone.queue.EmbeddedQueue;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.client.builder.AwsClientBuilder;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.client.builder.SdkSyncClientBuilder;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;
import software.amazon.awssdk.services.sqs.SqsClient;

/**
 * The SDK's clients. Embedded services get their address and made-up credentials; for AWS the SDK's
 * own configuration decides everything. Clicks have connections of their own, so that a flood of
 * unknown codes cannot keep a takedown waiting for one.
 *
 * <p>On Apache's HTTP client: the JDK's, which small Lambda jars use, looks for one millisecond
 * whether a kept connection is still alive before it sends a body on it, and keeps five a host.
 *
 * @param tableOfClicks what redirects read with: one second in all
 * @param table everything else that is done with tables
 * @param httpOfClicks under {@code tableOfClicks}
 * @param http under all others
 */
record Clients(
        DynamoDbClient tableOfClicks,
        DynamoDbClient table,
        DynamoDbStreamsClient streams,
        SqsClient queue,
        SdkHttpClient httpOfClicks,
        SdkHttpClient http)
        implements AutoCloseable {
    private static final int MOST_CONNECTIONS = 128;
    private static final Duration CONNECT = Duration.ofSeconds(1);
    private static final Duration SOCKET = Duration.ofSeconds(25); // a long poll takes 20
    private static final Duration WRITE = Duration.ofSeconds(3);
    private static final Duration POLL = Duration.ofSeconds(25);

    static Clients of(Stores stores) {
        SdkHttpClient httpOfClicks = pool();
        SdkHttpClient http = pool();
        return new Clients(
                built(
                        DynamoDbClient.builder(),
                        stores.table(),
                        httpOfClicks,
                        Freshness.TABLE_BUDGET,
                        2),
                built(DynamoDbClient.builder(), stores.table(), http, WRITE, 3),
                built(DynamoDbStreamsClient.builder(), stores.table(), http, POLL, 3),
                built(SqsClient.builder(), stores.queue(), http, POLL, 3),
                httpOfClicks,
                http);
    }

    private static SdkHttpClient pool() {
        return Apache5HttpClient.builder()
                .connectionTimeout(CONNECT)
                .socketTimeout(SOCKET)
                .maxConnections(MOST_CONNECTIONS)
                .connectionAcquisitionTimeout(CONNECT)
                .build();
    }

    private static <B extends AwsClientBuilder<B, C> & SdkSyncClientBuilder<B, C>, C> C built(
            B builder, Optional<URI> embedded, SdkHttpClient http, Duration call, int attempts) {
        builder.httpClient(http)
                .overrideConfiguration(
                        override ->
                                override.apiCallTimeout(call)
                                        .retryStrategy(
                                                AwsRetryStrategy.standardRetryStrategy().toBuilder()
                                                        .maxAttempts(attempts)
                                                        .build()));
        embedded.ifPresent(
                endpoint ->
                        builder.endpointOverride(endpoint)
                                .region(Region.of(EmbeddedQueue.REGION))
                                .credentialsProvider(
                                        StaticCredentialsProvider.create(
                                                AwsBasicCredentials.create(
                                                        "headstone", "headstone"))));
        return builder.build();
    }

    @Override
    public void close() {
        tableOfClicks.close();
        table.close();
        streams.close();
        queue.close();
        httpOfClicks.close();
        http.close();
    }
}
