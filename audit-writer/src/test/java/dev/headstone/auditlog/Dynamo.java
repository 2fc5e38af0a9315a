package dev.headstone.auditlog;

import dev.headstone.dynamodb.EmbeddedDynamoDb;
import dev.headstone.dynamodb.Settings;
import java.net.URI;
import java.time.InstantSource;
import java.util.UUID;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** A table service in the test's own process: one for all tests of the JVM, gone with them. */
final class Dynamo implements AutoCloseable {
    private final EmbeddedDynamoDb service =
            EmbeddedDynamoDb.start(Settings.inMemory(InstantSource.system()));
    private final DynamoDbClient client = clientOf(service.endpoint());

    DynamoDbClient client() {
        return client;
    }

    /** The name of a new, empty table for a log. */
    String newTable() {
        String table = "AuditLog-" + UUID.randomUUID();
        AuditTables.createIfMissing(client, table);
        return table;
    }

    /** It does not retry: what the service says is what the log has to deal with. */
    static DynamoDbClient clientOf(URI endpoint) {
        return DynamoDbClient.builder()
                .endpointOverride(endpoint)
                .region(Region.US_EAST_1)
                .credentialsProvider(
                        StaticCredentialsProvider.create(
                                AwsBasicCredentials.create("test", "test")))
                .overrideConfiguration(call -> call.retryStrategy(AwsRetryStrategy.doNotRetry()))
                .httpClient(UrlConnectionHttpClient.create())
                .build();
    }

    @Override
    public void close() {
        client.close();
        service.close();
    }

    /** Hands the one service to whoever asks for it. */
    static final class Extension implements ParameterResolver {
        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            return parameter.getParameter().getType() == Dynamo.class;
        }

        @Override
        public Dynamo resolveParameter(ParameterContext parameter, ExtensionContext context) {
            return context.getRoot()
                    .getStore(ExtensionContext.Namespace.GLOBAL)
                    .computeIfAbsent(Dynamo.class, _ -> new Dynamo(), Dynamo.class);
        }
    }
}
