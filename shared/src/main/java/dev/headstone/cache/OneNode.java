package dev.headstone.cache;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * All keys on one node: at an address of its own, or at the one that Sentinels name, which may
 * change.
 */
final class OneNode implements RedisRoutes {
    private static final String CHANGED = "the connections changed meanwhile";

    /** A frozen node uses the budget up; what Sentinels say of it has long been there. */
    private static final long SHORTEST = Duration.ofMillis(20).toNanos();

    private final NodeLink node;
    private final Optional<Sentinels> sentinels;

    private OneNode(NodeLink node, Optional<Sentinels> sentinels) {
        this.node = node;
        this.sentinels = sentinels;
    }

    /** A node that stays where it is. */
    static OneNode at(RedisClient client, RedisURI uri) {
        return new OneNode(
                new NodeLink(client, () -> CompletableFuture.completedFuture(uri)),
                Optional.empty());
    }

    /** A node that Sentinels name. */
    static OneNode named(RedisClient client, Sentinels sentinels) {
        return new OneNode(new NodeLink(client, sentinels::primary), Optional.of(sentinels));
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
        Optional<CompletionStage<Optional<String>>> named = sentinels.map(Sentinels::named);
        NodeLink.Self self = node.ask(budget);
        return named.flatMap(name -> doubt(name, end))
                .orElseGet(
                        () ->
                                switch (self) {
                                    case NodeLink.Self.Primary(CacheRun run) ->
                                            primary(
                                                    run,
                                                    incarnation,
                                                    Duration.ofNanos(end - System.nanoTime()));
                                    case NodeLink.Self.Replica _ -> left("the node is a replica");
                                    case NodeLink.Self.Unclear(String why) ->
                                            new NodeView.Unknown(why);
                                });
    }

    /** What Sentinels say against the node, if they do; also of one that says nothing itself. */
    private Optional<NodeView> doubt(CompletionStage<Optional<String>> named, long end) {
        Duration left = Duration.ofNanos(Math.max(SHORTEST, end - System.nanoTime()));
        return switch (RedisReply.await(named.toCompletableFuture(), left)) {
            case RedisReply.Came<Optional<String>>(Optional<String> name)
                    when name != null && name.isPresent() ->
                    node.address().filter(address -> !address.equals(name.get())).isPresent()
                            ? Optional.of(left("Sentinels name another node"))
                            : Optional.empty();
            case RedisReply.Came<Optional<String>> _, RedisReply.Lost<Optional<String>> _ ->
                    Optional.of(new NodeView.Unknown("too few Sentinels say the same"));
        };
    }

    /** It is not where writes go; whoever is, will be found at the next attempt. */
    private NodeView left(String why) {
        node.reopen(why);
        return new NodeView.NotPrimary(why);
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
        sentinels.ifPresent(Sentinels::close);
    }
}
