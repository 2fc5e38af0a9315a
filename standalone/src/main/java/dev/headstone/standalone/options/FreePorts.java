package dev.headstone.standalone.options;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;

/**
 * Finds out that a port is in use before anything is started.
 *
 * <p>The listeners share ports between their own loops (SO_REUSEPORT), and two processes of one
 * user that both do so would get half of the clicks each without an error. This asks without
 * sharing.
 */
public final class FreePorts {
    private FreePorts() {}

    /**
     * Looks at both ports.
     *
     * @throws Misuse naming the port that cannot be had
     */
    public static void require(ServeOptions options) {
        require(Setting.PORT, Setting.BIND, options.redirects());
        require(Setting.CONTROL_PORT, Setting.CONTROL_BIND, options.control());
    }

    private static void require(Setting port, Setting bind, InetSocketAddress address) {
        if (!bindable(new InetSocketAddress(address.getAddress(), 0))) {
            throw new Misuse(bind.option() + " is no address of this machine");
        }
        if (!bindable(address)) {
            throw new Misuse(
                    "port %d (%s) is in use, or not open to this user"
                            .formatted(address.getPort(), port.option()));
        }
    }

    private static boolean bindable(InetSocketAddress address) {
        InetAddress host = address.getAddress();
        try (ServerSocket socket = new ServerSocket(address.getPort(), 1, host)) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }
}
