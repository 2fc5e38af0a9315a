package dev.headstone.standalone.listener;

import dev.headstone.redirect.RedirectSite;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.EventLoop;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.unix.Errors;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.HttpResponseEncoder;
import io.netty.handler.flush.FlushConsolidationHandler;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens for clicks. One socket accepts, and hands its connections to the loops in turn: sockets
 * of their own for the loops ({@code SO_REUSEPORT}) would let a second listener take the same port
 * without an error, and share the load unevenly.
 */
public final class RedirectListener implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RedirectListener.class);
    private static final int BACKLOG = 1_024;
    private static final int LONGEST_LINE = 8_192;
    private static final int LONGEST_HEADERS = 16_384;
    private static final int LARGEST_READ = 8_192;
    private static final int EADDRINUSE = -98; // epoll is Linux's, and so is its number
    private static final int FLUSH_AFTER = 64;
    private static final long STOP_MILLIS = 1_000;

    private final Channel server;
    private final ListenerSettings settings;
    private final Connections connections;
    private final Map<EventLoop, LoopConnections> loops;

    private RedirectListener(
            Channel server,
            ListenerSettings settings,
            Connections connections,
            Map<EventLoop, LoopConnections> loops) {
        this.server = server;
        this.settings = settings;
        this.connections = connections;
        this.loops = loops;
    }

    /**
     * Starts to listen.
     *
     * @param sites gives each loop what answers its requests, which may look through a connection
     *     to the cache that lives on the same loop
     * @throws BindException naming the port, if it is in use
     * @throws IOException naming address and port, if they cannot be listened on
     */
    public static RedirectListener start(
            EventLoops loops,
            ListenerSettings settings,
            Function<EventLoop, RedirectSite> sites,
            InstantSource clock,
            MeterRegistry registry)
            throws IOException {
        Connections connections = new Connections(settings.mostConnections(), registry);
        Map<EventLoop, LoopConnections> byLoop = new HashMap<>();
        for (EventLoop loop : loops.all()) {
            byLoop.put(
                    loop,
                    new LoopConnections(
                            loop,
                            sites.apply(loop),
                            settings,
                            connections,
                            clock,
                            System::nanoTime));
        }
        try {
            Channel server = bind(loops, settings.bind(), byLoop);
            return new RedirectListener(server, settings, connections, byLoop);
        } catch (IOException e) {
            onEach(byLoop, LoopConnections::abort);
            throw e;
        }
    }

    private static Channel bind(
            EventLoops loops, InetSocketAddress address, Map<EventLoop, LoopConnections> byLoop)
            throws IOException {
        ChannelFuture bound =
                new ServerBootstrap()
                        .group(loops.group())
                        .channel(loops.serverChannel())
                        .option(ChannelOption.SO_BACKLOG, BACKLOG)
                        .option(ChannelOption.SO_REUSEADDR, true)
                        .childOption(ChannelOption.TCP_NODELAY, true)
                        .childOption(
                                ChannelOption.RECVBUF_ALLOCATOR,
                                new AdaptiveRecvByteBufAllocator(64, 2_048, LARGEST_READ))
                        .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
                        .childOption(
                                ChannelOption.WRITE_BUFFER_WATER_MARK,
                                new WriteBufferWaterMark(32_768, 65_536))
                        .childHandler(new Pipeline(byLoop))
                        .bind(address)
                        .awaitUninterruptibly();
        if (bound.isSuccess()) {
            return bound.channel();
        }
        throw refusal(address, bound.cause());
    }

    private static IOException refusal(InetSocketAddress address, Throwable cause) {
        String where = "port " + address.getPort() + " on " + address.getHostString();
        if (cause instanceof BindException
                || (cause instanceof Errors.NativeIoException epoll
                        && epoll.expectedErr() == EADDRINUSE)) {
            BindException inUse = new BindException(where + " is in use");
            inUse.initCause(cause);
            return inUse;
        }
        return new IOException("cannot listen on " + where + ": " + cause.getMessage(), cause);
    }

    /** Puts the handlers of a new connection together. */
    private static final class Pipeline extends ChannelInitializer<SocketChannel> {
        private final Map<EventLoop, LoopConnections> byLoop;

        private Pipeline(Map<EventLoop, LoopConnections> byLoop) {
            this.byLoop = byLoop;
        }

        @Override
        protected void initChannel(SocketChannel channel) {
            LoopConnections loop = Objects.requireNonNull(byLoop.get(channel.eventLoop()));
            ChannelPipeline pipeline = channel.pipeline();
            pipeline.addLast(new FlushConsolidationHandler(FLUSH_AFTER, true));
            pipeline.addLast(
                    new HttpRequestDecoder(
                            new HttpDecoderConfig()
                                    .setMaxInitialLineLength(LONGEST_LINE)
                                    .setMaxHeaderSize(LONGEST_HEADERS)));
            pipeline.addLast(new HttpResponseEncoder());
            pipeline.addLast(new Connection(loop));
        }
    }

    /** Where it listens, with the port that it took. */
    public InetSocketAddress address() {
        return (InetSocketAddress) server.localAddress();
    }

    /**
     * Stops: takes no more connections and no more requests, answers those in hand while {@link
     * ListenerSettings#drain} lasts, and closes what is left then. The loops go on.
     */
    @Override
    public void close() {
        server.close().awaitUninterruptibly(STOP_MILLIS);
        connections.drain();
        onEach(loops, LoopConnections::drain);
        if (!awaitDrained(settings.drain().toMillis())) {
            LOG.atWarn().log("requests were still in hand when the time to drain was over");
        }
        onEach(loops, LoopConnections::abort);
        awaitDrained(STOP_MILLIS);
    }

    private boolean awaitDrained(long millis) {
        try {
            return connections.awaitDrained(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static void onEach(
            Map<EventLoop, LoopConnections> loops, Consumer<LoopConnections> action) {
        loops.forEach((loop, connections) -> loop.execute(() -> action.accept(connections)));
    }
}
