package dev.headstone.cache;

import dev.headstone.freshness.Freshness;
import dev.headstone.link.ShortCode;
import dev.headstone.link.Stamp;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.netty.util.Timeout;
import io.netty.util.Timer;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * {@link LinkCache} on a Redis, through Lettuce. Readers have a connection and a breaker; confirmed
 * writes have a connection of their own, which carries nothing else, so that {@code WAIT} speaks of
 * them and holds nobody else up. Safe for use by several threads.
 */
public final class RedisLinkCache implements LinkCache, AutoCloseable {
    private static final String NOT_CONNECTED = "the cache is not connected";
    private static final String TOO_LATE = "the cache did not answer in time";
    private static final String FAILED = "the cache refused or lost the command";
    private static final String BREAKER_OPEN = "the cache is not asked at present";
    private static final int TOKEN_BYTES = 16;

    private final RedisConnector readers;
    private final RedisConnector writers;
    private final CircuitBreaker breaker;
    private final Timer timer;
    private final SecureRandom random;
    private final RedisSettings settings;
    private final byte[] script;
    private final String digest;

    /**
     * @param client for both connections; its options are set here
     * @param breaker what readers ask before they ask the cache
     * @param timer ends the wait of asynchronous look-ups; its tick bounds their precision
     * @param random for the leases' tokens
     */
    public RedisLinkCache(
            RedisClient client,
            RedisURI uri,
            CircuitBreaker breaker,
            Timer timer,
            SecureRandom random,
            RedisSettings settings) {
        client.setOptions(RedisConnector.options());
        this.readers = new RedisConnector(client, uri);
        this.writers = new RedisConnector(client, uri);
        this.breaker = breaker;
        this.timer = timer;
        this.random = random;
        this.settings = settings;
        this.script = SettleScript.text().getBytes(StandardCharsets.UTF_8);
        this.digest = io.lettuce.core.codec.Base16.digest(script);
    }

    /**
     * Waits for both connections, at the most {@code deadline} for each; false if one is not open.
     */
    public boolean awaitConnected(Duration deadline) {
        return readers.connect(deadline) && writers.connect(deadline);
    }

    /** Waits for the readers' connection alone; false if it is not open after {@code deadline}. */
    public boolean awaitReadable(Duration deadline) {
        return readers.connect(deadline);
    }

    @Override
    public CompletionStage<CacheLookup> look(ShortCode code) {
        if (!breaker.tryAcquirePermission()) {
            return CompletableFuture.completedFuture(new CacheLookup.Unavailable(BREAKER_OPEN));
        }
        long started = System.nanoTime();
        RedisAsyncCommands<String, byte[]> redis = readers.commands();
        if (redis == null) {
            return CompletableFuture.completedFuture(unavailable(NOT_CONNECTED, started));
        }
        CompletableFuture<CacheLookup> result = new CompletableFuture<>();
        Timeout deadline =
                timer.newTimeout(
                        _ -> {
                            if (!result.isDone()) {
                                result.complete(unavailable(TOO_LATE, started));
                            }
                        },
                        settings.readBudget().toMillis(),
                        TimeUnit.MILLISECONDS);
        redis.get(CacheKeys.record(code))
                .whenComplete(
                        (value, failure) -> {
                            if (!result.isDone()) { // else it has been counted as a failure
                                deadline.cancel();
                                result.complete(lookup(value, failure, started));
                            }
                        });
        return result;
    }

    private CacheLookup lookup(byte @Nullable [] value, @Nullable Throwable failure, long started) {
        if (failure == null) {
            breaker.onSuccess(System.nanoTime() - started, TimeUnit.NANOSECONDS);
            return value == null ? new CacheLookup.Absent() : read(value);
        }
        if (isWrongType(failure)) {
            breaker.onSuccess(System.nanoTime() - started, TimeUnit.NANOSECONDS);
            return new CacheLookup.Unreadable();
        }
        return unavailable(FAILED, started);
    }

