package dev.headstone.standalone.control;

import java.time.Duration;

/**
 * How the control port listens.
 *
 * @param bind the address to listen on
 * @param port 0 takes a free one
 * @param maxConnections how many connections there may be; more wait to be accepted
 * @param maxRequests how many requests are worked on at once; more are told to try again
 * @param bodyDeadline how long a request's body may take to arrive
 * @param answerDeadline how long the answer may take to be found, after which it is unavailable
 * @param verifyDeadline the same for verifying the audit log, which reads all of it, and for a
 *     sweep
 * @param idleTimeout how long a connection may be silent
 * @param stopDeadline how long requests in flight may take when the listener stops
 */
public record ControlSettings(
        String bind,
        int port,
        int maxConnections,
        int maxRequests,
        Duration bodyDeadline,
        Duration answerDeadline,
        Duration verifyDeadline,
        Duration idleTimeout,
        Duration stopDeadline) {

    /** The usual bounds; a change of a link is never given more than 5 s by itself. */
    public static ControlSettings on(String bind, int port) {
        return new ControlSettings(
                bind,
                port,
                512,
                128,
                Duration.ofSeconds(10),
                Duration.ofSeconds(15),
                Duration.ofMinutes(5),
                Duration.ofSeconds(30),
                Duration.ofSeconds(7));
    }

    /**
     * @throws IllegalArgumentException if a number is out of range
     */
    public ControlSettings {
        if (port < 0 || port > 65_535) {
            throw new IllegalArgumentException("port: not from 0 to 65535");
        }
        if (maxConnections < 1 || maxRequests < 1) {
            throw new IllegalArgumentException("at least one connection and one request");
        }
        for (Duration duration :
                new Duration[] {
                    bodyDeadline, answerDeadline, verifyDeadline, idleTimeout, stopDeadline
                }) {
            if (!duration.isPositive()) {
                throw new IllegalArgumentException("durations: not positive");
            }
        }
    }
}
