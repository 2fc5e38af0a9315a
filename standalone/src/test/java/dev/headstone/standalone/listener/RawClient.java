package dev.headstone.standalone.listener;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A client that sends exactly what it is told and reads responses byte by byte. */
final class RawClient implements AutoCloseable {
    /** A response. Names of headers in any case. */
    record Response(int status, Map<String, String> headers, String body) {
        String header(String name) {
            return headers.getOrDefault(name, "");
        }
    }

    private final Socket socket = new Socket();
    private final InputStream input;

    RawClient(InetSocketAddress address) throws IOException {
        socket.setSoTimeout(20_000);
        socket.connect(address, 5_000);
        input = new BufferedInputStream(socket.getInputStream());
    }

    void send(String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(ISO_8859_1));
        socket.getOutputStream().flush();
    }

    void shutdownOutput() throws IOException {
        socket.shutdownOutput();
    }

    void request(String target) throws IOException {
        send("GET " + target + " HTTP/1.1\r\nHost: x\r\n\r\n");
    }

    Response get(String target) throws IOException {
        request(target);
        return read(false);
    }

    /** Reads one response; of the response to a HEAD no body. */
    Response read(boolean head) throws IOException {
        String statusLine = line();
        Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (String line = line(); !line.isEmpty(); line = line()) {
            int colon = line.indexOf(':');
            headers.put(line.substring(0, colon), line.substring(colon + 1).strip());
        }
        int length = head ? 0 : Integer.parseInt(headers.getOrDefault("Content-Length", "0"));
        byte[] body = input.readNBytes(length);
        return new Response(
                Integer.parseInt(statusLine.split(" ", 3)[1]),
                headers,
                new String(body, ISO_8859_1));
    }

    List<Response> read(int count) throws IOException {
        List<Response> responses = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            responses.add(read(false));
        }
        return responses;
    }

    /** Whether the server ended the connection, with nothing more to read. */
    boolean ended() throws IOException {
        try {
            return input.read() < 0;
        } catch (java.net.SocketException e) {
            return true; // reset
        }
    }

    private String line() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int next = input.read(); next != '\n'; next = input.read()) {
            if (next < 0) {
                throw new EOFException("the connection ended within: " + line);
            }
            line.write(next);
        }
        return line.toString(ISO_8859_1).stripTrailing();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
