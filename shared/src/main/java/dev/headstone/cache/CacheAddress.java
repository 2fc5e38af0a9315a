package dev.headstone.cache;

import io.lettuce.core.RedisURI;
import java.util.List;

/** Where a cache is. */
public sealed interface CacheAddress {
    /** One address, which may have replicas behind it. */
    record Node(RedisURI uri) implements CacheAddress {}

    /** A primary that Sentinels name, and may name anew after a failover. */
    record Sentinel(RedisURI uri) implements CacheAddress {
        /**
         * @throws IllegalArgumentException if the URI names no Sentinel or no primary
         */
        public Sentinel {
            if (uri.getSentinels().isEmpty() || uri.getSentinelMasterId() == null) {
                throw new IllegalArgumentException(
                        "a Sentinel's URI names Sentinels and a primary");
            }
        }
    }

    /** A cluster, of which some nodes are known. */
    record Cluster(List<RedisURI> seeds) implements CacheAddress {
        /**
         * With a copy of {@code seeds}.
         *
         * @throws IllegalArgumentException if there are none
         */
        public Cluster {
            seeds = List.copyOf(seeds);
            if (seeds.isEmpty()) {
                throw new IllegalArgumentException("a cluster is found through at least one node");
            }
        }
    }

    /** Another node that is spoken to in the same way: same credentials, same transport. */
    static RedisURI beside(RedisURI known, String host, int port) {
        return RedisURI.builder()
                .withHost(host)
                .withPort(port)
                .withSsl(known)
                .withAuthentication(known)
                .withDatabase(known.getDatabase())
                .build();
    }
}
