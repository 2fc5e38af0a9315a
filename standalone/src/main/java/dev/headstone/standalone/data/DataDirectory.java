package dev.headstone.standalone.data;

import dev.headstone.standalone.options.Misuse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The data folder of a running {@code serve}. It has one owner at a time: the lock is the operating
 * system's, so that it ends with the process however that ends.
 *
 * <p>In memory mode the folder holds what the commands on this machine need to find and enter the
 * running process (serve.json, tokens), and nothing of that stays when it stops.
 */
public final class DataDirectory implements AutoCloseable {
    private static final String LOCK = "serve.lock";

    private final Path folder;
    private final boolean inMemory;
    private final List<Path> found;
    private final FileChannel lock;

    private DataDirectory(Path folder, boolean inMemory, List<Path> found, FileChannel lock) {
        this.folder = folder;
        this.inMemory = inMemory;
        this.found = found;
        this.lock = lock;
    }

    /**
     * Takes the folder, and makes it when it is missing.
     *
     * @param inMemory whether {@link #close()} removes what was not there before
     * @param pid this process, for the message that another one gets
     * @throws Misuse when another {@code serve} has it, or it is no folder that can be written
     */
    public static DataDirectory open(Path folder, boolean inMemory, long pid) {
        Path absolute = folder.toAbsolutePath().normalize();
        FileChannel lock = null;
        try {
            boolean existed = Files.isDirectory(absolute);
            PrivateFile.createFolder(absolute);
            List<Path> found = new ArrayList<>(existed ? entries(absolute) : List.of());
            if (existed) {
                found.add(absolute);
            }
            lock = PrivateFile.openForLock(absolute.resolve(LOCK));
            if (!taken(lock)) {
                String owner = owner(lock);
                lock.close();
                throw new Misuse("--data: another serve%s is using this folder".formatted(owner));
            }
            lock.truncate(0);
            lock.write(ByteBuffer.wrap(Long.toString(pid).getBytes(StandardCharsets.US_ASCII)), 0);
            Files.deleteIfExists(absolute.resolve(ServeFile.NAME));
            return new DataDirectory(absolute, inMemory, found, lock);
        } catch (IOException e) {
            close(lock);
            throw new Misuse("--data is not a folder that can be written");
        }
    }

    /** The folder, as an absolute path. */
    public Path path() {
        return folder;
    }

    /** The folder of one part, made when it is missing. */
    public Path part(String name) throws IOException {
        Path part = folder.resolve(name);
        PrivateFile.createFolder(part);
        return part;
    }

    /** Says that everything is ready and where it is. */
    public void publish(ServeFile running) throws IOException {
        PrivateFile.write(folder.resolve(ServeFile.NAME), running.toJson());
    }

    /** Takes back what {@link #publish} said and lets another {@code serve} have the folder. */
    @Override
    public void close() throws IOException {
        try (lock) {
            Files.deleteIfExists(folder.resolve(ServeFile.NAME));
            if (inMemory) {
                removeWhatWasNotThere();
            }
        }
    }

    private void removeWhatWasNotThere() throws IOException {
        for (Path entry : entries(folder)) {
            if (!found.contains(entry)) {
                removeTree(entry);
            }
        }
        if (!found.contains(folder)) {
            try {
                Files.deleteIfExists(folder);
            } catch (DirectoryNotEmptyException e) {
                // Somebody else put something there meanwhile: theirs stays.
                return;
            }
        }
    }

    private static void removeTree(Path top) throws IOException {
        try (Stream<Path> tree = Files.walk(top)) {
            for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private static List<Path> entries(Path folder) throws IOException {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.toList();
        }
    }

    private static boolean taken(FileChannel channel) throws IOException {
        try {
            @Nullable FileLock lock = channel.tryLock();
            return lock != null;
        } catch (OverlappingFileLockException e) {
            return false;
        }
    }

    /** The owner's process, as far as it got to write it down. */
    private static String owner(FileChannel lock) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(20);
        lock.read(bytes, 0);
        String pid = new String(bytes.array(), 0, bytes.position(), StandardCharsets.US_ASCII);
        return pid.matches("[0-9]+") ? " (process %s)".formatted(pid) : "";
    }

    private static void close(@Nullable FileChannel channel) {
        if (channel != null) {
            try {
                channel.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
