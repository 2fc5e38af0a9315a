package dev.headstone.standalone.operators;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a small file says, read again when the file is another one. Asking costs one look at the
 * file's attributes, a few microseconds. Writers replace the file, so that it has a new inode each
 * time, even within one tick of the clock. Safe for use by many threads.
 *
 * @param <T> what the file says
 */
final class WatchedFile<T> {
    private static final Logger log = LoggerFactory.getLogger(WatchedFile.class);

    private final Path file;
    private final Reader<T> reader;
    private final T whenUnreadable;
    private volatile @Nullable Snapshot<T> latest;

    /** Makes sense of the text. */
    @FunctionalInterface
    interface Reader<T> {
        T read(String text) throws IOException;
    }

    /**
     * @param whenUnreadable what counts while there is no file, or one that makes no sense
     */
    WatchedFile(Path file, T whenUnreadable, Reader<T> reader) {
        this.file = file;
        this.whenUnreadable = whenUnreadable;
        this.reader = reader;
    }

    T get() {
        Snapshot<T> known = latest;
        Version now = version();
        if (known != null && known.version.equals(now)) {
            return known.value;
        }
        // Read after the version: text that is newer than its version is only read once more.
        Snapshot<T> read = new Snapshot<>(now, read(now));
        latest = read;
        return read.value;
    }

    private T read(Version version) {
        if (version.equals(Version.NONE)) {
            return whenUnreadable;
        }
        try {
            return reader.read(Files.readString(file));
        } catch (IOException e) {
            log.atError()
                    .addKeyValue("file", file)
                    .addKeyValue("reason", e.getMessage())
                    .log("Nobody is let in by a file that cannot be read");
            return whenUnreadable;
        }
    }

    private Version version() {
        try {
            BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
            return new Version(
                    attributes.lastModifiedTime(), attributes.size(), attributes.fileKey());
        } catch (NoSuchFileException e) {
            return Version.NONE;
        } catch (IOException e) {
            log.atError().addKeyValue("file", file).setCause(e).log("A file cannot be looked at");
            return Version.NONE;
        }
    }

    private record Version(FileTime modified, long size, @Nullable Object inode) {
        private static final Version NONE = new Version(FileTime.fromMillis(0), -1, null);
    }

    private record Snapshot<T>(Version version, T value) {}
}
