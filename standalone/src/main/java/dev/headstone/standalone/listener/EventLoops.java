package dev.headstone.standalone.listener;

import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutor;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The event loops, one thread each: on epoll where there is one, else on NIO. Whatever shares them
 * is closed before they are.
 */
public final class EventLoops implements AutoCloseable {
    private static final long STOP_MILLIS = 2_000;

    private final EventLoopGroup group;
    private final List<EventLoop> all = new ArrayList<>();
    private final Class<? extends ServerChannel> serverChannel;

    private EventLoops(
            int count, IoHandlerFactory io, Class<? extends ServerChannel> serverChannel) {
        this.group =
                new MultiThreadIoEventLoopGroup(
                        count, new DefaultThreadFactory("headstone-loop"), io);
        for (EventExecutor loop : group) {
            all.add((EventLoop) loop);
        }
        this.serverChannel = serverChannel;
    }

    /** So many loops, at best one for each core. */
    public static EventLoops start(int count) {
        return Epoll.isAvailable() ? epoll(count) : nio(count);
    }

    private static EventLoops epoll(int count) {
        return new EventLoops(count, EpollIoHandler.newFactory(), EpollServerSocketChannel.class);
    }

    /** Loops that work on every platform. */
    static EventLoops nio(int count) {
        return new EventLoops(count, NioIoHandler.newFactory(), NioServerSocketChannel.class);
    }

    /** Each loop, also as the group of one that a client may be given. */
    public List<EventLoop> all() {
        return List.copyOf(all);
    }

    EventLoopGroup group() {
        return group;
    }

    Class<? extends ServerChannel> serverChannel() {
        return serverChannel;
    }

    /** Stops the threads, within two seconds. */
    @Override
    public void close() {
        group.shutdownGracefully(0, STOP_MILLIS, TimeUnit.MILLISECONDS)
                .awaitUninterruptibly(STOP_MILLIS);
    }
}
