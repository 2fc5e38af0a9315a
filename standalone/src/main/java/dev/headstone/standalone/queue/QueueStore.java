package dev.headstone.standalone.queue;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.elasticmq.QueueData;
import org.elasticmq.actor.queue.InternalMessage;

/**
 * What the embedded queue holds, in one file: a journal of what was done, a line each. A commit is
 * one write at its end; the journal is written anew, with what is still there alone, when it is
 * opened and when it has grown to several times that. A line that a crash cut off was never
 * acknowledged and is dropped.
 *
 * <p>Messages stay in the file: in memory is only where. Used by one thread at a time.
 */
final class QueueStore implements AutoCloseable {
    /** Below this size writing anew gains nothing. */
    static final long LEAST_TO_REWRITE = 16L << 20;

    private static final int GROWTH = 3;

    /** The first line. */
    private static final String FORMAT = "headstone-queue 1\n";

    private static final String QUEUE = "queue";
    private static final String NO_QUEUE = "no-queue";
    private static final String MESSAGE = "message";
    private static final String NO_MESSAGE = "no-message";
    private static final String RECEIVED = "received";

    private final Path file;
    private final long leastToRewrite;
    private final Map<String, StoredQueue> queues = new LinkedHashMap<>();
    private final Map<String, Kept> messages = new LinkedHashMap<>();
    private final ByteArrayOutputStream pending = new ByteArrayOutputStream();
    private FileChannel journal;
    private long written;
    private long rewriteAt;
    private long order;

    /**
     * Where a message stands.
     *
     * @param at offset of its line in the journal
     */
    private record Kept(String queue, long order, long at, int length, int receives) {}

    private QueueStore(Path file, long leastToRewrite) throws IOException {
        this.file = file;
        this.leastToRewrite = leastToRewrite;
        this.journal = openAlone(file);
    }

    private static FileChannel openAlone(Path file) throws IOException {
        FileChannel channel =
                FileChannel.open(
                        file,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE);
        try {
            if (channel.tryLock() != null) {
                return channel;
            }
        } catch (OverlappingFileLockException e) { // it is this very process
        } catch (IOException e) {
            channel.close();
            throw e;
        }
        channel.close();
        throw new IOException(file.getFileName() + " cannot be opened: it is in use");
    }

    /**
     * Opens the file, and makes it when it is missing.
     *
     * @throws IOException when it cannot be read or written, is no journal, or somebody else has it
     */
    static QueueStore open(Path file) throws IOException {
        return open(file, LEAST_TO_REWRITE);
    }

    static QueueStore open(Path file, long leastToRewrite) throws IOException {
        QueueStore store = new QueueStore(file, leastToRewrite);
        try {
            store.read();
            store.rewrite();
            return store;
        } catch (IOException | RuntimeException e) {
            store.journal.close();
            throw e;
        }
    }

    private void read() throws IOException {
        if (journal.size() == 0) {
            return;
        }
        InputStream in = new BufferedInputStream(Channels.newInputStream(journal), 1 << 16);
        if (!FORMAT.equals(new String(in.readNBytes(FORMAT.length()), UTF_8))) {
            throw unreadable(0);
        }
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        long at = FORMAT.length();
        for (int next = in.read(); next >= 0; next = in.read()) {
            if (next == '\n') {
                apply(line.toString(UTF_8), at, line.size());
                at += line.size() + 1;
                line.reset();
            } else {
                line.write(next);
            }
        }
        written = at; // what follows is a line that was cut off
    }

    private IOException unreadable(long at) {
        return new IOException(
                "%s cannot be opened: it is no journal of a queue at byte %d"
                        .formatted(file.getFileName(), at));
    }

    private void apply(String line, long at, int length) throws IOException {
        int space = line.indexOf(' ');
        String rest = line.substring(space + 1);
        switch (space < 0 ? "" : line.substring(0, space)) {
            case QUEUE -> {
                StoredQueue queue = StoredQueue.parse(rest);
                queues.put(queue.name(), queue);
            }
            case NO_QUEUE -> queues.remove(rest);
            case MESSAGE -> {
                StoredMessage message = StoredMessage.parse(rest);
                order = Math.max(order, message.order());
                keep(message, at, length);
            }
            case NO_MESSAGE -> messages.remove(rest);
            case RECEIVED -> {
                int gap = rest.indexOf(' ');
                received(rest.substring(gap + 1), Integer.parseInt(rest, 0, gap, 10), false);
            }
            default -> throw unreadable(at);
        }
    }

    private void keep(StoredMessage message, long at, int length) {
        messages.remove(message.id()); // moved to another queue it is the youngest
        messages.put(message.id(), new Kept(message.queue(), message.order(), at, length, 0));
    }

    void put(QueueData queue) {
        StoredQueue stored = StoredQueue.of(queue);
        queues.put(stored.name(), stored);
        append(QUEUE, stored.json());
    }

    void removeQueue(String name) {
        queues.remove(name);
        List<String> left =
                messages.entrySet().stream()
                        .filter(entry -> entry.getValue().queue().equals(name))
                        .map(Map.Entry::getKey)
                        .toList();
        left.forEach(id -> remove(name, id));
        append(NO_QUEUE, name);
    }

