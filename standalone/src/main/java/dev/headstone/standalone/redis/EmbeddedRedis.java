package dev.headstone.standalone.redis;

import dev.headstone.standalone.data.PrivateFile;
import io.lettuce.core.RedisURI;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A redis-server on a free port of 127.0.0.1 that keeps nothing on disk. When it dies it is started
 * again on the same port, within a second and at most twice a second; it then is empty, and has
 * another {@code run_id}. Safe for use by many threads.
 */
public final class EmbeddedRedis implements AutoCloseable {
    /**
     * Another process may take the free port first; that it happens five times is another fault.
     */
    private static final int START_TRIES = 5;

    private static final Duration START_DEADLINE = Duration.ofSeconds(30);
    private static final Duration STOP_DEADLINE = Duration.ofSeconds(5);
    private static final Duration BETWEEN_STARTS = Duration.ofMillis(500);
    private static final int PASSWORD_BYTES = 32;
    private static final Logger log = LoggerFactory.getLogger(EmbeddedRedis.class);

    private final Leftover leftover;
    private final Thread supervisor;
    private final CompletableFuture<RedisChild.Settings> started = new CompletableFuture<>();
    private final CountDownLatch closing = new CountDownLatch(1);
    private final AtomicLong restarts = new AtomicLong();
    private volatile Optional<RedisChild> child = Optional.empty();

    private EmbeddedRedis(Path folder, String path, SecureRandom random) {
        this.leftover = new Leftover(folder);
        // The kernel ends the child with the thread that started it, so that one thread of its own
        // starts every child and lives until close().
        this.supervisor =
                Thread.ofPlatform()
                        .daemon()
                        .name("redis-supervisor")
                        .unstarted(() -> supervise(folder, path, random));
    }

    /**
     * Ends what an earlier run left in {@code folder}, starts, and waits until it answers.
     *
     * @param folder for the binary, where none is on the PATH, and the child's number
     * @param environment its PATH is searched for redis-server, 6.2 or newer
     * @param random makes the password
     * @throws IOException when it does not start; no child is then left
     */
    public static EmbeddedRedis start(
            Path folder, Map<String, String> environment, SecureRandom random)
            throws IOException, InterruptedException {
        PrivateFile.createFolder(folder);
        EmbeddedRedis redis =
                new EmbeddedRedis(folder, environment.getOrDefault("PATH", ""), random);
        redis.supervisor.start();
        try {
            redis.started.get(START_DEADLINE.toMillis(), TimeUnit.MILLISECONDS);
            return redis;
        } catch (ExecutionException e) {
            throw new IOException("the embedded Redis does not start", e.getCause());
        } catch (TimeoutException e) {
            redis.close();
            throw new IOException("the embedded Redis does not start in time", e);
        } catch (InterruptedException e) {
            redis.close();
            throw e;
        }
    }

    /** Where it answers, password included; the same for as long as this is open. */
    public RedisURI uri() {
        RedisChild.Settings settings = started.join();
        return RedisURI.Builder.redis("127.0.0.1", settings.port())
                .withPassword(settings.password().toCharArray())
                .build();
    }

    /** The process that runs now, or ran last. */
    public long pid() {
        return child.map(running -> running.handle().pid()).orElseThrow();
    }

    /** Whether a child runs at this moment. */
    public boolean isAlive() {
        return child.map(RedisChild::isAlive).orElse(false);
    }

    /** How often it died and was started again. */
    public long restarts() {
        return restarts.get();
    }

    /**
     * From now on a child that ends stays so: Ctrl-C reaches it as well as this process, and it
     * should not come back only to be ended again.
     */
    public void expectEnd() {
        closing.countDown();
    }

    /** Ends the child and waits for that. */
    @Override
    public void close() {
        closing.countDown();
        child.ifPresent(RedisChild::stop);
        try {
            supervisor.join(STOP_DEADLINE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void supervise(Path folder, String path, SecureRandom random) {
        RedisChild.Settings settings;
        try {
            leftover.end();
            settings = startFirst(folder, path, random);
        } catch (IOException | InterruptedException | RuntimeException e) {
            started.completeExceptionally(e);
            return;
        }
        started.complete(settings);
        try {
            keepRunning(settings);
            leftover.forget();
        } catch (IOException e) {
            log.atWarn().setCause(e).log("The number of the Redis child cannot be removed");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private RedisChild.Settings startFirst(Path folder, String path, SecureRandom random)
            throws IOException, InterruptedException {
        Path executable = RedisBinary.find(path, folder);
        Optional<Path> setpriv = RedisBinary.onPath(path, "setpriv");
        IOException fault = new IOException("not tried");
        for (int tries = 0; tries < START_TRIES && !isClosing(); tries++) {
            RedisChild.Settings settings =
                    new RedisChild.Settings(
                            executable,
                            // An old setpriv, or one that may not, must not keep Redis from
                            // running.
                            tries < START_TRIES / 2 ? setpriv : Optional.empty(),
                            folder,
                            RedisChild.freePort(),
                            password(random));
            try {
                run(settings);
                return settings;
            } catch (IOException e) {
                fault = e;
            }
        }
        throw fault;
    }

    private void keepRunning(RedisChild.Settings settings) throws InterruptedException {
        while (!isClosing()) {
            RedisChild running = child.orElseThrow();
            long startedAt = System.nanoTime();
            int status = running.awaitExit();
            if (isClosing()) {
                return;
            }
            log.atError()
                    .addKeyValue("status", status)
                    .log("The embedded Redis died; starting it again");
            pauseSince(startedAt);
            startAgain(settings);
        }
    }

    private void startAgain(RedisChild.Settings settings) throws InterruptedException {
        restarts.incrementAndGet();
        while (!isClosing()) {
            long startedAt = System.nanoTime();
            try {
                run(settings);
                return;
            } catch (IOException e) {
                log.atError().setCause(e).log("The embedded Redis does not start again");
            }
            pauseSince(startedAt);
        }
    }

    private void run(RedisChild.Settings settings) throws IOException, InterruptedException {
        RedisChild running = RedisChild.start(settings);
        child = Optional.of(running);
        try {
            leftover.remember(running.handle());
        } catch (IOException e) {
            running.stop();
            throw e;
        }
        if (isClosing()) {
            running.stop();
        }
    }

    /** Two starts are at least half a second apart, whatever happens to the children. */
    private void pauseSince(long startedAt) throws InterruptedException {
        long left = BETWEEN_STARTS.toNanos() - (System.nanoTime() - startedAt);
        if (left > 0 && closing.await(left, TimeUnit.NANOSECONDS)) {
            return;
        }
    }

    private boolean isClosing() {
        return closing.getCount() == 0;
    }

    private static String password(SecureRandom random) {
        byte[] bytes = new byte[PASSWORD_BYTES];
        random.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }
}
