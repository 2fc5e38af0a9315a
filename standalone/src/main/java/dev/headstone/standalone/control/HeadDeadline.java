package dev.headstone.standalone.control;

import io.helidon.common.buffers.BufferData;
import io.helidon.common.concurrency.limits.Limit;
import io.helidon.http.Headers;
import io.helidon.http.HttpPrologue;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.http1.Http1Config;
import io.helidon.webserver.http1.Http1ConnectionListener;
import io.helidon.webserver.http1.Http1ConnectionSelector;
import io.helidon.webserver.spi.ServerConnection;
import io.helidon.webserver.spi.ServerConnectionSelector;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Makes the server end connections that take too long to send the head of a request. By itself it
 * ends idle connections only while it waits for a request line, and has no read timeout: one byte
 * of a header now and then would hold a connection for ever. Safe for use by several threads.
 */
final class HeadDeadline implements ServerConnectionSelector, Http1ConnectionListener {
    private final Set<ConnectionContext> withinHeaders = ConcurrentHashMap.newKeySet();
    private final Http1ConnectionSelector http1;

    /**
     * @param config of HTTP/1.1, to which this is added as listener
     */
    HeadDeadline(Http1Config.Builder config) {
        http1 =
                Http1ConnectionSelector.builder()
                        .config(config.addReceiveListener(this).buildPrototype())
                        .build();
    }

    @Override
    public void prologue(ConnectionContext context, HttpPrologue prologue) {
        withinHeaders.add(context);
    }

    @Override
    public void headers(ConnectionContext context, Headers headers) {
        withinHeaders.remove(context);
    }

    @Override
    public int bytesToIdentifyConnection() {
        return http1.bytesToIdentifyConnection();
    }

    @Override
    public Support supports(BufferData data) {
        return http1.supports(data);
    }

    @Override
    public Set<String> supportedApplicationProtocols() {
        return http1.supportedApplicationProtocols();
    }

    @Override
    public ServerConnection connection(ConnectionContext context) {
        ServerConnection connection = http1.connection(context);
        return new ServerConnection() {
            @Override
            public void handle(Limit limit) throws InterruptedException {
                try {
                    connection.handle(limit);
                } finally {
                    withinHeaders.remove(context);
                }
            }

            @Override
            public Duration idleTime() {
                return connection.idleTime();
            }

            @Override
            public void close(boolean interrupt) {
                connection.close(interrupt || withinHeaders.contains(context));
            }
        };
    }
}
