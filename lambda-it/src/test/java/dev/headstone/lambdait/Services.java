package dev.headstone.lambdait;

import dev.headstone.auditlog.AuditTables;
import dev.headstone.cache.RealRedis;
import dev.headstone.dynamodb.EmbeddedDynamoDb;
import dev.headstone.dynamodb.Settings;
import dev.headstone.standalone.queue.EmbeddedQueue;
import dev.headstone.standalone.queue.QueueResources;
import dev.headstone.stream.DynamoParking;
import dev.headstone.table.LinkTables;
import dev.headstone.table.TableNames;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.client.builder.AwsClientBuilder;
import software.amazon.awssdk.core.client.builder.SdkSyncClientBuilder;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;
import software.amazon.awssdk.services.sqs.SqsClient;

/** Table, stream, queue and cache on this machine, for functions that take them for AWS's. */
final class Services implements AutoCloseable {
    static final String AUDIT_QUEUE = "headstone-audit.fifo";
    static final String AUDIT_TABLE = "AuditLog";
    static final String COMPARISONS = "Links-comparisons";

    private final EmbeddedDynamoDb table;
    private final EmbeddedQueue queue;
    private final RealRedis redis = RealRedis.start();
    private final DynamoDbClient dynamo;
    private final DynamoDbStreamsClient streams;
    private final SqsClient sqs;

    Services() {
        InstantSource clock = InstantSource.system();
        try {
            table = EmbeddedDynamoDb.start(Settings.inMemory(clock));
            queue = EmbeddedQueue.start(Optional.empty(), clock);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        dynamo = client(DynamoDbClient.builder(), table.endpoint());
        streams = client(DynamoDbStreamsClient.builder(), table.endpoint());
        sqs = client(SqsClient.builder(), queue.endpoint());
        new LinkTables(dynamo, TableNames.DEFAULT).createIfMissing();
        AuditTables.createIfMissing(dynamo, AUDIT_TABLE);
        dynamo.createTable(DynamoParking.table("Links-parked"));
        new QueueResources(sqs).createIfMissing(AUDIT_QUEUE, "headstone-audit-dlq.fifo");
        sqs.createQueue(request -> request.queueName(COMPARISONS));
    }

    private static <B extends AwsClientBuilder<B, C> & SdkSyncClientBuilder<B, C>, C> C client(
            B builder, URI endpoint) {
        return builder.endpointOverride(endpoint)
                .region(Region.US_EAST_1)
                .credentialsProvider(
                        StaticCredentialsProvider.create(
                                AwsBasicCredentials.create("headstone", "headstone")))
                .httpClientBuilder(Apache5HttpClient.builder())
                .build();
    }

    /** What a deployment sets for every function. */
    Map<String, String> environment() {
        Map<String, String> variables = new HashMap<>();
        variables.put("AWS_ENDPOINT_URL_DYNAMODB", table.endpoint().toString());
        variables.put("AWS_ENDPOINT_URL_SQS", queue.endpoint().toString());
        variables.put("HEADSTONE_REDIS", "redis://127.0.0.1:" + redis.port());
        variables.put("HEADSTONE_REDIS_DURABLE", "true"); // as the store of a deployment is
        variables.put("HEADSTONE_BASE_URL", "https://short.test");
        return variables;
    }

    int tablePort() {
        return table.endpoint().getPort();
    }

    RealRedis redis() {
        return redis;
    }

    DynamoDbClient dynamo() {
        return dynamo;
    }

    DynamoDbStreamsClient streams() {
        return streams;
    }

    SqsClient sqs() {
        return sqs;
    }

    @Override
    public void close() {
        dynamo.close();
        streams.close();
        sqs.close();
        queue.close();
        table.close();
        redis.close();
    }
}
