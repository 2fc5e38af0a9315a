package dev.headstone.cache;

import io.lettuce.core.RedisChannelWriter;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisReactiveCommandsImpl;
import io.lettuce.core.RedisURI;
import io.lettuce.core.StatefulRedisConnectionImpl;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.protocol.PushHandler;
import io.lettuce.core.resource.ClientResources;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A client whose connections have asynchronous commands and no others. The blocking ones are a
 * proxy of hundreds of methods, generated at run time, and the reactive ones bring some 350
 * classes: a third of what a cold start would take, for nothing that anybody here calls. Safe for
 * use by several threads.
 */
public final class AsyncRedisClient extends RedisClient {
    private AsyncRedisClient(ClientResources resources) {
        super(resources, new RedisURI());
    }

    /** A client on {@code resources}, which outlive it. */
    public static RedisClient on(ClientResources resources) {
        return new AsyncRedisClient(resources);
    }

    @Override
    protected <K, V> StatefulRedisConnectionImpl<K, V> newStatefulRedisConnection(
            RedisChannelWriter writer,
            PushHandler pushes,
            RedisCodec<K, V> codec,
            Duration timeout) {
        return new AsyncConnection<>(writer, pushes, codec, timeout);
    }

    private static final class AsyncConnection<K, V> extends StatefulRedisConnectionImpl<K, V> {
        AsyncConnection(
                RedisChannelWriter writer,
                PushHandler pushes,
                RedisCodec<K, V> codec,
                Duration timeout) {
            super(writer, pushes, codec, timeout);
        }

        @Override
        protected @Nullable RedisCommands<K, V> newRedisSyncCommandsImpl() {
            return null;
        }

        @Override
        protected @Nullable RedisReactiveCommandsImpl<K, V> newRedisReactiveCommandsImpl() {
            return null;
        }
    }
}
