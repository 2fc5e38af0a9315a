package dev.headstone.standalone.queue;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.Props;
import org.apache.pekko.pattern.Patterns;
import org.elasticmq.NodeAddress;
import org.elasticmq.StrictSQSLimits$;
import org.elasticmq.actor.QueueManagerActor;
import org.elasticmq.actor.queue.QueueEvent;
import org.elasticmq.persistence.sql.SqlQueuePersistenceActor;
import org.elasticmq.persistence.sql.SqlQueuePersistenceConfig;
import org.elasticmq.rest.sqs.AutoCreateQueuesConfig;
import org.elasticmq.rest.sqs.SQSRestServer;
import org.elasticmq.rest.sqs.TheSQSRestServerBuilder;
import org.elasticmq.util.NowProvider;
import scala.Option;
import scala.collection.immutable.Nil$;
import scala.util.Either;

/**
 * An SQS for this machine, in this process. What it accepted survives a kill, if it was given a
 * file. One per process: ElasticMQ keeps one connection to one store.
 */
public final class EmbeddedQueue implements AutoCloseable {
    /** The region in the queues' ARNs, and the one to sign for. */
    public static final String REGION = "us-east-1";

    private static final String ACCOUNT = "000000000000";
    private static final Duration DEADLINE = Duration.ofSeconds(20);

    private final ActorSystem actors;
    private final SQSRestServer server;
    private final Optional<MessageStore> store;
    private final URI endpoint;

    private EmbeddedQueue(
            ActorSystem actors, SQSRestServer server, Optional<MessageStore> store, URI endpoint) {
        this.actors = actors;
        this.server = server;
        this.store = store;
        this.endpoint = endpoint;
    }

    /**
     * Starts it at a free port of the loopback address.
     *
     * @param file where messages are kept; empty to keep them in memory
     * @throws IllegalStateException if the store cannot be opened or read in 20 s
     */
    public static EmbeddedQueue start(Optional<Path> file) {
        Optional<MessageStore> store = file.map(MessageStore::new);
        store.ifPresent(MessageStore::returnMessagesInHand);
        ActorSystem actors = ActorSystem.create("elasticmq", configuration());
        Option<ActorRef> keeper =
                Option.apply(store.map(kept -> keeper(actors, kept)).orElse(null));
        ActorRef manager =
                actors.actorOf(
                        Props.create(
                                QueueManagerActor.class,
                                new NowProvider(),
                                StrictSQSLimits$.MODULE$,
                                keeper));
        keeper.foreach(
                kept -> {
                    restore(kept, manager);
                    return null;
                });
        SQSRestServer server =
                new TheSQSRestServerBuilder(
                                Option.apply(actors),
                                Option.apply(manager),
                                "127.0.0.1",
                                0,
                                new NodeAddress("http", "127.0.0.1", 0, ""),
                                true,
                                StrictSQSLimits$.MODULE$,
                                REGION,
                                ACCOUNT,
                                keeper,
                                AutoCreateQueuesConfig.disabled())
                        .start();
        int port = server.waitUntilStarted().localAddress().getPort();
        return new EmbeddedQueue(actors, server, store, URI.create("http://127.0.0.1:" + port));
    }

    /** Quiet, and its threads do not hold the process up. */
    private static Config configuration() {
        return ConfigFactory.parseString(
                        """
                        pekko.loglevel = WARNING
                        pekko.stdout-loglevel = WARNING
                        pekko.daemonic = on
                        pekko.log-dead-letters = off
                        pekko.actor.default-dispatcher.fork-join-executor.parallelism-max = 4
                        pekko.coordinated-shutdown.run-by-jvm-shutdown-hook = off
                        """)
                .withFallback(ConfigFactory.load());
    }

    private static ActorRef keeper(ActorSystem actors, MessageStore store) {
        return actors.actorOf(
                Props.create(
                        SqlQueuePersistenceActor.class,
                        new SqlQueuePersistenceConfig(
                                true, "org.h2.Driver", store.url(), "", "", false),
                        Nil$.MODULE$));
    }

    private static void restore(ActorRef keeper, ActorRef manager) {
        try {
            Object answer =
                    Patterns.ask(keeper, new QueueEvent.Restore(manager), DEADLINE)
                            .toCompletableFuture()
                            .get(DEADLINE.toSeconds(), TimeUnit.SECONDS);
            if (answer instanceof Either<?, ?> either && either.isLeft()) {
                throw new IllegalStateException("the queue's store cannot be read: " + either);
            }
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("the queue's store cannot be read", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the queue was restored", e);
        }
    }

    /** Where it listens. */
    public URI endpoint() {
        return endpoint;
    }

    /** Stops it; requests in hand are answered, then the store is closed. */
    @Override
    public void close() {
        server.stopAndWait();
        try {
            actors.getWhenTerminated();
            actors.terminate();
            actors.getWhenTerminated()
                    .toCompletableFuture()
                    .get(DEADLINE.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("the queue did not stop", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        store.ifPresent(MessageStore::close);
    }
}
