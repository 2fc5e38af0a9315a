package dev.headstone.standalone.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.headstone.standalone.ChildJvm;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.sqs.model.Message;

/** What {@code kill -9} leaves of a queue that others are sending to and receiving from. */
@Tag("slow")
@Timeout(300)
final class EmbeddedQueueKillTest {
    private static final int ROUNDS = 4;
    private static final int SENDERS = 4;
    private static final Duration LONG = Duration.ofMinutes(10);

    @TempDir private Path folder;

    /** What was answered, as the clients know it. */
    private final Set<String> accepted = ConcurrentHashMap.newKeySet();

    private final Set<String> deletionTried = ConcurrentHashMap.newKeySet();
    private final Set<String> deletionAccepted = ConcurrentHashMap.newKeySet();

    @Test
    void everyAcceptedMessageIsThereInOrderAndNoDeletedOneComesBack() throws Exception {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);

        for (int round = 0; round < ROUNDS; round++) {
            try (ChildJvm child = ChildJvm.start(QueueProcess.class, folder.toString())) {
                disturb(child, URI.create(child.line()), round, 50 + random.nextInt(1500));
            }
        }

        List<String> received = drain();
        assertThat(received).doesNotHaveDuplicates();
        // A deletion that was tried and not answered may have happened.
        Set<String> expected = new HashSet<>(accepted);
        expected.removeAll(deletionTried);
        assertThat(accepted).hasSizeGreaterThan(ROUNDS * SENDERS);
        System.out.printf("%d accepted, %d deleted%n", accepted.size(), deletionAccepted.size());
        assertThat(received).containsAll(expected).doesNotContainAnyElementsOf(deletionAccepted);
        assertInOrderOfSending(received);
    }

    /** Sends and deletes until the process is killed under it. */
    private void disturb(ChildJvm child, URI endpoint, int round, int millis) throws Exception {
        List<Thread> clients = new ArrayList<>();
        CountDownLatch killed = new CountDownLatch(1);
        try (Sqs sqs = new Sqs(endpoint)) {
            Sqs.Queues queues = sqs.queues();
            for (int sender = 0; sender < SENDERS; sender++) {
                String group = "g" + sender;
                clients.add(Thread.ofVirtual().start(() -> send(sqs, queues, group, round)));
            }
            clients.add(Thread.ofVirtual().start(() -> delete(sqs, queues)));
            int before = accepted.size();
            await().until(() -> accepted.size() > before + 2 * SENDERS);
            assertThat(killed.await(millis, TimeUnit.MILLISECONDS)).isFalse();
            child.kill();
            for (Thread client : clients) {
                assertThat(client.join(Duration.ofSeconds(30))).isTrue();
            }
        }
    }

    private void send(Sqs sqs, Sqs.Queues queues, String group, int round) {
        try {
            for (int number = 0; number < 100_000; number++) {
                String body = "%s.%d".formatted(group, round * 100_000L + number);
                sqs.send(queues.auditUrl(), group, body);
                accepted.add(body);
            }
        } catch (SdkException e) {
            return;
        }
    }

    /** Takes a third of what comes and hides the rest, so that there is something of each kind. */
    private void delete(Sqs sqs, Sqs.Queues queues) {
        try {
            for (int number = 0; number < 100_000; number++) {
                for (Message message : sqs.receive(queues.auditUrl(), Duration.ofSeconds(1))) {
                    deletionTried.add(message.body());
                    sqs.delete(queues.auditUrl(), message);
                    deletionAccepted.add(message.body());
                    if (number % 3 != 0) {
                        break;
                    }
                }
            }
        } catch (SdkException e) {
            return;
        }
    }

    private List<String> drain() throws Exception {
        List<String> bodies = new ArrayList<>();
        try (EmbeddedQueue queue = start(folder);
                Sqs sqs = new Sqs(queue.endpoint())) {
            Sqs.Queues queues = sqs.queues();
            for (List<Message> batch = sqs.receive(queues.auditUrl(), LONG);
                    !batch.isEmpty();
                    batch = sqs.receive(queues.auditUrl(), LONG)) {
                batch.forEach(message -> bodies.add(message.body()));
                batch.forEach(message -> sqs.delete(queues.auditUrl(), message));
            }
            assertThat(sqs.receive(queues.deadLettersUrl(), LONG)).isEmpty();
        }
        return bodies;
    }

    private static EmbeddedQueue start(Path folder) throws IOException, InterruptedException {
        return EmbeddedQueue.start(
                Optional.of(folder.resolve("queue.journal")), InstantSource.system());
    }

    private static void assertInOrderOfSending(List<String> bodies) {
        Map<String, Long> last = new HashMap<>();
        for (String body : bodies) {
            String[] parts = body.split("\\.", 2);
            long number = Long.parseLong(parts[1]);
            assertThat(number).isGreaterThan(last.getOrDefault(parts[0], -1L));
            last.put(parts[0], number);
        }
    }

    /** The queue in a process that is to be killed. */
    static final class QueueProcess {
        private QueueProcess() {}

        public static void main(String[] arguments) throws Exception {
            EmbeddedQueue queue = start(Path.of(arguments[0]));
            System.out.println(queue.endpoint());
            Thread.currentThread().join();
            queue.close();
        }
    }
}
