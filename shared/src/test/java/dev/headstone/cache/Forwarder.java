package dev.headstone.cache;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Collections;
import java.util.HashSet;
import java.util.Set;

/** A way to a port of the loopback that a test can cut. */
final class Forwarder implements AutoCloseable {
    private final ServerSocket listener;
    private final int target;
    private final Set<Socket> sockets = Collections.synchronizedSet(new HashSet<>());

    /** A way to {@code target}. */
    Forwarder(int target) {
        this.target = target;
        try {
            this.listener = new ServerSocket(0, 16, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread _ = Thread.ofVirtual().name("forwarder").start(this::accept);
    }

    /** Where it begins. */
    int port() {
        return listener.getLocalPort();
    }

    private void accept() {
        try {
            while (true) {
                Socket from = listener.accept();
                Socket to = new Socket(InetAddress.getLoopbackAddress(), target);
                sockets.add(from);
                sockets.add(to);
                Thread _ = Thread.ofVirtual().start(() -> pump(from, to));
                Thread _ = Thread.ofVirtual().start(() -> pump(to, from));
            }
        } catch (IOException e) {
            close(); // cut
        }
    }

    private static void pump(Socket from, Socket to) {
        try (from;
                to) {
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException _) {
            return; // cut
        }
    }

    /** Cuts it: what goes over it now, and whatever would. */
    @Override
    public void close() {
        try {
            listener.close();
            for (Socket socket : sockets.toArray(Socket[]::new)) {
                socket.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
