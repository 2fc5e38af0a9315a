package dev.headstone.cache;

import dev.headstone.freshness.Freshness;
import dev.headstone.link.ShortCode;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisURI;
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
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * {@link LinkCache} on a Redis, through Lettuce. Readers have a connection and a breaker; confirmed
 * writes have a connection of their own, which carries nothing else, so that {@code WAIT} speaks of
 * them and holds nobody else up. It says who it is connected to, and leaves it to others whether
 * that is to be believed. Safe for use by several threads.
 */
public final class RedisLinkCache implements LinkCache, CacheNode, AutoCloseable {
    private static final String NOT_CONNECTED = "the cache is not connected";
    private static final String TOO_LATE = "the cache did not answer in time";
    private static final String FAILED = "the cache refused or lost the command";
    private static final String BREAKER_OPEN = "the cache is not asked at present";
    private static final String NOT_THERE = "the key lies on another node";
    private static final byte[] MARK = {'1'};
    private static final int TOKEN_BYTES = 16;

    private final RedisRoutes routes;
    private final Confirmer confirmer;
    private final CircuitBreaker breaker;
    private final Timer timer;
    private final SecureRandom random;
    private final RedisSettings settings;

    /** On a single node. */
    public RedisLinkCache(
            RedisClient client,
            RedisURI uri,
            CircuitBreaker breaker,
            Timer timer,
            SecureRandom random,
            RedisSettings settings) {
        this(client, new CacheAddress.Node(uri), breaker, timer, random, settings);
    }

    /**
     * @param client for all connections; its options are set here
     * @param breaker what readers ask before they ask the cache
     * @param timer ends the wait of asynchronous look-ups; its tick bounds their precision
     * @param random for the leases' tokens
     */
    public RedisLinkCache(
            RedisClient client,
            CacheAddress address,
            CircuitBreaker breaker,
            Timer timer,
            SecureRandom random,
            RedisSettings settings) {
        client.setOptions(RedisConnector.options());
        this.routes =
                switch (address) {
                    case CacheAddress.Node(RedisURI uri) -> OneNode.at(client, uri);
                    case CacheAddress.Sentinel(RedisURI uri) ->
                            OneNode.named(client, new Sentinels(client, uri));
                    case CacheAddress.Cluster(var seeds) -> new ClusterNodes(client, seeds);
                };
        this.confirmer = new Confirmer(routes);
        this.breaker = breaker;
        this.timer = timer;
        this.random = random;
        this.settings = settings;
    }

    /**
     * Waits for all connections, at the most {@code deadline} for each; false if one is not open.
     */
    public boolean awaitConnected(Duration deadline) {
        return routes.connect(deadline);
    }

    /**
     * Waits for the readers' connections alone; false if one is not open after {@code deadline}.
     */
    public boolean awaitReadable(Duration deadline) {
        return routes.connectReaders(deadline);
    }

