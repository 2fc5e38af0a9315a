package dev.headstone.audit;

import java.net.URI;
import java.util.Map;
import org.elasticmq.rest.sqs.SQSRestServer;
import org.elasticmq.rest.sqs.SQSRestServerBuilder;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/** A real queue server in the test's own process: one for all tests of the JVM, gone with them. */
public final class ElasticMq implements AutoCloseable {
    private final SQSRestServer server =
            SQSRestServerBuilder.withDynamicPort().withInterface("127.0.0.1").start();
    private final SqsClient client = clientOf(endpoint());

    /** Where it listens. */
    public URI endpoint() {
        return URI.create("http://127.0.0.1:" + server.waitUntilStarted().localAddress().getPort());
    }

    /** A client of it, closed together with it. */
    public SqsClient client() {
        return client;
    }

    /** A new FIFO queue; returns its URL. */
    public String createFifo(String name) {
        return client.createQueue(
                        request ->
                                request.queueName(name)
                                        .attributes(Map.of(QueueAttributeName.FIFO_QUEUE, "true")))
                .queueUrl();
    }

    /** A client of an SQS at {@code endpoint}. */
    public static SqsClient clientOf(URI endpoint) {
        return SqsClient.builder()
                .endpointOverride(endpoint)
                .region(Region.US_EAST_1)
                .credentialsProvider(
                        StaticCredentialsProvider.create(
                                AwsBasicCredentials.create("test", "test")))
                .httpClient(UrlConnectionHttpClient.create())
                .build();
    }

    @Override
    public void close() {
        client.close();
        server.stopAndWait();
    }

    /** Hands the one server to whoever asks for it. */
    public static final class Extension implements ParameterResolver {
        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            return parameter.getParameter().getType() == ElasticMq.class;
        }

        @Override
        public ElasticMq resolveParameter(ParameterContext parameter, ExtensionContext context) {
            return context.getRoot()
                    .getStore(ExtensionContext.Namespace.GLOBAL)
                    .computeIfAbsent(ElasticMq.class, _ -> new ElasticMq(), ElasticMq.class);
        }
    }
}