    private static CacheLookup read(byte[] value) {
        Optional<CacheRecord> record = CacheRecordJson.decode(value);
        return record.isPresent()
                ? new CacheLookup.Found(record.get())
                : new CacheLookup.Unreadable();
    }

    private CacheLookup unavailable(String why, long started) {
        breaker.onError(
                System.nanoTime() - started,
                TimeUnit.NANOSECONDS,
                new TimeoutException(why)); // what it is does not matter, that it is one does
        return new CacheLookup.Unavailable(why);
    }

    private static boolean isWrongType(Throwable failure) {
        return failure instanceof RedisCommandExecutionException error
                && error.getMessage() != null
                && error.getMessage().startsWith("WRONGTYPE");
    }

    @Override
    public LeaseAttempt askLease(ShortCode code) {
        if (!breaker.tryAcquirePermission()) {
            return new LeaseAttempt.Unreachable(BREAKER_OPEN);
        }
        long started = System.nanoTime();
        LeaseAttempt attempt = lease(readers, code, SetArgs.Builder.nx(), settings.readBudget());
        count(!(attempt instanceof LeaseAttempt.Unreachable), started);
        return attempt;
    }

    @Override
    public LeaseAttempt forceLease(ShortCode code) {
        return lease(writers, code, new SetArgs(), settings.writeBudget());
    }

    private LeaseAttempt lease(
            RedisConnector connector, ShortCode code, SetArgs how, Duration budget) {
        RedisAsyncCommands<String, byte[]> redis = connector.commands();
        if (redis == null) {
            return new LeaseAttempt.Unreachable(NOT_CONNECTED);
        }
        String token = token();
        Future<String> reply =
                redis.set(
                        CacheKeys.lease(code),
                        token.getBytes(StandardCharsets.US_ASCII),
                        how.px(Freshness.LEASE));
        return switch (await(reply, budget)) {
            case Reply.Came<String>(String ok) ->
                    ok == null
                            ? new LeaseAttempt.Held()
                            : new LeaseAttempt.Taken(new Lease(code, token));
            case Reply.Lost<String>(String why, var _) -> new LeaseAttempt.Unreachable(why);
        };
    }

