package dev.headstone.cache;

import dev.headstone.cache.OnOwner.Answer;
import dev.headstone.link.Stamp;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.codec.Base16;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Sends the settle script, and a {@code WAIT} behind it. Sending it twice does no harm, for the
 * first one uses the lease up. Safe for use by several threads.
 */
final class Confirmer {
    /** What the server's own wait leaves of the budget, so that its answer is heard. */
    private static final Duration MARGIN = Duration.ofMillis(50);

    private static final String NOT_CONNECTED = "the cache is not connected";
    private static final String CHANGED = "the connection changed under a confirmed write";
    private static final Future<Long> NOBODY = CompletableFuture.completedFuture(0L);

    private final RedisRoutes routes;
    private final byte[] script;
    private final String digest;

    Confirmer(RedisRoutes routes) {
        this.routes = routes;
        this.script = SettleScript.text().getBytes(StandardCharsets.UTF_8);
        this.digest = Base16.digest(script);
    }

    /** A reader's: one try, without waiting for replicas. */
    SettleOutcome once(Lease lease, Settlement settlement, Duration budget) {
        Order order = new Order(lease, settlement, 0, budget);
        NodeLink node = routes.to(order.key());
        if (node == null) {
            return new SettleOutcome.Unknown(NOT_CONNECTED);
        }
        Answer<SettleOutcome> answer = order.send(node.readers(), false, true);
        return order.owner.outcome(
                answer instanceof Answer.NoScript<SettleOutcome>
                        ? order.send(node.readers(), false, false)
                        : answer);
    }

    /** A writer's: until it is written and acknowledged, or the budget is used up. */
    SettleOutcome confirmed(Lease lease, Settlement settlement, Duration budget, int acks) {
        Order order = new Order(lease, settlement, acks, budget);
        return order.owner.by(order.end, order.key());
    }

    /** A settlement that is to be made within a budget. */
    private final class Order implements OnOwner.Command<SettleOutcome> {
        private final Lease lease;
        private final Settlement settlement;
        private final int acks;
        private final long end;
        private final long waitMillis;
        private final OnOwner<SettleOutcome> owner;

        @SuppressWarnings("this-escape") // it is called only once it is whole
        Order(Lease lease, Settlement settlement, int acks, Duration budget) {
            this.lease = lease;
            this.settlement = settlement;
            this.acks = acks;
            this.end = System.nanoTime() + budget.toNanos();
            this.waitMillis = Math.max(1, budget.minus(MARGIN).toMillis());
            this.owner = new OnOwner<>(routes, this, SettleOutcome.Unknown::new);
        }

        String key() {
            return CacheKeys.record(lease.code());
        }

        private Duration left() {
            return Duration.ofNanos(end - System.nanoTime());
        }

        @Override
        public Answer<SettleOutcome> send(NodeLink node, boolean asking, boolean byDigest) {
            return send(node.confirmers(), asking, byDigest);
        }

        private Answer<SettleOutcome> send(
                RedisConnector connector, boolean asking, boolean byDigest) {
            long generation = connector.generation();
            RedisConnector.Open open = connector.open();
            if (open == null) {
                return new Answer.Again<>(NOT_CONNECTED);
            }
            RedisAsyncCommands<String, byte[]> redis = open.connection().async();
            String[] keys = {key(), CacheKeys.lease(lease.code())};
            byte[][] arguments = SettleScript.arguments(lease.token(), settlement);
            Future<List<Object>> reply;
            Future<Long> replicas;
            synchronized (connector) { // nobody else's command between these
                if (asking) {
                    var _ = redis.asking();
                }
                reply =
                        byDigest
                                ? redis.evalsha(digest, ScriptOutputType.MULTI, keys, arguments)
                                : redis.eval(script, ScriptOutputType.MULTI, keys, arguments);
                replicas = acks == 0 ? NOBODY : open.waits().forReplicas(acks, waitMillis);
            }
            return switch (RedisReply.await(reply, left())) {
                case RedisReply.Came<List<Object>>(List<Object> parts)
                        when acks > 0 && outcome(parts) instanceof SettleOutcome.Accepted done ->
                        acknowledged(done, replicas, connector.generation() == generation);
                case RedisReply.Came<List<Object>>(List<Object> parts) ->
                        new Answer.Ended<>(outcome(parts));
                case RedisReply.Lost<List<Object>>(String why, Throwable cause) ->
                        owner.lost(why, cause);
            };
        }

        private Answer<SettleOutcome> acknowledged(
                SettleOutcome done, Future<Long> replicas, boolean sameConnection) {
            return switch (RedisReply.await(replicas, left())) {
                case RedisReply.Came<Long>(Long count) when count != null && count >= acks ->
                        sameConnection ? new Answer.Ended<>(done) : new Answer.Again<>(CHANGED);
                case RedisReply.Came<Long> _ ->
                        new Answer.Ended<>(
                                new SettleOutcome.Unknown("too few replicas acknowledged"));
                case RedisReply.Lost<Long>(String why, Throwable cause) -> owner.lost(why, cause);
            };
        }
    }

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
}
