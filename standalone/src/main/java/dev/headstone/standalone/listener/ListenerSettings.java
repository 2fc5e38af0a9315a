package dev.headstone.standalone.listener;

import java.net.InetSocketAddress;
import java.time.Duration;

/**
 * How a redirect listener is set up.
 *
 * @param bind where it listens; port 0 takes a free one
 * @param mostConnections open connections; the next one is closed at once
 * @param mostPipelined requests of one connection that are being answered; the next one waits, and
 *     nothing more is read meanwhile
 * @param headTimeout how long a request may take to arrive, from its first byte on
 * @param idleTimeout how long a connection may do nothing
 * @param answerTimeout how long an answer may take; then it is 503
 * @param drain how long {@link RedirectListener#close} lets requests in hand go on
 */
public record ListenerSettings(
        InetSocketAddress bind,
        int mostConnections,
        int mostPipelined,
        Duration headTimeout,
        Duration idleTimeout,
        Duration answerTimeout,
        Duration drain) {

    /**
     * 10,000 connections, which take some 100 MB at the worst; 32 pipelined requests; 10 s for a
     * request to arrive, 60 s of idleness, 4 s for an answer (twice what its table reads and its
     * settlements may take), 5 s to drain, half of what a stop may take.
     */
    public static ListenerSettings on(InetSocketAddress bind) {
        return new ListenerSettings(
                bind,
                10_000,
                32,
                Duration.ofSeconds(10),
                Duration.ofSeconds(60),
                Duration.ofSeconds(4),
                Duration.ofSeconds(5));
    }

    /**
     * @throws IllegalArgumentException naming the setting that is out of range
     */
    public ListenerSettings {
        if (mostConnections < 1 || mostPipelined < 1) {
            throw new IllegalArgumentException("mostConnections and mostPipelined start at 1");
        }
    }
}
