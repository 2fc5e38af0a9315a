package dev.headstone.standalone.queue;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;

/** A client of the embedded queue, and what the tests do with it over and over. */
final class Sqs implements AutoCloseable {
    static final String AUDIT = "headstone-audit.fifo";
    static final String DEAD_LETTERS = "headstone-audit-dlq.fifo";

    private final SqsClient client;

    Sqs(URI endpoint) {
        client =
                SqsClient.builder()
                        .endpointOverride(endpoint)
                        .region(Region.of(EmbeddedQueue.REGION))
                        .credentialsProvider(
                                StaticCredentialsProvider.create(
                                        AwsBasicCredentials.create("none", "none")))
                        .httpClient(
                                UrlConnectionHttpClient.builder()
                                        .socketTimeout(Duration.ofSeconds(25))
                                        .build())
                        .overrideConfiguration(
                                settings -> settings.retryStrategy(retry -> retry.maxAttempts(1)))
                        .build();
    }

    SqsClient client() {
        return client;
    }

    /** Where events are sent, and where those lie that nobody could process. */
    record Queues(String auditUrl, String deadLettersUrl) {}

    Queues queues() {
        QueueResources resources = new QueueResources(client);
        resources.createIfMissing(AUDIT, DEAD_LETTERS);
        return new Queues(resources.find(AUDIT).url(), resources.find(DEAD_LETTERS).url());
    }

    void send(String url, String group, String body) {
        client.sendMessage(
                message ->
                        message.queueUrl(url)
                                .messageGroupId(group)
                                .messageDeduplicationId(group + "-" + body)
                                .messageBody(body));
    }

    /** One batch, hidden from others for {@code hidden}. */
    List<Message> receive(String url, Duration hidden) {
        return client.receiveMessage(
                        request ->
                                request.queueUrl(url)
                                        .maxNumberOfMessages(10)
                                        .visibilityTimeout(Math.toIntExact(hidden.toSeconds()))
                                        .messageAttributeNames("All")
                                        .messageSystemAttributeNames(
                                                MessageSystemAttributeName.ALL))
                .messages();
    }

    void delete(String url, Message message) {
        client.deleteMessage(
                request -> request.queueUrl(url).receiptHandle(message.receiptHandle()));
    }

    @Override
    public void close() {
        client.close();
    }
}
