package dev.headstone.standalone.control;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;

/** A client that sends whatever it is told to, well formed or not. */
final class RawClient {
    private static final int PATIENCE_MILLIS = 15_000;

    private RawClient() {}

    /** Sends {@code request} and reads until the server closes the connection. */
    static String exchange(int port, String request) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(PATIENCE_MILLIS);
            OutputStream out = socket.getOutputStream();
            try {
                out.write(request.getBytes(ISO_8859_1));
                out.flush();
            } catch (SocketException _) {
                // the server may have answered and closed before it had all
            }
            return readAll(socket.getInputStream());
        }
    }

    private static String readAll(InputStream in) throws IOException {
        ByteArrayOutputStream answer = new ByteArrayOutputStream();
        try {
            in.transferTo(answer);
        } catch (SocketException _) {
            // a reset after the answer
        }
        return answer.toString(ISO_8859_1);
    }
}
