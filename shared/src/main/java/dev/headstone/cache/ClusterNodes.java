package dev.headstone.cache;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.cluster.SlotHash;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keys spread over the primaries of a cluster, each with connections of its own. The cache is the
 * primary of its run if all primaries are, and name the same primaries: of two such views that
 * differ by a failover, those nodes are in both that did not fail. Which node has a slot is read
 * anew with each observation, and as soon as a node refuses a key.
 */
final class ClusterNodes implements RedisRoutes {
    private static final Logger log = LoggerFactory.getLogger(ClusterNodes.class);
    private static final Duration REFRESH = Duration.ofMillis(150);
    private static final String NOT_CONNECTED = "the cache is not connected";

    /** No node connects so often that its count would run into the next one's. */
    private static final int CONNECTS_BITS = 32;

    private final RedisClient client;
    private final List<NodeLink> seeds;
    private final RedisURI known;
    private final AtomicBoolean refreshing = new AtomicBoolean();
    private volatile Topology topology =
            new Topology(0, Map.of(), new ClusterMap(Map.of(), Map.of(), 0));
    private volatile boolean closed;

    /**
     * What is connected to. {@code change} says how often the primaries have changed; links are by
     * the id of the node.
     */
    private static final class Topology {
        private final long change;
        private final Map<String, NodeLink> links;
        private final ClusterMap map;
        private final @Nullable NodeLink[] bySlot;

        Topology(long change, Map<String, NodeLink> links, ClusterMap map) {
            this.change = change;
            this.links = Map.copyOf(links);
            this.map = map;
            this.bySlot = new NodeLink[links.isEmpty() ? 0 : SlotHash.SLOT_COUNT];
            map.slots().forEach((slot, id) -> bySlot[slot] = links.get(id));
        }

        long change() {
            return change;
        }

        Map<String, NodeLink> links() {
            return links;
        }

        ClusterMap map() {
            return map;
        }

        boolean isUnknown() {
            return bySlot.length == 0;
        }

        @Nullable NodeLink owner(int slot) {
            return bySlot[slot];
        }
    }

    ClusterNodes(RedisClient client, List<RedisURI> seeds) {
        this.client = client;
        this.known = seeds.getFirst();
        this.seeds =
                seeds.stream()
                        .map(
                                seed ->
                                        new NodeLink(
                                                client,
                                                () -> CompletableFuture.completedFuture(seed)))
                        .toList();
    }

    @Override
    public @Nullable NodeLink to(String key) {
        Topology now = topology;
        if (now.isUnknown()) {
            refreshSoon();
            return null;
        }
        return now.owner(SlotHash.getSlot(key));
    }

    @Override
    public @Nullable NodeLink at(String address) {
        Topology now = topology;
        return now.map().primaries().entrySet().stream()
                .filter(primary -> primary.getValue().equals(address))
                .map(primary -> now.links().get(primary.getKey()))
                .findFirst()
                .orElse(null);
    }

    @Override
    public long incarnation() {
        Topology now = topology;
        long connects = 0;
        for (NodeLink link : now.links().values()) {
            connects += link.incarnation();
        }
        return (now.change() << CONNECTS_BITS) + connects;
    }

    /** What one node said. */
    private record Said(NodeLink.Self self, ClusterMap map) {}

    @Override
    public NodeView observe(Duration budget) {
        long end = System.nanoTime() + budget.toNanos();
        long incarnation = incarnation();
        Map<String, Said> said = ask(end);
        Topology asked = topology;
        install(said.values().stream().map(Said::map).toList());
        if (asked.links().isEmpty() || said.size() < asked.links().size()) {
            return new NodeView.Unknown("not all nodes of the cluster answer");
        }
        List<CacheRun> runs = new ArrayList<>();
        for (Said node : said.values()) {
            if (!node.map().primaries().equals(asked.map().primaries())) {
                return new NodeView.Unknown("the nodes of the cluster disagree on its primaries");
            }
            switch (node.self()) {
                case NodeLink.Self.Primary(CacheRun run) -> runs.add(run);
                case NodeLink.Self.Replica _ -> {
                    return new NodeView.NotPrimary("a node of the cluster became a replica");
                }
                case NodeLink.Self.Unclear(String why) -> {
                    return new NodeView.Unknown(why);
                }
            }
        }
        return primary(CacheRun.ofAll(runs), incarnation, end);
    }

    private NodeView primary(CacheRun run, long incarnation, long end) {
        NodeLink owner = to(run.marker());
        RedisAsyncCommands<String, byte[]> redis =
                owner == null ? null : owner.readers().commands();
        if (redis == null) {
            return new NodeView.Unknown(NOT_CONNECTED);
        }
        boolean empty = isEmpty(end); // before the marker, which itself is something
        return switch (RedisReply.await(redis.exists(run.marker()), left(end))) {
            case RedisReply.Came<Long>(Long markers) when incarnation == incarnation() ->
                    new NodeView.Primary(
                            run, incarnation, empty || (markers != null && markers == 1));
            case RedisReply.Came<Long> _ ->
                    new NodeView.Unknown("the connections changed meanwhile");
            case RedisReply.Lost<Long>(String why, var _) -> new NodeView.Unknown(why);
        };
    }

    private boolean isEmpty(long end) {
        for (NodeLink link : topology.links().values()) {
            RedisAsyncCommands<String, byte[]> redis = link.readers().commands();
            boolean empty =
                    redis != null
                            && RedisReply.await(redis.dbsize(), left(end))
                                    instanceof RedisReply.Came<Long>(Long keys)
                            && keys != null
                            && keys == 0;
            if (!empty) {
                return false;
            }
        }
        return true;
    }

