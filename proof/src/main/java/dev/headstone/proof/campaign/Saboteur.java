package dev.headstone.proof.campaign;

import dev.headstone.link.ShortCode;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.KillArgs;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.resource.ClientResources;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Does harm to one Redis over a connection of its own. What cannot be done, since the Redis is down
 * just then, is left undone. Safe for use by several threads.
 */
final class Saboteur implements AutoCloseable {
    /** How many types other than strings it can leave under a key. */
    static final int TYPES = 4;

    private static final long ANSWER_MILLIS = 1_000;
    private static final Pattern CLIENT = Pattern.compile("\\bid=(\\d+) .*?\\bname=(\\S+)");

    private final RedisClient client;
    private final RedisURI uri;
    private @Nullable StatefulRedisConnection<String, String> connection;

    Saboteur(ClientResources resources, RedisURI uri) {
        this.client = RedisClient.create(resources);
        this.uri = uri;
        client.setOptions(
                ClientOptions.builder()
                        .autoReconnect(false)
                        .disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS)
                        .build());
    }

    boolean evict(ShortCode code) {
        return did(redis -> redis.del(record(code)));
    }

    boolean loseLease(ShortCode code) {
        return did(redis -> redis.del("lease:{" + code + "}"));
    }

    boolean overwrite(ShortCode code, String garbage) {
        return did(redis -> redis.set(record(code), garbage));
    }

    /**
     * Leaves something of another type under the key.
     *
     * @param type below {@link #TYPES}
     */
    boolean replace(ShortCode code, int type) {
        String key = record(code);
        return did(redis -> redis.del(key))
                && switch (type) {
                    case 0 -> did(redis -> redis.lpush(key, "x"));
                    case 1 -> did(redis -> redis.hset(key, "state", "active"));
                    case 2 -> did(redis -> redis.sadd(key, "x"));
                    default -> did(redis -> redis.zadd(key, 1, "x"));
                };
    }

    boolean flush() {
        return did(RedisAsyncCommands::flushall);
    }

    boolean snapshot() {
        return did(RedisAsyncCommands::save);
    }

    boolean pause(long millis) {
        return did(redis -> redis.clientPause(millis));
    }

    /** Cuts all connections of the process of that name. */
    boolean cut(String process) {
        String list = ask(RedisAsyncCommands::clientList);
        if (list == null) {
            return false;
        }
        List<Long> ids = new ArrayList<>();
        for (String line : list.split("\n", -1)) {
            Matcher found = CLIENT.matcher(line);
            if (found.find() && found.group(2).equals(process)) {
                ids.add(Long.parseLong(found.group(1)));
            }
        }
        boolean cut = false;
        for (long id : ids) {
            cut |= did(redis -> redis.clientKill(KillArgs.Builder.id(id)));
        }
        return cut;
    }

    private static String record(ShortCode code) {
        return "url:{" + code + "}";
    }

    private boolean did(Function<RedisAsyncCommands<String, String>, Future<?>> deed) {
        return ask(deed::apply) != null;
    }

    private <T> @Nullable T ask(
            Function<RedisAsyncCommands<String, String>, ? extends Future<? extends T>> deed) {
        try {
            return deed.apply(open().async()).get(ANSWER_MILLIS, TimeUnit.MILLISECONDS);
        } catch (RedisException | ExecutionException | TimeoutException | CompletionException e) {
            return null; // it is down, or slow: nothing known was done
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        }
    }

    private synchronized StatefulRedisConnection<String, String> open() {
        StatefulRedisConnection<String, String> open = connection;
        if (open == null || !open.isOpen()) {
            open = client.connect(uri);
            connection = open;
        }
        return open;
    }

    @Override
    public void close() {
        client.shutdown(0, 1, TimeUnit.SECONDS);
    }
}
