package dev.headstone.cache;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Which connections the commands on a key go over. Safe for use by several threads. */
interface RedisRoutes extends AutoCloseable {
    /** The node that has the key now, as far as is known; null if nobody is known to have it. */
    @Nullable NodeLink to(String key);

    /** The node at the address that an {@code ASK} named; null if there is none such. */
    @Nullable NodeLink at(String address);

    /** Changes as soon as any connection is opened anew, or leads elsewhere. */
    long incarnation();

    /** As {@link CacheNode#observe}. */
    NodeView observe(Duration budget);

    /** A node said that it does not take writes, or does not have the key: finds out who does. */
    void misled(NodeLink node, String why);

    /** Opens all connections; false if one is not open after {@code deadline}. */
    boolean connect(Duration deadline);

    /** Opens the readers' connections alone; false if one is not open after {@code deadline}. */
    boolean connectReaders(Duration deadline);

    @Override
    void close();
}
