package dev.headstone.standalone.data;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * A file that only its owner may read (mode 0600) and that a reader sees whole, old or new,
 * whatever is killed while it is written.
 */
public final class PrivateFile {
    private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY_FOLDER =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    private PrivateFile() {}

    /**
     * Replaces {@code file} with {@code text}, on the disk when it returns. Callers see to it that
     * one of them writes at a time.
     */
    public static void write(Path file, String text) throws IOException {
        Path next = file.resolveSibling("." + file.getFileName() + ".next");
        Files.deleteIfExists(next);
        try (FileChannel channel =
                FileChannel.open(
                        next,
                        Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                        OWNER_ONLY)) {
            ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
        syncFolder(file);
    }

    /** Opens {@code file} for a lock, and makes it when there is none. */
    public static FileChannel openForLock(Path file) throws IOException {
        return FileChannel.open(
                file,
                Set.of(
                        StandardOpenOption.CREATE,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE),
                OWNER_ONLY);
    }

    /** Makes a folder that only its owner may enter, and what is missing above it. */
    public static void createFolder(Path folder) throws IOException {
        Files.createDirectories(folder, OWNER_ONLY_FOLDER);
    }

    /** Without this a crash of the machine could undo the renaming. */
    private static void syncFolder(Path file) throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        if (folder != null) {
            try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
                channel.force(true);
            }
        }
    }
}
