package dev.headstone.cache;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** All keys on one node, whose address may change. */
final class OneNode implements RedisRoutes {
    private static final String CHANGED = "the connections changed meanwhile";

    private final NodeLink node;

    /**
     * @param target where the node is now
     */
    OneNode(RedisClient client, Supplier<CompletionStage<RedisURI>> target) {
        this.node = new NodeLink(client, target);
    }

    @Override
    public NodeLink to(String key) {
        return node;
    }

    @Override
    public @Nullable NodeLink at(String address) {
        return null; // only a cluster says ASK
    }

    @Override
    public long incarnation() {
        return node.incarnation();
    }

    @Override
    public NodeView observe(Duration budget) {
        long end = System.nanoTime() + budget.toNanos();
        long incarnation = incarnation();
        return switch (node.ask(budget)) {
            case NodeLink.Self.Primary(CacheRun run) ->
                    primary(run, incarnation, Duration.ofNanos(end - System.nanoTime()));
            case NodeLink.Self.Replica _ -> {
                String why = "the node is a replica";
                node.reopen(why);
                yield new NodeView.NotPrimary(why);
            }
            case NodeLink.Self.Unclear(String why) -> new NodeView.Unknown(why);
        };
    }

    private NodeView primary(CacheRun run, long incarnation, Duration budget) {
        RedisAsyncCommands<String, byte[]> redis = node.readers().commands();
        if (redis == null) {
            return new NodeView.Unknown("the cache is not connected");
        }
        long end = System.nanoTime() + budget.toNanos();
        Future<Long> size = redis.dbsize(); // before the marker, which itself is something
        return switch (RedisReply.await(redis.exists(run.marker()), budget)) {
            case RedisReply.Came<Long>(Long markers) when incarnation == incarnation() ->
                    new NodeView.Primary(
                            run,
                            incarnation,
                            isOne(markers)
                                    || isEmpty(size, Duration.ofNanos(end - System.nanoTime())));
            case RedisReply.Came<Long> _ -> new NodeView.Unknown(CHANGED);
            case RedisReply.Lost<Long>(String why, var _) -> new NodeView.Unknown(why);
        };
    }

    private static boolean isOne(@Nullable Long markers) {
        return markers != null && markers == 1;
    }

    private static boolean isEmpty(Future<Long> size, Duration budget) {
        return RedisReply.await(size, budget) instanceof RedisReply.Came<Long>(Long keys)
                && keys != null
                && keys == 0;
    }

    @Override
    public void misled(NodeLink misled, String why) {
        node.reopen(why);
    }

    @Override
    public boolean connect(Duration deadline) {
        return node.connect(deadline);
    }

    @Override
    public boolean connectReaders(Duration deadline) {
        return node.readers().connect(deadline);
    }

    @Override
    public void close() {
        node.close();
    }
}