    @Override
    public CompletionStage<CacheLookup> look(ShortCode code) {
        if (!breaker.tryAcquirePermission()) {
            return CompletableFuture.completedFuture(new CacheLookup.Unavailable(BREAKER_OPEN));
        }
        long started = System.nanoTime();
        String key = CacheKeys.record(code);
        NodeLink node = routes.to(key);
        RedisAsyncCommands<String, byte[]> redis = node == null ? null : node.readers().commands();
        if (node == null || redis == null) {
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
        redis.get(key)
                .whenComplete(
                        (value, failure) -> {
                            if (!result.isDone()) { // else it has been counted as a failure
                                deadline.cancel();
                                result.complete(lookup(node, value, failure, started));
                            }
                        });
        return result;
    }

    private CacheLookup lookup(
            NodeLink node, byte @Nullable [] value, @Nullable Throwable failure, long started) {
        if (failure == null) {
            breaker.onSuccess(System.nanoTime() - started, TimeUnit.NANOSECONDS);
            return value == null ? new CacheLookup.Absent() : read(value);
        }
        if (isError("WRONGTYPE", failure)) {
            breaker.onSuccess(System.nanoTime() - started, TimeUnit.NANOSECONDS);
            return new CacheLookup.Unreadable();
        }
        if (isError("MOVED", failure) || isError("ASK", failure)) {
            breaker.onSuccess(System.nanoTime() - started, TimeUnit.NANOSECONDS);
            routes.misled(node, NOT_THERE);
            return new CacheLookup.Unavailable(NOT_THERE);
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

    private static boolean isError(String code, Throwable failure) {
        return failure instanceof RedisCommandExecutionException error
                && error.getMessage() != null
                && error.getMessage().startsWith(code + " ");
    }

    @Override
    public LeaseAttempt askLease(ShortCode code) {
        if (!breaker.tryAcquirePermission()) {
            return new LeaseAttempt.Unreachable(BREAKER_OPEN);
        }
        long started = System.nanoTime();
        LeaseAttempt attempt = politely(code);
        count(!(attempt instanceof LeaseAttempt.Unreachable), started);
        return attempt;
    }

    private LeaseAttempt politely(ShortCode code) {
        String key = CacheKeys.lease(code);
        NodeLink node = routes.to(key);
        RedisAsyncCommands<String, byte[]> redis = node == null ? null : node.readers().commands();
        if (redis == null) {
            return new LeaseAttempt.Unreachable(NOT_CONNECTED);
        }
        Lease lease = new Lease(code, token());
        SetArgs how = SetArgs.Builder.nx().px(Freshness.LEASE);
        return switch (RedisReply.await(redis.set(key, value(lease), how), settings.readBudget())) {
            case RedisReply.Came<String>(String ok) ->
                    ok == null ? new LeaseAttempt.Held() : new LeaseAttempt.Taken(lease);
            case RedisReply.Lost<String>(String why, var _) -> new LeaseAttempt.Unreachable(why);
        };
    }

    @Override
    public LeaseAttempt forceLease(ShortCode code) {
        long end = System.nanoTime() + settings.writeBudget().toNanos();
        return new Forced(new Lease(code, token()), end).take();
    }

    /** A lease that is taken from whoever has it, on the node that has the key. */
    private final class Forced implements OnOwner.Command<LeaseAttempt> {
        private final Lease lease;
        private final long end;
        private final OnOwner<LeaseAttempt> owner;

        @SuppressWarnings("this-escape") // it is called only once it is whole
        Forced(Lease lease, long end) {
            this.lease = lease;
            this.end = end;
            this.owner = new OnOwner<>(routes, this, LeaseAttempt.Unreachable::new);
        }

        LeaseAttempt take() {
            return owner.by(end, CacheKeys.lease(lease.code()));
        }

        @Override
        public OnOwner.Answer<LeaseAttempt> send(NodeLink node, boolean asking, boolean byDigest) {
            RedisConnector connector = node.writers();
            RedisAsyncCommands<String, byte[]> redis = connector.commands();
            if (redis == null) {
                return new OnOwner.Answer.Again<>(NOT_CONNECTED);
            }
            Future<String> reply;
            synchronized (connector) { // nobody else's command between these
                if (asking) {
                    var _ = redis.asking();
                }
                reply =
                        redis.set(
                                CacheKeys.lease(lease.code()),
                                value(lease),
                                SetArgs.Builder.px(Freshness.LEASE));
            }
            return switch (RedisReply.await(reply, Duration.ofNanos(end - System.nanoTime()))) {
                case RedisReply.Came<String> _ ->
                        new OnOwner.Answer.Ended<>(new LeaseAttempt.Taken(lease));
                case RedisReply.Lost<String>(String why, Throwable cause) -> owner.lost(why, cause);
            };
        }
    }

    private static byte[] value(Lease lease) {
        return lease.token().getBytes(StandardCharsets.US_ASCII);
    }

    private String token() {
        byte[] bytes = new byte[TOKEN_BYTES];
        random.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    @Override
    public SettleOutcome settle(Lease lease, Settlement settlement) {
        long started = System.nanoTime();
        SettleOutcome outcome = confirmer.once(lease, settlement, settings.readBudget());
        count(!(outcome instanceof SettleOutcome.Unknown), started);
        return outcome;
    }

    @Override
    public SettleOutcome settleConfirmed(Lease lease, Settlement settlement) {
        return confirmer.confirmed(lease, settlement, settings.writeBudget(), settings.acks());
    }

    /** It may take longer than a look-up: nobody waits for it, and the second runs on meanwhile. */
    @Override
    public NodeView observe() {
        return routes.observe(settings.writeBudget());
    }

    @Override
    public long incarnation() {
        return routes.incarnation();
    }

    /** It lives as long as a sweep looks back, and each sweep writes it anew. */
    @Override
    public MarkOutcome markSwept(CacheRun run) {
        NodeLink node = routes.to(run.marker());
        RedisAsyncCommands<String, byte[]> redis = node == null ? null : node.writers().commands();
        if (redis == null) {
            return new MarkOutcome.NotMarked(NOT_CONNECTED);
        }
        Future<String> reply =
                redis.set(run.marker(), MARK, SetArgs.Builder.px(Freshness.SWEPT_BACK));
        return switch (RedisReply.await(reply, settings.writeBudget())) {
            case RedisReply.Came<String> _ -> new MarkOutcome.Marked();
            case RedisReply.Lost<String>(String why, var _) -> new MarkOutcome.NotMarked(why);
        };
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
        NodeLink node = routes.to("");
        RedisAsyncCommands<String, byte[]> redis = node == null ? null : node.readers().commands();
        if (redis == null) {
            return Optional.empty();
        }
        return switch (RedisReply.await(redis.time(), settings.readBudget())) {
            case RedisReply.Came<List<byte[]>>(List<byte[]> parts) when parts != null ->
                    Optional.of(
                            Instant.ofEpochSecond(Long.parseLong(number(parts.getFirst())))
                                    .plusNanos(1_000 * Long.parseLong(number(parts.getLast()))));
            case RedisReply.Came<List<byte[]>> _, RedisReply.Lost<List<byte[]>> _ ->
                    Optional.empty();
        };
    }

    private static String number(byte[] digits) {
        return new String(digits, StandardCharsets.US_ASCII);
    }

    @Override
    public void close() {
        routes.close();
    }
}
