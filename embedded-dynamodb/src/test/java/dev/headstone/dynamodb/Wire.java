package dev.headstone.dynamodb;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;

/** One connection, with as little between the caller and the wire as there can be. */
final class Wire implements AutoCloseable {
    private final Socket socket;
    private final InputStream in;

    Wire(URI endpoint) throws IOException {
        socket = new Socket(endpoint.getHost(), endpoint.getPort());
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(Math.toIntExact(Duration.ofSeconds(30).toMillis()));
        in = new BufferedInputStream(socket.getInputStream(), 16 * 1024);
    }

    /**
     * Calls an operation.
     *
     * @return the answer's body
     * @throws IOException if the answer is an error, with its text, or there is none
     */
    String call(String operation, String body) throws IOException {
        byte[] content = body.getBytes(UTF_8);
        byte[] head =
                """
                POST / HTTP/1.1\r
                Host: 127.0.0.1\r
                X-Amz-Target: DynamoDB_20120810.%s\r
                Authorization: AWS4-HMAC-SHA256 Credential=a/b\r
                Content-Type: application/x-amz-json-1.0\r
                Content-Length: %d\r
                \r
                """
                        .formatted(operation, content.length)
                        .getBytes(US_ASCII);
        byte[] request = Arrays.copyOf(head, head.length + content.length);
        System.arraycopy(content, 0, request, head.length, content.length);
        socket.getOutputStream().write(request);
        String status = line();
        int length = 0;
        for (String line = line(); !line.isEmpty(); line = line()) {
            if (line.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
                length = Integer.parseInt(line.substring(15).trim());
            }
        }
        byte[] answer = in.readNBytes(length);
        if (!status.contains(" 200 ")) {
            throw new IOException(status + " " + new String(answer, UTF_8));
        }
        return new String(answer, UTF_8);
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                throw new EOFException();
            }
            if (c != '\r') {
                line.append((char) c);
            }
        }
        return line.toString();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
