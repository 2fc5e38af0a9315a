package dev.headstone.standalone.redis;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.embedded.core.ExecutableProvider;
import redis.embedded.model.Architecture;
import redis.embedded.model.OS;
import redis.embedded.model.OsArchitecture;

/** Finds a redis-server that can be run: the one on the PATH, else the one that comes along. */
final class RedisBinary {
    /** The oldest that is tested; what comes along is of this line. */
    private static final int LEAST_MAJOR = 6;

    private static final int LEAST_MINOR = 2;
    private static final long VERSION_DEADLINE_SECONDS = 5;
    private static final Pattern VERSION = Pattern.compile("v=(\\d+)\\.(\\d+)");
    private static final Logger log = LoggerFactory.getLogger(RedisBinary.class);

    private RedisBinary() {}

    /**
     * @param path the variable PATH
     * @param folder where the one that comes along is unpacked
     */
    static Path find(String path, Path folder) throws IOException {
        Optional<Path> installed = onPath(path, "redis-server").filter(RedisBinary::isNewEnough);
        return installed.isPresent() ? installed.get() : unpacked(folder);
    }

    /** The executable of that name in the first folder that has one. */
    static Optional<Path> onPath(String path, String name) {
        return Arrays.stream(path.split(File.pathSeparator, -1))
                .filter(entry -> !entry.isEmpty())
                .map(entry -> Path.of(entry).resolve(name))
                .filter(file -> Files.isRegularFile(file) && Files.isExecutable(file))
                .findFirst();
    }

    private static boolean isNewEnough(Path executable) {
        try {
            Process process =
                    new ProcessBuilder(executable.toString(), "--version")
                            .redirectErrorStream(true)
                            .start();
            process.getOutputStream().close();
            if (!process.waitFor(VERSION_DEADLINE_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                return false;
            }
            String said =
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            Matcher version = VERSION.matcher(said);
            boolean enough = version.find() && isNewEnough(version);
            if (!enough) {
                log.atWarn()
                        .addKeyValue("executable", executable)
                        .log("The redis-server on the PATH is too old; another is used");
            }
            return enough;
        } catch (IOException e) {
            log.atWarn()
                    .addKeyValue("executable", executable)
                    .setCause(e)
                    .log("The redis-server on the PATH does not run; another is used");
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static boolean isNewEnough(Matcher version) {
        int major = Integer.parseInt(version.group(1));
        int minor = Integer.parseInt(version.group(2));
        return major > LEAST_MAJOR || (major == LEAST_MAJOR && minor >= LEAST_MINOR);
    }

    /**
     * The binary from the jar of embedded-redis as a file. One that is there is compared byte by
     * byte, which takes 10 ms: a start may have been killed while it was unpacked, a disk may rot.
     */
    private static Path unpacked(Path folder) throws IOException {
        Path executable = folder.resolve("redis-server");
        byte[] bytes = bundled();
        if (Files.isExecutable(executable)
                && Files.size(executable) == bytes.length
                && Arrays.equals(Files.readAllBytes(executable), bytes)) {
            return executable;
        }
        Path next = folder.resolve("redis-server.next");
        Files.deleteIfExists(next);
        Files.write(next, bytes);
        Files.setPosixFilePermissions(next, PosixFilePermissions.fromString("rwx------"));
        Files.move(next, executable, StandardCopyOption.ATOMIC_MOVE);
        return executable;
    }

    private static byte[] bundled() throws IOException {
        String name = ExecutableProvider.newProvidedVersionsMap().get(machine());
        if (name == null) {
            throw noneFor();
        }
        try (InputStream resource =
                RedisBinary.class.getResourceAsStream(name.startsWith("/") ? name : "/" + name)) {
            if (resource == null) {
                throw noneFor();
            }
            return resource.readAllBytes();
        }
    }

    private static OsArchitecture machine() {
        String system = System.getProperty("os.name").toLowerCase(Locale.ROOT);
        String processor = System.getProperty("os.arch").toLowerCase(Locale.ROOT);
        return new OsArchitecture(
                system.startsWith("mac") ? OS.MAC_OS_X : OS.UNIX,
                switch (processor) {
                    case "amd64", "x86_64" -> Architecture.x86_64;
                    case "aarch64", "arm64" -> Architecture.aarch64;
                    default -> Architecture.x86;
                });
    }

    private static IOException noneFor() {
        return new FileSystemException(
                "redis-server",
                null,
                "none comes along for %s on %s: put one on the PATH"
                        .formatted(System.getProperty("os.name"), System.getProperty("os.arch")));
    }
}
