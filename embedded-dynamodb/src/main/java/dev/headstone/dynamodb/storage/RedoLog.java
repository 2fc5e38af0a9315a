package dev.headstone.dynamodb.storage;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What the data file does not hold yet: transactions by consecutive numbers, in segment files next
 * to it. A segment is named after its first number and is never appended to again once a later one
 * exists or the process has ended.
 */
final class RedoLog implements AutoCloseable {
    /** Small enough that replaying one takes no time, large enough that new ones are rare. */
    static final int SEGMENT_BYTES = 8 * 1024 * 1024;

    private static final int BUFFER_BYTES = 256 * 1024;

    private static final String INFIX = ".log-";

    private final Path dataFile;
    private final Deque<Segment> closed = new ArrayDeque<>();
    private @Nullable Segment active;
    private @Nullable FileChannel channel;

    /** One for all writes: the channel would keep a copy of the largest of each for good. */
    private final ByteBuffer writeBuffer = ByteBuffer.allocateDirect(BUFFER_BYTES);

    private final AtomicLong activeBytes = new AtomicLong();

    private record Segment(Path path, long first) {}

    /** The log that belongs to {@code dataFile}, with the segments that are there. */
    RedoLog(Path dataFile) throws IOException {
        this.dataFile = dataFile.toAbsolutePath();
        closed.addAll(existing());
    }

    private List<Segment> existing() throws IOException {
        String prefix = dataFile.getFileName() + INFIX;
        List<Segment> found = new ArrayList<>();
        try (DirectoryStream<Path> files =
                Files.newDirectoryStream(
                        folder(), path -> path.getFileName().toString().startsWith(prefix))) {
            for (Path path : files) {
                String name = path.getFileName().toString();
                found.add(new Segment(path, Long.parseLong(name.substring(prefix.length()))));
            }
        } catch (NumberFormatException e) {
            throw new IOException("a file next to the data file looks like a log and is none", e);
        }
        found.sort((one, other) -> Long.compare(one.first, other.first));
        return found;
    }

    /**
     * Hands over the transactions after number {@code applied}, in order. Ends at the first one
     * that was not written whole: it was never acknowledged, and neither was any behind it.
     *
     * @return the number of the last one handed over, {@code applied} if there was none
     * @throws StorageException if numbers are missing
     */
    long replay(long applied, Consumer<LogRecord> sink) throws IOException {
        long last = applied;
        List<Segment> segments = List.copyOf(closed);
        for (int i = 0; i < segments.size(); i++) {
            boolean superseded = i + 1 < segments.size() && segments.get(i + 1).first <= last + 1;
            if (!superseded) {
                last = replay(segments.get(i), last, sink);
            }
        }
        return last;
    }

    private static long replay(Segment segment, long applied, Consumer<LogRecord> sink)
            throws IOException {
        if (segment.first > applied + 1) {
            throw new StorageException(
                    "%s starts at transaction %d, but the data end at %d"
                            .formatted(segment.path.getFileName(), segment.first, applied));
        }
        long last = applied;
        ByteBuffer in = ByteBuffer.wrap(Files.readAllBytes(segment.path));
        for (Optional<LogRecord> next = LogRecord.read(in);
                next.isPresent();
                next = LogRecord.read(in)) {
            LogRecord transaction = next.get();
            if (transaction.number() > last + 1) {
                throw new StorageException(
                        "%s lacks transaction %d".formatted(segment.path.getFileName(), last + 1));
            }
            if (transaction.number() == last + 1) {
                sink.accept(transaction);
                last = transaction.number();
            }
        }
        return last;
    }

    /**
     * Appends encoded transactions of consecutive numbers and returns when they are on the disk.
     */
    void append(List<byte[]> transactions, long first) throws IOException {
        if (channel == null || activeBytes.get() > SEGMENT_BYTES) {
            startSegment(first);
        }
        FileChannel out = channel;
        if (out == null) {
            throw new IOException("the redo log is closed");
        }
        for (byte[] transaction : transactions) {
            write(transaction, out);
        }
        flush(out);
        out.force(false);
    }

    private void write(byte[] transaction, FileChannel out) throws IOException {
        int from = 0;
        while (from < transaction.length) {
            if (!writeBuffer.hasRemaining()) {
                flush(out);
            }
            int length = Math.min(writeBuffer.remaining(), transaction.length - from);
            writeBuffer.put(transaction, from, length);
            from += length;
        }
        activeBytes.addAndGet(transaction.length);
    }

    private void flush(FileChannel out) throws IOException {
        writeBuffer.flip();
        while (writeBuffer.hasRemaining()) {
            out.write(writeBuffer);
        }
        writeBuffer.clear();
    }

    private void startSegment(long first) throws IOException {
        Path path =
                dataFile.resolveSibling(
                        "%s%s%s"
                                .formatted(
                                        dataFile.getFileName(),
                                        INFIX,
                                        String.format(Locale.ROOT, "%019d", first)));
        closeActive();
        // A file of that name holds nothing that was acknowledged, or the number would be taken.
        channel =
                FileChannel.open(
                        path,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.TRUNCATE_EXISTING,
                        StandardOpenOption.WRITE);
        activeBytes.set(0);
        synchronized (closed) {
            active = new Segment(path, first);
        }
        forceFolder();
    }

    private void closeActive() throws IOException {
        if (channel != null) {
            channel.close();
            channel = null;
        }
        synchronized (closed) {
            if (active != null) {
                closed.addLast(active);
                active = null;
            }
        }
    }

    /**
     * Deletes the segments all of whose transactions have numbers up to {@code applied}. May be
     * called while another thread appends.
     */
    void discardThrough(long applied) throws IOException {
        synchronized (closed) {
            while (!closed.isEmpty()) {
                Segment oldest = closed.removeFirst();
                Segment next = closed.isEmpty() ? active : closed.getFirst();
                if (next == null || next.first > applied + 1) {
                    closed.addFirst(oldest);
                    return;
                }
                Files.deleteIfExists(oldest.path);
            }
        }
    }

    /** Deletes all segments. To be called when the data file holds everything. */
    void discardAll() throws IOException {
        closeActive();
        synchronized (closed) {
            while (!closed.isEmpty()) {
                Files.deleteIfExists(closed.removeFirst().path);
            }
        }
    }

    /** The size of the segment that is written to, in bytes. */
    long size() {
        return activeBytes.get();
    }

    /** Stops appending and keeps the segments. */
    @Override
    public void close() throws IOException {
        closeActive();
    }

    private Path folder() {
        Path folder = dataFile.getParent();
        return folder == null ? dataFile.getFileSystem().getPath("") : folder;
    }

    /** Makes the name of a new file durable, where the system can. */
    private void forceFolder() throws IOException {
        FileChannel folder;
        try {
            folder = FileChannel.open(folder(), StandardOpenOption.READ);
        } catch (IOException _) {
            return; // Windows cannot open a folder, and needs no such call
        }
        try (folder) {
            folder.force(true);
        }
    }
}
