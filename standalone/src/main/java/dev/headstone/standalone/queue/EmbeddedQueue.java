package dev.headstone.standalone.queue;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.Props;
import org.apache.pekko.http.scaladsl.Http;
import org.apache.pekko.pattern.Patterns;
import org.elasticmq.StrictSQSLimits$;
import org.elasticmq.actor.QueueManagerActor;
import org.elasticmq.actor.queue.InternalMessage;
import org.elasticmq.msg.CreateQueue;
import org.elasticmq.msg.RestoreMessages;
import org.elasticmq.rest.sqs.SQSRestServer;
import org.elasticmq.rest.sqs.SQSRestServerBuilder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.Some;
import scala.concurrent.duration.FiniteDuration;
import scala.jdk.javaapi.CollectionConverters;
import scala.jdk.javaapi.FutureConverters;
import scala.util.Right;

/**
 * SQS in this process, on a free port of 127.0.0.1: ElasticMQ with a store of its own. A message
 * whose send was answered is there after {@code kill -9}, in its place in its group, to be received
 * at once; the same holds for queues. It speaks without credentials, for region {@value #REGION}.
 */
public final class EmbeddedQueue implements AutoCloseable {
    /** The region in its ARNs; clients must be given one, and any will do. */
    public static final String REGION = "us-east-1";

    private static final Duration STEP_DEADLINE = Duration.ofSeconds(30);
    private static final Duration STOP_DEADLINE = Duration.ofSeconds(5);
    private static final FiniteDuration IN_FLIGHT = FiniteDuration.apply(500, "milliseconds");
    private static final Logger log = LoggerFactory.getLogger(EmbeddedQueue.class);

    /**
     * Pekko must neither answer signals nor end the process: {@code serve} does both, in its order.
     * Its threads are few, since one consumer and a handful of senders share them.
     */
    private static final String CONFIG =
            """
            pekko {
              loglevel = WARNING
              stdout-loglevel = OFF
              log-dead-letters = off
              log-dead-letters-during-shutdown = off
              daemonic = on
              jvm-shutdown-hooks = off
              jvm-exit-on-fatal-error = off
              coordinated-shutdown.run-by-jvm-shutdown-hook = off
              coordinated-shutdown.exit-jvm = off
              actor.default-dispatcher.fork-join-executor { parallelism-min = 2, parallelism-max = 4 }
              actor.internal-dispatcher.fork-join-executor { parallelism-min = 1, parallelism-max = 2 }
            }
            %s { type = PinnedDispatcher, executor = "thread-pool-executor" }
            """
                    .formatted(StoreActor.DISPATCHER);

    private final Optional<QueueStore> store;
    private final ActorSystem system;
    private final Http.ServerBinding binding;

    private EmbeddedQueue(
            Optional<QueueStore> store, ActorSystem system, Http.ServerBinding binding) {
        this.store = store;
        this.system = system;
        this.binding = binding;
    }

    /**
     * Starts with the queues and messages that a file holds.
     *
     * @param file made when it is missing; empty for a queue that ends with the process
     * @throws IOException when the file cannot be read, another process has it, or the queue does
     *     not start in time
     */
    public static EmbeddedQueue start(Optional<Path> file, InstantSource clock)
            throws IOException, InterruptedException {
        return startOn(
                file.isPresent() ? Optional.of(QueueStore.open(file.get())) : Optional.empty(),
                clock);
    }

    /** Where it answers. */
    public URI endpoint() {
        return URI.create("http://127.0.0.1:" + binding.localAddress().getPort());
    }

    /** Lets requests in flight end, half a second at most, and closes the store after them. */
    @Override
    public void close() {
        try {
            await(FutureConverters.asJava(binding.terminate(IN_FLIGHT)), STOP_DEADLINE);
            await(FutureConverters.asJava(system.terminate()), STOP_DEADLINE);
        } catch (IOException e) {
            log.atWarn().setCause(e).log("The queue does not stop in time");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            store.ifPresent(QueueStore::close);
        }
    }

