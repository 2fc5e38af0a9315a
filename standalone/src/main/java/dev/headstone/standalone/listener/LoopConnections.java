package dev.headstone.standalone.listener;

import dev.headstone.redirect.RedirectSite;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * What the connections of one event loop share, and the one timer that watches over them: a timer
 * for each request would cost more than the request. All but the constructor runs on the loop.
 */
final class LoopConnections {
    private static final long WATCH_MILLIS = 100;

    private final RedirectSite site;
    private final ListenerSettings settings;
    private final Connections connections;
    private final InstantSource clock;
    private final LongSupplier nanos;
    private final HttpDate date = new HttpDate();
    private final Set<Connection> open = new HashSet<>();
    private final ScheduledFuture<?> watch;

    LoopConnections(
            EventLoop loop,
            RedirectSite site,
            ListenerSettings settings,
            Connections connections,
            InstantSource clock,
            LongSupplier nanos) {
        this.site = site;
        this.settings = settings;
        this.connections = connections;
        this.clock = clock;
        this.nanos = nanos;
        this.watch =
                loop.scheduleWithFixedDelay(
                        this::watch, WATCH_MILLIS, WATCH_MILLIS, TimeUnit.MILLISECONDS);
    }

    RedirectSite site() {
        return site;
    }

    ListenerSettings settings() {
        return settings;
    }

    InstantSource clock() {
        return clock;
    }

    HttpDate date() {
        return date;
    }

    /** The reading of a clock that only goes forward. */
    long nanos() {
        return nanos.getAsLong();
    }

    /** Takes one more; false if it must be closed at once. */
    boolean opened(Connection connection) {
        open.add(connection);
        return connections.opened();
    }

    void closed(Connection connection) {
        if (open.remove(connection)) {
            connections.closed();
        }
    }

    private void watch() {
        long now = nanos();
        each(connection -> connection.watch(now));
    }

    /** Lets each connection answer what it has in hand, and close. */
    void drain() {
        each(Connection::drain);
    }

    /** Closes them, whatever they have in hand. */
    void abort() {
        watch.cancel(false);
        each(Connection::abort);
    }

    /** A connection that closes leaves the set meanwhile. */
    private void each(Consumer<Connection> action) {
        List.copyOf(open).forEach(action);
    }
}
