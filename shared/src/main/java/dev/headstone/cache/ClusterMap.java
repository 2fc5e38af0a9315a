package dev.headstone.cache;

import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.models.partitions.ClusterPartitionParser;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode.NodeFlag;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A cluster as one of its nodes sees it: its primaries, and which slots they have.
 *
 * @param primaries the address of each, by the id of the node
 * @param slots by number, the id of the primary that has it
 * @param epoch the highest that the node knows of: what is newer has a higher one
 */
record ClusterMap(Map<String, String> primaries, Map<Integer, String> slots, long epoch) {
    ClusterMap {
        primaries = Map.copyOf(new TreeMap<>(primaries));
        slots = Map.copyOf(slots);
    }

    /**
     * Reads what {@code CLUSTER NODES} answered; empty if that cannot be read.
     *
     * @param asked the address that answered, for a node that does not know its own yet
     */
    static Optional<ClusterMap> read(String text, String asked) {
        try {
            Map<String, String> primaries = new HashMap<>();
            Map<Integer, String> slots = new HashMap<>();
            long epoch = 0;
            for (RedisClusterNode node : ClusterPartitionParser.parse(text)) {
                epoch = Math.max(epoch, node.getConfigEpoch());
                if (isPrimary(node)) {
                    primaries.put(node.getNodeId(), address(node, asked));
                    node.forEachSlot(slot -> slots.put(slot, node.getNodeId()));
                }
            }
            return Optional.of(new ClusterMap(primaries, slots, epoch));
        } catch (RedisException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static boolean isPrimary(RedisClusterNode node) {
        return node.is(NodeFlag.UPSTREAM)
                && !node.is(NodeFlag.FAIL)
                && !node.is(NodeFlag.NOADDR)
                && !node.is(NodeFlag.HANDSHAKE);
    }

    /** A node that nobody has met yet does not know its own address. */
    private static String address(RedisClusterNode node, String asked) {
        @Nullable RedisURI uri = node.getUri();
        return uri == null || uri.getHost() == null || uri.getHost().isEmpty()
                ? asked
                : uri.getHost() + ":" + uri.getPort();
    }
}
