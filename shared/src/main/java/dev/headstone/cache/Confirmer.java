package dev.headstone.cache;

import dev.headstone.link.Stamp;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.codec.Base16;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Sends the settle script, and {@code WAIT} behind it, to whoever takes it: again when the node
 * turns out not to be the primary, or not to have the key any more, as long as the budget lasts.
 * Sending it twice does no harm, for the first one uses the lease up. Safe for use by several
 * threads.
 */
final class Confirmer {
    /** What the server's own wait leaves of the budget, so that its answer is heard. */
    private static final Duration MARGIN = Duration.ofMillis(50);

    private static final Duration NEXT_TRY = Duration.ofMillis(10);
    private static final String NOT_CONNECTED = "the cache is not connected";
    private static final String FAILED = "the cache refused or lost the command";
    private static final String MOVING = "the key is being moved to another node";
    private static final String READ_ONLY = "the node is a replica";
    private static final String NOT_THERE = "the key lies on another node";
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

    /** A settlement that is to be made, by {@code end} of the monotonic clock. */
    private record Order(Lease lease, Settlement settlement, int acks, long end) {
        String key() {
            return CacheKeys.record(lease.code());
        }

        Duration left() {
            return Duration.ofNanos(end - System.nanoTime());
        }

        boolean isOver() {
            return end - System.nanoTime() <= 0;
        }
    }

    /** What one node said to it. */
    private sealed interface Answer {
        /** That is the end of it. */
        record Ended(SettleOutcome outcome) implements Answer {}

        /** It was not written: the node must be sent the script's text. */
        record NoScript() implements Answer {}

        /** It was not written: the node has a word to say about who would. */
        record Elsewhere(String why) implements Answer {}

        /** It was not written: this once, the node at that address would. */
        record Ask(String address) implements Answer {}

        /** It may have been written, or cannot be now. */
        record Again(String why) implements Answer {}
    }

    /** A reader's: one try, without waiting for replicas. */
    SettleOutcome once(Lease lease, Settlement settlement, Duration budget) {
        Order order = new Order(lease, settlement, 0, System.nanoTime() + budget.toNanos());
        NodeLink node = routes.to(order.key());
        if (node == null) {
            return new SettleOutcome.Unknown(NOT_CONNECTED);
        }
        Answer answer = send(node.readers(), order, false, true);
        return ended(
                answer instanceof Answer.NoScript
                        ? send(node.readers(), order, false, false)
                        : answer);
    }

    private static SettleOutcome ended(Answer answer) {
        return switch (answer) {
            case Answer.Ended(SettleOutcome outcome) -> outcome;
            case Answer.NoScript _ -> new SettleOutcome.Unknown(FAILED);
            case Answer.Ask _ -> new SettleOutcome.Unknown(MOVING);
            case Answer.Elsewhere(String why) -> new SettleOutcome.Unknown(why);
            case Answer.Again(String why) -> new SettleOutcome.Unknown(why);
        };
    }

    /** A writer's: until it is written and acknowledged, or the budget is used up. */
    SettleOutcome confirmed(Lease lease, Settlement settlement, Duration budget, int acks) {
        Order order = new Order(lease, settlement, acks, System.nanoTime() + budget.toNanos());
        NodeLink node = routes.to(order.key());
        boolean asking = false;
        boolean byDigest = true;
        while (true) {
            Answer answer =
                    node == null
                            ? new Answer.Again(NOT_CONNECTED)
                            : send(node.confirmers(), order, asking, byDigest);
            if (answer instanceof Answer.Ended || order.isOver()) {
                return ended(answer);
            }
            byDigest = !(answer instanceof Answer.NoScript);
            if (byDigest) {
                NodeLink asked = answer instanceof Answer.Ask(String at) ? routes.at(at) : null;
                asking = asked != null;
                node = asking ? asked : elsewhere(node, answer, order);
            }
        }
    }

    /** Who has the key, as far as is known after this answer. */
    private @Nullable NodeLink elsewhere(@Nullable NodeLink node, Answer answer, Order order) {
        if (node != null && answer instanceof Answer.Elsewhere(String why)) {
            routes.misled(node, why);
        }
        LockSupport.parkNanos(Math.min(NEXT_TRY.toNanos(), order.left().toNanos()));
        return routes.to(order.key());
    }

    private Answer send(RedisConnector connector, Order order, boolean asking, boolean byDigest) {
        long generation = connector.generation();
        RedisAsyncCommands<String, byte[]> redis = connector.commands();
        if (redis == null) {
            return new Answer.Again(NOT_CONNECTED);
        }
        String[] keys = {order.key(), CacheKeys.lease(order.lease().code())};
        byte[][] arguments = SettleScript.arguments(order.lease().token(), order.settlement());
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
            replicas =
                    order.acks() == 0
                            ? NOBODY
                            : redis.waitForReplication(
                                    order.acks(),
                                    Math.max(1, order.left().minus(MARGIN).toMillis()));
        }
        Answer answer =
                switch (RedisReply.await(reply, order.left())) {
                    case RedisReply.Came<List<Object>>(List<Object> parts) ->
                            new Answer.Ended(outcome(parts));
                    case RedisReply.Lost<List<Object>>(String why, Throwable cause) ->
                            lost(why, cause);
                };
        return order.acks() > 0 && answer instanceof Answer.Ended(SettleOutcome.Accepted(var _))
                ? acknowledged(answer, replicas, order, connector.generation() == generation)
                : answer;
    }

    private static Answer acknowledged(
            Answer answer, Future<Long> replicas, Order order, boolean sameConnection) {
        return switch (RedisReply.await(replicas, order.left())) {
            case RedisReply.Came<Long>(Long count) when count != null && count >= order.acks() ->
                    sameConnection ? answer : new Answer.Again(CHANGED);
            case RedisReply.Came<Long> _ ->
                    new Answer.Ended(new SettleOutcome.Unknown("too few replicas acknowledged"));
            case RedisReply.Lost<Long>(String why, Throwable cause) -> lost(why, cause);
        };
    }

    private static Answer lost(String why, Throwable cause) {
        if (cause instanceof RedisNoScriptException) {
            return new Answer.NoScript();
        }
        if (cause instanceof RedisCommandExecutionException refusal) {
            return refused(String.valueOf(refusal.getMessage()));
        }
        return cause instanceof RedisException // the connection went under it
                ? new Answer.Again(why)
                : new Answer.Ended(new SettleOutcome.Unknown(why));
    }

    /** The first word of an error is its code; MOVED and ASK are followed by slot and address. */
    private static Answer refused(String message) {
        String[] words = message.split(" ", 4);
        return switch (words[0]) {
            case "READONLY" -> new Answer.Elsewhere(READ_ONLY);
            case "MOVED" -> new Answer.Elsewhere(NOT_THERE);
            case "ASK" ->
                    words.length > 2 ? new Answer.Ask(words[2]) : new Answer.Elsewhere(NOT_THERE);
            case "TRYAGAIN" -> new Answer.Again(MOVING);
            case "CLUSTERDOWN", "LOADING", "MASTERDOWN" -> new Answer.Again(FAILED);
            default -> new Answer.Ended(new SettleOutcome.Unknown(FAILED));
        };
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