    /** Stores a message, or moves it to another queue. */
    void add(String queue, InternalMessage message) {
        order++;
        StoredMessage stored = StoredMessage.of(queue, order, message);
        long at = written + pending.size();
        keep(stored, at, append(MESSAGE, stored.json()));
    }

    /** Stores how often a message was received, as far as it is still stored. */
    void received(String id, int count) {
        received(id, count, true);
    }

    private void received(String id, int count, boolean store) {
        Kept kept = messages.get(id);
        if (kept != null) {
            messages.put(id, new Kept(kept.queue, kept.order, kept.at, kept.length, count));
            if (store) {
                append(RECEIVED, count + " " + id);
            }
        }
    }

    /** Forgets a message, unless it has been moved to another queue. */
    void remove(String queue, String id) {
        Kept kept = messages.get(id);
        if (kept != null && kept.queue.equals(queue)) {
            messages.remove(id);
            append(NO_MESSAGE, id);
        }
    }

    /** Whether a message has used up its receives, and so may be on its way to the dead letters. */
    boolean mayBecomeDeadLetter(String queue, String id) {
        return Optional.ofNullable(queues.get(queue))
                .flatMap(StoredQueue::mostReceives)
                .map(most -> receives(id) >= most)
                .orElse(false);
    }

    private int receives(String id) {
        Kept kept = messages.get(id);
        return kept == null ? 0 : kept.receives;
    }

    /** Returns the length of the line, without its end. */
    private int append(String what, String rest) {
        byte[] line = (what + " " + rest).getBytes(UTF_8);
        pending.writeBytes(line);
        pending.write('\n');
        return line.length;
    }

    /**
     * Returns when all that was done is in the hands of the operating system.
     *
     * @throws UncheckedIOException if it is not; the next commit tries it again
     */
    void commit() {
        try {
            write(journal, pending.toByteArray(), written);
            written += pending.size();
            pending.reset();
            if (written >= rewriteAt) {
                rewrite();
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the queue's journal cannot be written", e);
        }
    }

    private static void write(FileChannel to, byte[] bytes, long at) throws IOException {
        ByteBuffer left = ByteBuffer.wrap(bytes);
        while (left.hasRemaining()) {
            to.write(left, at + left.position());
        }
    }

    /** Puts a journal of what is there in the place of the one that tells how it came about. */
    private void rewrite() throws IOException {
        Path next = file.resolveSibling(file.getFileName() + ".next");
        Files.deleteIfExists(next);
        FileChannel to = openAlone(next);
        Map<String, Kept> moved = new LinkedHashMap<>();
        long end;
        try {
            end = copy(to, moved);
            to.force(true);
            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException | RuntimeException e) {
            to.close();
            throw e;
        }
        journal.close();
        journal = to;
        written = end;
        rewriteAt = Math.max(leastToRewrite, GROWTH * end);
        messages.clear();
        messages.putAll(moved);
    }

    private long copy(FileChannel to, Map<String, Kept> moved) throws IOException {
        long end = line(to, 0, FORMAT.strip());
        for (StoredQueue queue : queues.values()) {
            end = line(to, end, QUEUE + " " + queue.json());
        }
        for (Map.Entry<String, Kept> entry : messages.entrySet()) {
            Kept kept = entry.getValue();
            moved.put(
                    entry.getKey(),
                    new Kept(kept.queue, kept.order, end, kept.length, kept.receives));
            end = line(to, end, text(kept));
            if (kept.receives > 0) {
                end = line(to, end, RECEIVED + " " + kept.receives + " " + entry.getKey());
            }
        }
        return end;
    }

    private static long line(FileChannel to, long at, String line) throws IOException {
        byte[] bytes = (line + "\n").getBytes(UTF_8);
        write(to, bytes, at);
        return at + bytes.length;
    }

    private String text(Kept kept) throws IOException {
        ByteBuffer line = ByteBuffer.allocate(kept.length);
        while (line.hasRemaining()) {
            if (journal.read(line, kept.at + line.position()) < 0) {
                throw new IOException("the queue's journal is shorter than it was");
            }
        }
        return new String(line.array(), UTF_8);
    }

    /** All queues. */
    List<StoredQueue> queues() {
        return List.copyOf(queues.values());
    }

    /** The messages of a queue in the order in which they were accepted. */
    List<InternalMessage> messages(String queue) throws IOException {
        List<Kept> stored =
                messages.values().stream()
                        .filter(kept -> kept.queue.equals(queue))
                        .sorted(Comparator.comparingLong(Kept::order))
                        .toList();
        List<InternalMessage> restored = new ArrayList<>();
        for (Kept kept : stored) {
            String json = text(kept).substring(MESSAGE.length() + 1);
            restored.add(StoredMessage.parse(json).restore(restored.size(), kept.receives));
        }
        return restored;
    }

    @Override
    public void close() {
        try (FileChannel closing = journal) {
            if (pending.size() > 0) {
                write(closing, pending.toByteArray(), written);
            }
            closing.force(true);
        } catch (IOException e) {
            throw new UncheckedIOException("the queue's journal cannot be closed", e);
        }
    }
}