    private static EmbeddedQueue startOn(Optional<QueueStore> store, InstantSource clock)
            throws IOException, InterruptedException {
        ClassLoader loader = EmbeddedQueue.class.getClassLoader();
        Config config = ConfigFactory.parseString(CONFIG).withFallback(ConfigFactory.load(loader));
        ActorSystem system = ActorSystem.create("queue", config, loader);
        try {
            DeduplicationWindow window = new DeduplicationWindow(clock);
            ActorRef listener = system.actorOf(StoreActor.props(store, window));
            ActorRef manager =
                    system.actorOf(
                            Props.create(
                                    QueueManagerActor.class,
                                    () ->
                                            new QueueManagerActor(
                                                    window,
                                                    StrictSQSLimits$.MODULE$,
                                                    Some.apply(listener))));
            if (store.isPresent()) {
                restore(store.get(), manager);
            }
            SQSRestServer server =
                    SQSRestServerBuilder.withActorSystem(system)
                            .withQueueManagerActor(manager)
                            .withQueueEventListener(listener)
                            .withInterface("127.0.0.1")
                            .withDynamicPort()
                            .withAWSRegion(REGION)
                            .start();
            Http.ServerBinding binding =
                    await(FutureConverters.asJava(server.startFuture()), STEP_DEADLINE);
            return new EmbeddedQueue(store, system, binding);
        } catch (IOException | InterruptedException | RuntimeException e) {
            system.terminate();
            store.ifPresent(QueueStore::close);
            throw e;
        }
    }

    /** What the store holds of one queue. */
    private record Kept(StoredQueue queue, List<InternalMessage> messages) {}

    private static void restore(QueueStore store, ActorRef manager)
            throws IOException, InterruptedException {
        // All is read before anything is created: from then on the store is the listener's own.
        List<Kept> kept = new ArrayList<>();
        for (StoredQueue queue : inOrderOfCreation(store.queues())) {
            kept.add(new Kept(queue, store.messages(queue.name())));
        }
        for (Kept queue : kept) {
            restore(manager, queue);
        }
    }

    private static void restore(ActorRef manager, Kept kept)
            throws IOException, InterruptedException {
        Object created = ask(manager, new CreateQueue(kept.queue.restore()));
        if (!(created instanceof Right<?, ?> right) || !(right.value() instanceof ActorRef queue)) {
            throw new IOException("queue %s cannot be restored".formatted(kept.queue.name()));
        }
        ask(queue, new RestoreMessages(CollectionConverters.asScala(kept.messages).toList()));
        log.atInfo()
                .addKeyValue("queue", kept.queue.name())
                .addKeyValue("messages", kept.messages.size())
                .log("Queue restored");
    }

    /** A queue is created after the one that takes its dead letters. */
    private static List<StoredQueue> inOrderOfCreation(List<StoredQueue> queues) {
        List<StoredQueue> left = new ArrayList<>(queues);
        List<StoredQueue> ordered = new ArrayList<>();
        while (!left.isEmpty()) {
            StoredQueue next =
                    left.stream()
                            .filter(queue -> left.stream().noneMatch(queue::sendsDeadLettersTo))
                            .findFirst()
                            .orElse(left.getFirst());
            left.remove(next);
            ordered.add(next);
        }
        return ordered;
    }

    private static Object ask(ActorRef actor, Object question)
            throws IOException, InterruptedException {
        return await(Patterns.ask(actor, question, STEP_DEADLINE), STEP_DEADLINE);
    }

    private static <T> T await(CompletionStage<T> stage, Duration deadline)
            throws IOException, InterruptedException {
        try {
            return stage.toCompletableFuture().get(deadline.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw new IOException("the queue failed", e.getCause());
        } catch (TimeoutException e) {
            throw new IOException("the queue does not answer in time", e);
        }
    }
}
