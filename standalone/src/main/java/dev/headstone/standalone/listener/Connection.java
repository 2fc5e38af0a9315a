package dev.headstone.standalone.listener;

import dev.headstone.redirect.RedirectAnswer;
import dev.headstone.redirect.Visitor;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection of a client: answers its requests in their order, so many at one time, and sees to
 * it that it ends. Runs on its event loop only, but for answers, which may come from any thread.
 */
final class Connection extends ChannelInboundHandlerAdapter {
    private static final Logger LOG = LoggerFactory.getLogger(Connection.class);

    /** How long what a client still sends is thrown away after its last answer. */
    private static final long LINGER_NANOS = 1_000_000_000L;

    /**
     * More requests than one read brings in, however short they are: only a client that ended its
     * side gets more read than was asked for.
     */
    private static final int MOST_HELD = 512;

    /** A request that is being answered. */
    private static final class Exchange {
        private final boolean head;
        private final boolean oldVersion;
        private final boolean last;
        private final long sinceNanos;
        private @Nullable RedirectAnswer answer;

        private Exchange(boolean head, boolean oldVersion, boolean last, long sinceNanos) {
            this.head = head;
            this.oldVersion = oldVersion;
            this.last = last;
            this.sinceNanos = sinceNanos;
        }
    }

    private enum State {
        /** Requests are taken. */
        OPEN,
        /** The last request was taken; what follows it is thrown away. */
        ENDING,
        /** All answers left; the client is given time to take them. */
        LINGERING
    }

    private final LoopConnections loop;
    private final Deque<Exchange> exchanges = new ArrayDeque<>();
    private final Deque<HttpRequest> held = new ArrayDeque<>();
    private @Nullable ChannelHandlerContext context;
    private State state = State.OPEN;
    private boolean requestInRead;
    private boolean headBegun;
    private boolean takingHeld;
    private boolean inputShut;
    private boolean outputShut;
    private long sinceNanos;

    Connection(LoopConnections loop) {
        this.loop = loop;
    }

    // Life.

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        context = ctx;
        sinceNanos = loop.nanos();
        if (!loop.opened(this)) {
            close(ctx);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        exchanges.clear();
        held.clear();
        loop.closed(this);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (!(cause instanceof IOException)) { // a client that went away is no news
            LOG.atWarn().setCause(cause).log("a connection failed");
        }
        close(ctx);
    }

