package dev.headstone.cache;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisNoScriptException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Sends a writer's command to whoever takes it: again when a node turns out not to be the primary,
 * or not to have the key any more, as long as the time lasts.
 *
 * @param <T> what the command comes to
 */
final class OnOwner<T> {
    private static final Duration NEXT_TRY = Duration.ofMillis(10);
    private static final String NOT_CONNECTED = "the cache is not connected";
    private static final String FAILED = "the cache refused or lost the command";
    private static final String MOVING = "the key is being moved to another node";
    private static final String READ_ONLY = "the node is a replica";
    private static final String NOT_THERE = "the key lies on another node";

    private final RedisRoutes routes;
    private final Command<T> command;
    private final Function<String, T> unknown;

    /**
     * @param unknown what it comes to if nobody took it in time, by the reason
     */
    OnOwner(RedisRoutes routes, Command<T> command, Function<String, T> unknown) {
        this.routes = routes;
        this.command = command;
        this.unknown = unknown;
    }

    /** The command. Sending it twice must do no harm. */
    interface Command<T> {
        /**
         * Sends it to one node, and waits for what that says.
         *
         * @param asking whether the node is to make the exception that another one promised
         * @param byDigest whether the script may be named instead of sent
         */
        Answer<T> send(NodeLink node, boolean asking, boolean byDigest);
    }

    /** What one node said to it. */
    sealed interface Answer<T> {
        /** That is the end of it. */
        record Ended<T>(T outcome) implements Answer<T> {}

        /** It was not done: the node must be sent the script's text. */
        record NoScript<T>() implements Answer<T> {}

        /** It was not done: the node is not the one who would. */
        record Elsewhere<T>(String why) implements Answer<T> {}

        /** It was not done: this once, the node at that address would. */
        record Ask<T>(String address) implements Answer<T> {}

        /** It may have been done, or cannot be now. */
        record Again<T>(String why) implements Answer<T> {}
    }

    /** Until it is taken, or it is {@code end} on the monotonic clock. */
    T by(long end, String key) {
        NodeLink node = routes.to(key);
        boolean asking = false;
        boolean byDigest = true;
        while (true) {
            Answer<T> answer =
                    node == null
                            ? new Answer.Again<>(NOT_CONNECTED)
                            : command.send(node, asking, byDigest);
            if (answer instanceof Answer.Ended<T> || end - System.nanoTime() <= 0) {
                return outcome(answer);
            }
            byDigest = !(answer instanceof Answer.NoScript<T>);
            if (byDigest) {
                NodeLink asked = answer instanceof Answer.Ask<T>(String at) ? routes.at(at) : null;
                asking = asked != null;
                node = asking ? asked : next(node, answer, key, end);
            }
        }
    }

    /** Who has the key, as far as is known after this answer. */
    private @Nullable NodeLink next(
            @Nullable NodeLink node, Answer<T> answer, String key, long end) {
        if (node != null && answer instanceof Answer.Elsewhere<T>(String why)) {
            routes.misled(node, why);
        }
        LockSupport.parkNanos(Math.clamp(end - System.nanoTime(), 0, NEXT_TRY.toNanos()));
        return routes.to(key);
    }

    /** If it must not be sent again. */
    T outcome(Answer<T> answer) {
        return switch (answer) {
            case Answer.Ended<T>(T outcome) -> outcome;
            case Answer.NoScript<T> _ -> unknown.apply(FAILED);
            case Answer.Ask<T> _ -> unknown.apply(MOVING);
            case Answer.Elsewhere<T>(String why) -> unknown.apply(why);
            case Answer.Again<T>(String why) -> unknown.apply(why);
        };
    }

    /** What the loss of a reply says. */
    Answer<T> lost(String why, Throwable cause) {
        if (cause instanceof RedisNoScriptException) {
            return new Answer.NoScript<>();
        }
        if (cause instanceof RedisCommandExecutionException refusal) {
            return refused(String.valueOf(refusal.getMessage()));
        }
        return cause instanceof RedisException // the connection went under it
                ? new Answer.Again<>(why)
                : new Answer.Ended<>(unknown.apply(why));
    }

    /** The first word of an error is its code; MOVED and ASK are followed by slot and address. */
    private Answer<T> refused(String message) {
        String[] words = message.split(" ", 4);
        return switch (words[0]) {
            case "READONLY" -> new Answer.Elsewhere<>(READ_ONLY);
            case "MOVED" -> new Answer.Elsewhere<>(NOT_THERE);
            case "ASK" ->
                    words.length > 2
                            ? new Answer.Ask<>(words[2])
                            : new Answer.Elsewhere<>(NOT_THERE);
            case "TRYAGAIN" -> new Answer.Again<>(MOVING);
            case "CLUSTERDOWN", "LOADING", "MASTERDOWN" -> new Answer.Again<>(FAILED);
            default -> new Answer.Ended<>(unknown.apply(FAILED));
        };
    }
}
