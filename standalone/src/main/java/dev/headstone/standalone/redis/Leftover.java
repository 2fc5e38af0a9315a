package dev.headstone.standalone.redis;

import dev.headstone.standalone.data.PrivateFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Remembers the child in a file, so that the next start can end one whose parent was killed. The
 * file holds number and start time: a number alone may belong to somebody else by then.
 */
final class Leftover {
    /** Start times are reckoned from the time of boot, which the system corrects by the second. */
    private static final Duration TOLERANCE = Duration.ofSeconds(2);

    private static final long DEADLINE_SECONDS = 5;
    private static final Pattern FORM = Pattern.compile("([0-9]{1,10}) ([0-9]{1,15})\\s*");
    private static final Logger log = LoggerFactory.getLogger(Leftover.class);

    private final Path file;

    Leftover(Path folder) {
        this.file = folder.resolve("redis.pid");
    }

    void remember(ProcessHandle child) throws IOException {
        long startedAt = child.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
        PrivateFile.write(file, child.pid() + " " + startedAt + "\n");
    }

    void forget() throws IOException {
        Files.deleteIfExists(file);
    }

    /** Ends what an earlier run left, if it is still there and still that. */
    void end() throws IOException {
        Optional<ProcessHandle> found = find();
        if (found.isPresent()) {
            ProcessHandle child = found.get();
            log.atWarn()
                    .addKeyValue("pid", child.pid())
                    .log("Ending the Redis of an earlier run that was killed");
            child.destroyForcibly();
            awaitExit(child);
        }
        forget();
    }

    private Optional<ProcessHandle> find() throws IOException {
        String text;
        try {
            text = Files.readString(file);
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
        Matcher parts = FORM.matcher(text);
        if (!parts.matches()) {
            return Optional.empty();
        }
        Instant startedAt = Instant.ofEpochMilli(Long.parseLong(parts.group(2)));
        return ProcessHandle.of(Long.parseLong(parts.group(1)))
                .filter(ProcessHandle::isAlive)
                .filter(process -> startedAround(process, startedAt))
                .filter(Leftover::isRedis);
    }

    private static boolean startedAround(ProcessHandle process, Instant time) {
        return process.info()
                .startInstant()
                .map(actual -> Duration.between(time, actual).abs().compareTo(TOLERANCE) <= 0)
                .orElse(false);
    }

    private static boolean isRedis(ProcessHandle process) {
        return process.info()
                .command()
                .map(command -> String.valueOf(Path.of(command).getFileName()))
                .map(name -> name.startsWith("redis-") || name.startsWith("valkey-"))
                .orElse(false);
    }

    private static void awaitExit(ProcessHandle child) throws IOException {
        try {
            child.onExit().get(DEADLINE_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new IOException("the Redis of an earlier run does not end", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while the Redis of an earlier run ends", e);
        }
    }
}