    private String token() {
        byte[] bytes = new byte[TOKEN_BYTES];
        random.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    @Override
    public SettleOutcome settle(Lease lease, Settlement settlement) {
        long started = System.nanoTime();
        SettleOutcome outcome = settle(readers, lease, settlement, settings.readBudget(), 0);
        count(!(outcome instanceof SettleOutcome.Unknown), started);
        return outcome;
    }

    @Override
    public SettleOutcome settleConfirmed(Lease lease, Settlement settlement) {
        return settle(writers, lease, settlement, settings.writeBudget(), settings.acks());
    }

    private SettleOutcome settle(
            RedisConnector connector,
            Lease lease,
            Settlement settlement,
            Duration budget,
            int acks) {
        SettleOutcome first = run(connector, lease, settlement, budget, acks, true);
        return first instanceof SettleOutcome.Unknown(String why) && why.equals(NO_SCRIPT)
                ? run(connector, lease, settlement, budget, acks, false)
                : first;
    }

    /** The server does not know the script yet: nothing was written, and its text must be sent. */
    private static final String NO_SCRIPT = "the script is not loaded";

    private SettleOutcome run(
            RedisConnector connector,
            Lease lease,
            Settlement settlement,
            Duration budget,
            int acks,
            boolean byDigest) {
        RedisAsyncCommands<String, byte[]> redis = connector.commands();
        if (redis == null) {
            return new SettleOutcome.Unknown(NOT_CONNECTED);
        }
        long generation = connector.generation();
        long end = System.nanoTime() + budget.toNanos();
        String[] keys = {CacheKeys.record(lease.code()), CacheKeys.lease(lease.code())};
        byte[][] arguments = SettleScript.arguments(lease.token(), settlement);
        Future<List<Object>> reply =
                byDigest
                        ? redis.evalsha(digest, ScriptOutputType.MULTI, keys, arguments)
                        : redis.eval(script, ScriptOutputType.MULTI, keys, arguments);
        Future<Long> replicas =
                acks == 0 ? NOBODY : redis.waitForReplication(acks, budget.toMillis());
        SettleOutcome outcome =
                switch (await(reply, Duration.ofNanos(end - System.nanoTime()))) {
                    case Reply.Came<List<Object>>(List<Object> parts) -> outcome(parts);
                    case Reply.Lost<List<Object>>(String why, Throwable cause) ->
                            new SettleOutcome.Unknown(
                                    cause instanceof RedisNoScriptException ? NO_SCRIPT : why);
                };
        return acks == 0 || !(outcome instanceof SettleOutcome.Accepted)
                ? outcome
                : confirmed(connector, generation, replicas, acks, end, outcome);
    }

    private static SettleOutcome confirmed(
            RedisConnector connector,
            long generation,
            Future<Long> replicas,
            int acks,
            long end,
            SettleOutcome outcome) {
        boolean enough =
                await(replicas, Duration.ofNanos(end - System.nanoTime()))
                                instanceof Reply.Came<Long>(Long count)
                        && count != null
                        && count >= acks;
        if (!enough) {
            return new SettleOutcome.Unknown("too few replicas acknowledged");
        }
        return connector.generation() == generation
                ? outcome
                : new SettleOutcome.Unknown("the connection changed under a confirmed write");
    }

    private static final Future<Long> NOBODY = CompletableFuture.completedFuture(0L);

    private static SettleOutcome outcome(@Nullable List<Object> parts) {
        if (parts == null || parts.isEmpty()) {
            return new SettleOutcome.Unknown("the script answered nothing");
        }
        if (text(parts.getFirst()).equals("refused")) {
            return new SettleOutcome.Refused();
        }
        return new SettleOutcome.Accepted(Stamp.parse(text(parts.getLast())));
    }

    private static String text(Object part) {
        return part instanceof byte[] bytes
                ? new String(bytes, StandardCharsets.UTF_8)
                : String.valueOf(part);
    }

    private void count(boolean answered, long started) {
        long took = System.nanoTime() - started;
        if (answered) {
            breaker.onSuccess(took, TimeUnit.NANOSECONDS);
        } else {
            breaker.onError(took, TimeUnit.NANOSECONDS, new TimeoutException(FAILED));
        }
    }

    /** What the cache's own clock says, asked now; empty if it does not answer in its time. */
    public Optional<Instant> time() {
        RedisAsyncCommands<String, byte[]> redis = readers.commands();
        if (redis == null) {
            return Optional.empty();
        }
        return switch (await(redis.time(), settings.readBudget())) {
            case Reply.Came<List<byte[]>>(List<byte[]> parts) when parts != null ->
                    Optional.of(
                            Instant.ofEpochSecond(Long.parseLong(text(parts.getFirst())))
                                    .plusNanos(1_000 * Long.parseLong(text(parts.getLast()))));
            case Reply.Came<List<byte[]>> _, Reply.Lost<List<byte[]>> _ -> Optional.empty();
        };
    }

    /** A reply that came, or did not come as a reply. */
    private sealed interface Reply<T> {
        record Came<T>(@Nullable T value) implements Reply<T> {}

        record Lost<T>(String why, Throwable cause) implements Reply<T> {}
    }

    private static <T> Reply<T> await(Future<T> reply, Duration budget) {
        try {
            return new Reply.Came<>(reply.get(Math.max(0, budget.toNanos()), TimeUnit.NANOSECONDS));
        } catch (TimeoutException e) {
            return new Reply.Lost<>(TOO_LATE, e);
        } catch (ExecutionException e) {
            return new Reply.Lost<>(FAILED, e.getCause() == null ? e : e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Reply.Lost<>("interrupted while the cache was asked", e);
        }
    }

    @Override
    public void close() {
        readers.close();
        writers.close();
    }
}
