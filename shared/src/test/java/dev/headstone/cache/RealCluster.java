package dev.headstone.cache;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;

/** A cluster of three primaries of its own for a test, without replicas. */
public final class RealCluster implements AutoCloseable {
    private static final int SLOTS = 16_384;
    private static final int NODES = 3;

    private final List<RealRedis> nodes = new ArrayList<>();
    private final List<StatefulRedisConnection<String, String>> connections = new ArrayList<>();

    private RealCluster() {}

    /** Starts one and waits until it is whole. */
    public static RealCluster start(RedisClient operator) {
        RealCluster cluster = new RealCluster();
        for (int index = 0; index < NODES; index++) {
            RealRedis node =
                    RealRedis.startOn(
                            FreePort.withBus(),
                            "--cluster-enabled",
                            "yes",
                            "--cluster-node-timeout",
                            "2000");
            cluster.nodes.add(node);
            cluster.connections.add(operator.connect(node.uri()));
        }
        for (int index = 0; index < NODES; index++) {
            int first = SLOTS * index / NODES;
            int end = SLOTS * (index + 1) / NODES;
            cluster.node(index).clusterAddSlots(IntStream.range(first, end).toArray());
            cluster.node(index).clusterMeet("127.0.0.1", cluster.nodes.getFirst().port());
        }
        cluster.awaitWhole();
        return cluster;
    }

    /** Waits until every node says that every slot is served. */
    void awaitWhole() {
        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .pollDelay(Duration.ZERO)
                .ignoreExceptions()
                .until(() -> IntStream.range(0, NODES).allMatch(this::isWhole));
    }

    private boolean isWhole(int index) {
        String info = node(index).clusterInfo();
        return info.contains("cluster_state:ok") && info.contains("cluster_known_nodes:" + NODES);
    }

    /** How to find it: by one node only. */
    CacheAddress address() {
        return new CacheAddress.Cluster(List.of(nodes.getFirst().uri()));
    }

    /** As an operator sees one node. */
    RedisCommands<String, String> node(int index) {
        return connections.get(index).sync();
    }

    /** The server itself. */
    public RealRedis server(int index) {
        return nodes.get(index);
    }

    /** Which node has the slot, as that node says itself. */
    int ownerOf(int slot) {
        return IntStream.range(0, NODES)
                .filter(
                        index ->
                                ClusterMap.read(node(index).clusterNodes(), uri(index))
                                        .map(map -> map.slots().get(slot))
                                        .filter(id -> id.equals(node(index).clusterMyId()))
                                        .isPresent())
                .findFirst()
                .orElseThrow();
    }

    private String uri(int index) {
        RedisURI uri = nodes.get(index).uri();
        return uri.getHost() + ":" + uri.getPort();
    }

    /** Begins to move a slot: what is not there any more is asked for at the other node. */
    void beginMove(int slot, int from, int to) {
        node(to).clusterSetSlotImporting(slot, node(from).clusterMyId());
        node(from).clusterSetSlotMigrating(slot, node(to).clusterMyId());
    }

    /** Moves the slot's keys. */
    void moveKeys(int slot, int from, int to) {
        List<String> keys = node(from).clusterGetKeysInSlot(slot, 1_000);
        for (String key : keys) {
            node(from).migrate("127.0.0.1", nodes.get(to).port(), key, 0, 5_000);
        }
    }

    /** The slot is the other node's from now on. */
    void endMove(int slot, int to) {
        String owner = node(to).clusterMyId();
        node(to).clusterSetSlotNode(slot, owner);
        for (int index = 0; index < NODES; index++) {
            node(index).clusterSetSlotNode(slot, owner);
        }
    }

    @Override
    public void close() {
        connections.forEach(StatefulRedisConnection::close);
        nodes.forEach(RealRedis::close);
    }
}
