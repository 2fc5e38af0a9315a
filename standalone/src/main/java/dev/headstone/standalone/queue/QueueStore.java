package dev.headstone.standalone.queue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.elasticmq.QueueData;
import org.elasticmq.actor.queue.InternalMessage;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;

/**
 * Queues and messages in one file. What {@link #commit} has returned from survives the death of the
 * process; what came after it may, in the order it came. One thread at a time uses it.
 */
final class QueueStore implements AutoCloseable {
    /**
     * Messages are written once and read at the next start, so that a large cache gains nothing.
     */
    private static final int CACHE_MIB = 4;

    private final MVStore store;
    private final MVMap<String, String> queues;
    private final MVMap<String, String> messages;
    private final MVMap<String, Integer> receives;
    private final Map<String, String> queueOfMessage = new HashMap<>();
    private long order;

    private QueueStore(MVStore store) {
        this.store = store;
        this.queues = store.openMap("queues");
        this.messages = store.openMap("messages");
        this.receives = store.openMap("receives");
        for (Map.Entry<String, String> entry : messages.entrySet()) {
            StoredMessage message = StoredMessage.parse(entry.getValue());
            queueOfMessage.put(entry.getKey(), message.queue());
            order = Math.max(order, message.order());
        }
    }

    /**
     * Opens the file, and makes it when it is missing.
     *
     * @throws org.h2.mvstore.MVStoreException when it cannot be read, or another process has it
     */
    static QueueStore open(Path file) {
        return new QueueStore(
                new MVStore.Builder()
                        .fileName(file.toString())
                        .cacheSize(CACHE_MIB)
                        // It only commits and compacts what nobody waits for.
                        .autoCommitBufferSize(1024)
                        .open());
    }

    void put(QueueData queue) {
        queues.put(queue.name(), StoredQueue.of(queue).json());
    }

    void removeQueue(String name) {
        queues.remove(name);
        List<String> ids =
                queueOfMessage.entrySet().stream()
                        .filter(entry -> entry.getValue().equals(name))
                        .map(Map.Entry::getKey)
                        .toList();
        ids.forEach(id -> remove(name, id));
    }

    /** Stores a message, or moves it to another queue. */
    void add(String queue, InternalMessage message) {
        order++;
        messages.put(message.id(), StoredMessage.of(queue, order, message).json());
        queueOfMessage.put(message.id(), queue);
    }

    /** Stores how often a message was received, as far as it is still stored. */
    void received(String id, int count) {
        if (queueOfMessage.containsKey(id)) {
            receives.put(id, count);
        }
    }

    /** Forgets a message, unless it has been moved to another queue. */
    void remove(String queue, String id) {
        if (queueOfMessage.remove(id, queue)) {
            messages.remove(id);
            receives.remove(id);
        }
    }

    /** Whether a message has used up its receives, and so may be on its way to the dead letters. */
    boolean mayBecomeDeadLetter(String queue, String id) {
        return Optional.ofNullable(queues.get(queue))
                .map(StoredQueue::parse)
                .flatMap(StoredQueue::mostReceives)
                .map(most -> receives.getOrDefault(id, 0) >= most)
                .orElse(false);
    }

    /** Returns when all that was done is in the hands of the operating system. */
    void commit() {
        store.commit();
    }

    /** All queues. */
    List<StoredQueue> queues() {
        return queues.values().stream().map(StoredQueue::parse).toList();
    }

    /** The messages of a queue in the order in which they were accepted. */
    List<InternalMessage> messages(String queue) {
        List<StoredMessage> stored =
                messages.values().stream()
                        .map(StoredMessage::parse)
                        .filter(message -> message.queue().equals(queue))
                        .sorted(Comparator.comparingLong(StoredMessage::order))
                        .toList();
        List<InternalMessage> restored = new ArrayList<>();
        for (StoredMessage message : stored) {
            restored.add(message.restore(restored.size(), receives.getOrDefault(message.id(), 0)));
        }
        return restored;
    }

    @Override
    public void close() {
        store.close();
    }
}