    /** Nothing more will come from the client, which may well wait for its answers. */
    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof ChannelInputShutdownEvent) {
            inputShut = true;
            closeIfDone(ctx);
        }
    }

    private void closeIfDone(ChannelHandlerContext ctx) {
        boolean done = state == State.LINGERING ? outputShut : isIdle();
        if (inputShut && done) {
            close(ctx); // what is not flushed yet is flushed before
        }
    }

    /** The client takes its answers again. */
    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        takeHeld(ctx);
    }

    // Requests.

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        try {
            if (message instanceof HttpRequest request && state == State.OPEN) {
                requestInRead = true;
                takeOrHold(ctx, request);
            }
        } finally {
            ReferenceCountUtil.release(message);
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        if (requestInRead) {
            headBegun = false;
        } else if (isIdle() && !headBegun) {
            headBegun = true; // bytes came in, and they are no request yet
            sinceNanos = loop.nanos();
        }
        requestInRead = false;
        ctx.flush();
    }

    private void takeOrHold(ChannelHandlerContext ctx, HttpRequest request) {
        if (held.isEmpty() && hasRoom(ctx)) {
            take(ctx, request);
        } else if (held.size() < MOST_HELD) {
            held.add(request);
            ctx.channel().config().setAutoRead(false);
        } else {
            close(ctx);
        }
    }

    /** A client that does not take its answers gets no more of them. */
    private boolean hasRoom(ChannelHandlerContext ctx) {
        return state == State.OPEN
                && exchanges.size() < loop.settings().mostPipelined()
                && ctx.channel().isWritable();
    }

    /**
     * An answer that is there at once ends in here again: one loop takes all, or the stack grows.
     */
    private void takeHeld(ChannelHandlerContext ctx) {
        if (takingHeld) {
            return;
        }
        takingHeld = true;
        while (!held.isEmpty() && hasRoom(ctx)) {
            take(ctx, held.remove());
        }
        takingHeld = false;
        if (inputShut) {
            closeIfDone(ctx);
        } else if (held.isEmpty()) {
            ctx.channel().config().setAutoRead(true);
        }
    }

    private void take(ChannelHandlerContext ctx, HttpRequest request) {
        boolean last = isLast(request);
        Exchange exchange =
                new Exchange(
                        request.method().equals(HttpMethod.HEAD),
                        request.protocolVersion().minorVersion() == 0,
                        last,
                        loop.nanos());
        exchanges.add(exchange);
        if (last) {
            end();
        }
        if (request.decoderResult().isFailure()) {
            answer(ctx, exchange, refusal(request.decoderResult().cause()));
        } else if (request.protocolVersion().majorVersion() != 1) {
            answer(ctx, exchange, RedirectAnswer.refused(400, "HTTP/1.1 is spoken here."));
        } else {
            ask(ctx, exchange, request);
        }
    }

    /**
     * Whether the connection ends with this request: the client wants it to, or there is a body,
     * which nobody will read.
     */
    private static boolean isLast(HttpRequest request) {
        return request.decoderResult().isFailure()
                || request.protocolVersion().majorVersion() != 1
                || !HttpUtil.isKeepAlive(request)
                || hasBody(request.headers());
    }

    private static boolean hasBody(HttpHeaders headers) {
        String length = headers.get(HttpHeaderNames.CONTENT_LENGTH);
        return headers.contains(HttpHeaderNames.TRANSFER_ENCODING)
                || (length != null && !length.equals("0"));
    }

    private static RedirectAnswer refusal(Throwable fault) {
        return switch (fault) {
            case TooLongHttpLineException _ ->
                    RedirectAnswer.refused(414, "The request line is too long.");
            case TooLongHttpHeaderException _ ->
                    RedirectAnswer.refused(431, "The header fields are too long.");
            default -> RedirectAnswer.refused(400, "This is not HTTP/1.1.");
        };
    }

    private void ask(ChannelHandlerContext ctx, Exchange exchange, HttpRequest request) {
        CompletionStage<RedirectAnswer> answer =
                loop.site()
                        .answer(request.method().name(), request.uri(), visitor(request.headers()));
        answer.whenComplete(
                (given, failure) -> {
                    RedirectAnswer sent = failure == null ? given : RedirectAnswer.tryAgain();
                    if (ctx.executor().inEventLoop()) {
                        answer(ctx, exchange, sent);
                    } else {
                        ctx.executor().execute(() -> answer(ctx, exchange, sent));
                    }
                });
    }

    private static Visitor visitor(HttpHeaders headers) {
        return new Visitor(
                headers.get(HttpHeaderNames.USER_AGENT, ""),
                headers.get("Sec-Purpose", ""),
                headers.get("Purpose", ""),
                headers.get("X-Moz", ""));
    }

    // Answers.

    /** The first answer counts: one that comes after its deadline finds its place taken. */
    private void answer(ChannelHandlerContext ctx, Exchange exchange, RedirectAnswer answer) {
        if (exchange.answer == null) {
            exchange.answer = answer;
            if (exchanges.peek() == exchange) {
                send(ctx);
                takeHeld(ctx);
            }
        }
    }

    /** Sends what is due, in order. */
    private void send(ChannelHandlerContext ctx) {
        Instant now = loop.clock().instant();
        Exchange next = exchanges.peek();
        while (next != null && next.answer != null) {
            exchanges.remove();
            boolean last = next.last || (state == State.ENDING && exchanges.isEmpty());
            FullHttpResponse response =
                    HttpAnswers.response(
                            next.answer.leavingAt(now), next.head, loop.date().at(now));
            HttpAnswers.setConnection(response, next.oldVersion, last);
            if (last) {
                exchanges.clear();
                linger(ctx, response);
                return;
            }
            write(ctx, response);
            sinceNanos = loop.nanos();
            next = exchanges.peek();
        }
        ctx.flush();
    }

    private void end() {
        state = State.ENDING;
        held.clear();
    }

    /**
     * Sends the last answer and then an end; what the client still sends is thrown away for a
     * while. Closing at once would reset the connection, and with it the answer, before the client
     * has read it.
     */
    private void linger(ChannelHandlerContext ctx, FullHttpResponse response) {
        state = State.LINGERING;
        held.clear();
        sinceNanos = loop.nanos();
        ctx.writeAndFlush(response)
                .addListener(
                        (ChannelFutureListener)
                                written -> {
                                    outputShut = true;
                                    ((DuplexChannel) written.channel())
                                            .shutdownOutput()
                                            .addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
                                    closeIfDone(ctx);
                                });
    }

    // Bounds.

    private boolean isIdle() {
        return exchanges.isEmpty() && held.isEmpty();
    }

    /** Ends what takes too long. */
    void watch(long now) {
        ChannelHandlerContext ctx = context;
        if (ctx == null) {
            return;
        }
        if (state == State.LINGERING) {
            closeAfter(ctx, now, LINGER_NANOS);
        } else if (!exchanges.isEmpty()) {
            giveUpOn(ctx, now);
        } else if (headBegun) {
            closeAfter(ctx, now, loop.settings().headTimeout().toNanos());
        } else {
            closeAfter(ctx, now, loop.settings().idleTimeout().toNanos());
        }
    }

    private void giveUpOn(ChannelHandlerContext ctx, long now) {
        long timeout = loop.settings().answerTimeout().toNanos();
        for (Exchange exchange : exchanges) {
            if (exchange.answer == null && now - exchange.sinceNanos > timeout) {
                exchange.answer = RedirectAnswer.tryAgain();
            }
        }
        send(ctx);
        takeHeld(ctx);
    }

    private void closeAfter(ChannelHandlerContext ctx, long now, long nanos) {
        if (now - sinceNanos > nanos) {
            close(ctx);
        }
    }

    /** Answers what is in hand, and closes. */
    void drain() {
        ChannelHandlerContext ctx = context;
        if (ctx == null || state == State.LINGERING) {
            return;
        }
        end();
        if (exchanges.isEmpty()) {
            close(ctx);
        }
    }

    /** Closes at once. */
    void abort() {
        if (context != null) {
            close(context);
        }
    }

    /** Whoever waits for the end of a channel is told by the channel. */
    @SuppressWarnings("FutureReturnValueIgnored")
    private static void close(ChannelHandlerContext ctx) {
        ctx.close();
    }

    /** A write that fails closes the connection: the channel sees to it. */
    @SuppressWarnings("FutureReturnValueIgnored")
    private static void write(ChannelHandlerContext ctx, FullHttpResponse response) {
        ctx.write(response, ctx.voidPromise());
    }
}