    private static Duration left(long end) {
        return Duration.ofNanos(end - System.nanoTime());
    }

    /** Asks all primaries at once; by the id of the node, without those that did not answer. */
    private Map<String, Said> ask(long end) {
        Topology now = topology;
        Map<String, Asked> asked = new HashMap<>();
        now.links()
                .forEach(
                        (id, link) -> asked.put(id, Asked.of(link, now.map().primaries().get(id))));
        Map<String, Said> said = new HashMap<>();
        asked.forEach((id, node) -> node.said(end).ifPresent(answer -> said.put(id, answer)));
        return said;
    }

    /** Questions that are under way to one node. */
    private record Asked(
            NodeLink.Question self, @Nullable Future<String> nodes, @Nullable String address) {
        static Asked of(NodeLink link, @Nullable String address) {
            RedisAsyncCommands<String, byte[]> redis = link.readers().commands();
            return new Asked(link.question(), redis == null ? null : redis.clusterNodes(), address);
        }

        Optional<Said> said(long end) {
            return map(end).map(map -> new Said(self.answer(end), map));
        }

        Optional<ClusterMap> map(long end) {
            return nodes != null
                            && RedisReply.await(nodes, left(end))
                                    instanceof RedisReply.Came<String>(String text)
                            && text != null
                    ? ClusterMap.read(text, address == null ? "" : address)
                    : Optional.empty();
        }
    }

    /** Takes over what the best informed node says. */
    private synchronized void install(List<ClusterMap> maps) {
        Optional<ClusterMap> newest =
                maps.stream()
                        .filter(map -> !map.primaries().isEmpty())
                        .max(Comparator.comparingLong(ClusterMap::epoch));
        if (closed || newest.isEmpty() || newest.get().equals(topology.map())) {
            return;
        }
        Topology before = topology;
        ClusterMap map = newest.get();
        boolean same = map.primaries().equals(before.map().primaries());
        boolean confirms = before.links().values().stream().anyMatch(NodeLink::confirms);
        Map<String, NodeLink> links = new HashMap<>();
        map.primaries()
                .forEach(
                        (id, address) -> {
                            NodeLink kept =
                                    address.equals(before.map().primaries().get(id))
                                            ? before.links().get(id)
                                            : null;
                            links.put(id, kept == null ? link(address, confirms) : kept);
                        });
        topology = new Topology(before.change() + (same ? 0 : 1), links, map);
        before.links().values().stream()
                .filter(link -> !links.containsValue(link))
                .forEach(NodeLink::close);
        if (!same) {
            log.atInfo()
                    .addKeyValue("primaries", map.primaries().size())
                    .log("cluster has other primaries");
        }
    }

    /** Connects at once, for another connection later would be another incarnation. */
    private NodeLink link(String address, boolean confirms) {
        int colon = address.lastIndexOf(':');
        RedisURI uri =
                CacheAddress.beside(
                        known,
                        address.substring(0, colon),
                        Integer.parseInt(address.substring(colon + 1)));
        NodeLink link = new NodeLink(client, () -> CompletableFuture.completedFuture(uri));
        link.begin(confirms);
        return link;
    }

    @Override
    public void misled(NodeLink node, String why) {
        refreshSoon();
    }

    /** Off the caller's thread, which may be an event loop; one at a time. */
    private void refreshSoon() {
        if (!closed && refreshing.compareAndSet(false, true)) {
            Thread _ = Thread.ofVirtual().name("cluster-refresh").start(this::refreshOnce);
        }
    }

    private void refreshOnce() {
        try {
            refresh();
        } finally {
            refreshing.set(false);
        }
    }

    private void refresh() {
        long end = System.nanoTime() + REFRESH.toNanos();
        List<ClusterMap> maps = new ArrayList<>(ask(end).values().stream().map(Said::map).toList());
        if (maps.isEmpty()) { // nobody that is known, so back to those that were configured
            seeds.stream()
                    .map(seed -> Asked.of(seed, seed.address().orElse(null)))
                    .toList()
                    .forEach(asked -> asked.map(left0(end)).ifPresent(maps::add));
        }
        install(maps);
    }

    /** The seeds get their time even if the others used it up. */
    private static long left0(long end) {
        return Math.max(end, System.nanoTime() + REFRESH.toNanos() / 2);
    }

    @Override
    public boolean connect(Duration deadline) {
        return connect(deadline, NodeLink::connect);
    }

    @Override
    public boolean connectReaders(Duration deadline) {
        return connect(deadline, (link, left) -> link.readers().connect(left));
    }

    private interface Opening {
        boolean open(NodeLink link, Duration deadline);
    }

    private boolean connect(Duration deadline, Opening opening) {
        long end = System.nanoTime() + deadline.toNanos();
        while (topology.links().isEmpty() && end - System.nanoTime() > 0) {
            refresh();
            LockSupport.parkNanos(Duration.ofMillis(2).toNanos());
        }
        boolean open = !topology.links().isEmpty();
        for (NodeLink link : topology.links().values()) {
            open &= opening.open(link, left(end));
        }
        return open;
    }

    @Override
    public synchronized void close() {
        closed = true;
        topology.links().values().forEach(NodeLink::close);
        seeds.forEach(NodeLink::close);
    }
}
