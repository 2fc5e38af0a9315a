package dev.headstone.standalone.queue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.pekko.actor.AbstractActorWithTimers;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.Props;
import org.elasticmq.actor.queue.OperationSuccessful$;
import org.elasticmq.actor.queue.QueueEvent;

/**
 * Is told by ElasticMQ of every change, and answers when it is stored; a sender of a message waits
 * for that answer. Changes that come together are committed together.
 *
 * <p>ElasticMQ's own SQL store is not used: it gives a FIFO queue its messages back as if the queue
 * were none, so that order and the blocking of a group are lost with a restart; and a message on
 * its way to the dead letters is removed before it is added.
 */
final class StoreActor extends AbstractActorWithTimers {
    /** The thread that may wait for the disk. */
    static final String DISPATCHER = "headstone-queue-store";

    /** A move within one process takes microseconds. */
    private static final Duration MOVED_BY_THEN = Duration.ofSeconds(1);

    private final Optional<QueueStore> store;
    private final DeduplicationWindow window;
    private final List<ActorRef> waiting = new ArrayList<>();
    private boolean committing;

    /** Says to itself, after what is already on its way to it: commit. */
    private record Commit() {}

    /** Says to itself, a while after the removal: the message has been moved, or is gone. */
    private record RemoveForGood(String queue, String id) {}

    private StoreActor(Optional<QueueStore> store, DeduplicationWindow window) {
        this.store = store;
        this.window = window;
    }

    static Props props(Optional<QueueStore> store, DeduplicationWindow window) {
        return Props.create(StoreActor.class, () -> new StoreActor(store, window))
                .withDispatcher(DISPATCHER);
    }

    @Override
    public Receive createReceive() {
        return receiveBuilder()
                .match(QueueEvent.MessageAdded.class, this::added)
                .match(QueueEvent.MessageUpdated.class, this::updated)
                .match(QueueEvent.MessageRemoved.class, this::removed)
                .match(QueueEvent.QueueCreated.class, event -> onStore(to -> to.put(event.queue())))
                .match(
                        QueueEvent.QueueMetadataUpdated.class,
                        event -> onStore(to -> to.put(event.queue())))
                .match(
                        QueueEvent.QueueDeleted.class,
                        event -> onStore(to -> to.removeQueue(event.queueName())))
                .match(Commit.class, _ -> commit())
                .match(RemoveForGood.class, late -> onStore(to -> to.remove(late.queue, late.id)))
                .build();
    }

    private void added(QueueEvent.MessageAdded event) {
        window.note(event.message().created());
        onStore(to -> to.add(event.queueName(), event.message()));
        answerWhenCommitted();
    }

    /** Nobody relies on how often a message was received before the crash: not waited for. */
    private void updated(QueueEvent.MessageUpdated event) {
        onStore(to -> to.received(event.message().id(), event.message().receiveCount()));
        answer(getSender());
    }

    /**
     * A removal may be one half of a move to the dead letters, whose other half another actor
     * reports: it is stored when that half has had its time.
     */
    private void removed(QueueEvent.MessageRemoved event) {
        String queue = event.queueName();
        String id = event.messageId();
        if (store.isPresent() && store.get().mayBecomeDeadLetter(queue, id)) {
            getTimers().startSingleTimer(id, new RemoveForGood(queue, id), MOVED_BY_THEN);
        } else {
            onStore(to -> to.remove(queue, id));
        }
        answerWhenCommitted();
    }

    /** What is done to the store, if there is one. */
    @FunctionalInterface
    private interface Change {
        void make(QueueStore store);
    }

    private void onStore(Change change) {
        if (store.isPresent()) {
            change.make(store.get());
            commitSoon();
        }
    }

    private void answerWhenCommitted() {
        if (store.isPresent()) {
            waiting.add(getSender());
            commitSoon();
        } else {
            answer(getSender());
        }
    }

    private void commitSoon() {
        if (!committing) {
            committing = true;
            getSelf().tell(new Commit(), getSelf());
        }
    }

    private void commit() {
        committing = false;
        store.ifPresent(QueueStore::commit);
        waiting.forEach(this::answer);
        waiting.clear();
    }

    private void answer(ActorRef sender) {
        sender.tell(OperationSuccessful$.MODULE$, getSelf());
    }
}
