package dev.headstone.standalone.options;

import io.lettuce.core.RedisURI;
import java.util.List;

/** Where the cache is. */
public sealed interface RedisTarget {

    /** A child process of {@code serve}. */
    record Embedded() implements RedisTarget {}

    /** One address, which may have replicas behind it. */
    record Node(RedisURI uri) implements RedisTarget {}

    /** A primary that sentinels name, and may name anew after a failover. */
    record Sentinel(RedisURI uri) implements RedisTarget {}

    /** A cluster, of which some nodes are known. */
    record Cluster(List<RedisURI> nodes) implements RedisTarget {
        /** With a copy of {@code nodes}. */
        public Cluster {
            nodes = List.copyOf(nodes);
        }
    }
}
