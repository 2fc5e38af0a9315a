package dev.headstone.standalone.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.Message;

/** Real processes, since ElasticMQ keeps one store per process, and since only a kill kills. */
final class EmbeddedQueueTest {
    private static final String NAME = "headstone-audit.fifo";
    private static final String DEAD = "headstone-audit-dlq.fifo";

    @TempDir private Path folder;
    private final List<Process> started = new ArrayList<>();

    @AfterEach
    void stop() {
        started.forEach(Process::destroyForcibly);
    }

    @Test
    void keepsInOrderWhatItAcceptedThroughAKill() throws Exception {
        Process first = start();
        try (SqsClient sqs = client(first)) {
            new QueueResources(sqs).createIfMissing(NAME, DEAD);
            String url = new QueueResources(sqs).find(NAME).url();
            IntStream.range(0, 40).forEach(number -> send(sqs, url, number));
            receive(sqs, url); // in somebody's hand when the process dies
        }
        first.destroyForcibly().waitFor(10, TimeUnit.SECONDS);

        Process second = start();
        try (SqsClient sqs = client(second)) {
            String url = new QueueResources(sqs).find(NAME).url();
            List<String> bodies = new ArrayList<>();
            for (List<Message> batch = receive(sqs, url);
                    !batch.isEmpty();
                    batch = receive(sqs, url)) {
                batch.forEach(message -> bodies.add(message.body()));
                batch.forEach(
                        message ->
                                sqs.deleteMessage(
                                        delete ->
                                                delete.queueUrl(url)
                                                        .receiptHandle(message.receiptHandle())));
            }
            assertThat(bodies)
                    .containsExactlyElementsOf(
                            IntStream.range(0, 40).mapToObj(String::valueOf).toList());
        }
    }

    @Test
    void leavesQueuesThatExistAsTheyAre() throws Exception {
        Process process = start();
        try (SqsClient sqs = client(process)) {
            QueueResources resources = new QueueResources(sqs);
            resources.createIfMissing(NAME, DEAD);
            resources.createIfMissing(NAME, DEAD);
            assertThat(resources.find(NAME).arn()).endsWith(":" + NAME);
        }
    }

    private static void send(SqsClient sqs, String url, int number) {
        sqs.sendMessage(
                send ->
                        send.queueUrl(url)
                                .messageBody(String.valueOf(number))
                                .messageGroupId("abc")
                                .messageDeduplicationId("id-" + number));
    }

    private static List<Message> receive(SqsClient sqs, String url) {
        return sqs.receiveMessage(
                        receive -> receive.queueUrl(url).maxNumberOfMessages(10).waitTimeSeconds(1))
                .messages();
    }

    private Process start() throws IOException {
        Process process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-Xmx128m",
                                "-XX:TieredStopAtLevel=1",
                                "-cp",
                                System.getProperty("java.class.path"),
                                QueueProcess.class.getName(),
                                folder.resolve("queue").toString())
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        started.add(process);
        return process;
    }

    private static SqsClient client(Process process) throws IOException {
        BufferedReader out =
                new BufferedReader(
                        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        String line = out.readLine();
        assertThat(line).isNotNull();
        return SqsClient.builder()
                .endpointOverride(URI.create(line))
                .region(Region.of(EmbeddedQueue.REGION))
                .credentialsProvider(
                        StaticCredentialsProvider.create(AwsBasicCredentials.create("x", "x")))
                .httpClient(UrlConnectionHttpClient.create())
                .build();
    }

    /** A process that is a queue until it is killed. */
    static final class QueueProcess {
        private QueueProcess() {}

        public static void main(String[] arguments) throws Exception {
            EmbeddedQueue queue = EmbeddedQueue.start(Optional.of(Path.of(arguments[0])));
            System.out.println(queue.endpoint());
            TimeUnit.MINUTES.sleep(2);
            queue.close();
        }
    }
}
