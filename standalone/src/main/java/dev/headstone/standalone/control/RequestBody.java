package dev.headstone.standalone.control;

import dev.headstone.writer.RequestBodies;
import io.helidon.http.HeaderValues;
import io.helidon.webserver.http.ServerRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** What became of reading the body of a request. */
sealed interface RequestBody {
    /** All of it was read. */
    final class Complete implements RequestBody {
        private final byte[] bytes;

        private Complete(byte[] bytes) {
            this.bytes = bytes.clone();
        }

        byte[] bytes() {
            return bytes.clone();
        }
    }

    /** It is larger than any that is looked at. */
    record TooLarge() implements RequestBody {}

    /** It did not arrive in time. */
    record TooSlow() implements RequestBody {}

    /** It broke off, or is not framed as it should be. */
    record Broken() implements RequestBody {}

    /** How much of a body is thrown away so that its sender gets to see the answer. */
    int MOST_DISCARDED = 1 << 20;

    /** How long that may take, while the answer is on its way. */
    Duration LINGER = Duration.ofSeconds(1);

    /** Whether the next request follows where this one ended. */
    default boolean isComplete() {
        return this instanceof Complete;
    }

    /**
     * Reads the body within the deadline. It is read on a thread of its own, since a read has no
     * timeout: one that takes too long ends when the connection is closed, which it then must be.
     */
    static RequestBody read(ServerRequest request, Duration deadline) {
        if (!request.content().hasEntity()) {
            return new Complete(new byte[0]);
        }
        if (request.headers().contentLength().orElse(0) > RequestBodies.MAX_BYTES) {
            return new TooLarge();
        }
        return within(deadline, () -> read(request), new TooSlow());
    }

    private static RequestBody read(ServerRequest request) {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        try {
            return copy(request, body, RequestBodies.MAX_BYTES)
                    ? new Complete(body.toByteArray())
                    : new TooLarge();
        } catch (IOException | RuntimeException _) {
            return new Broken();
        }
    }

    /**
     * Reads on without keeping anything, within bounds: a connection that is closed while the other
     * side still sends is reset, and the answer may be lost with it. Who waits to be told to go on
     * sends nothing.
     */
    static void discardRest(ServerRequest request) {
        if (!request.headers().contains(HeaderValues.EXPECT_100) || request.continueSent()) {
            within(LINGER, () -> discard(request), new TooSlow());
        }
    }

    private static RequestBody discard(ServerRequest request) {
        try {
            copy(request, OutputStream.nullOutputStream(), MOST_DISCARDED);
        } catch (IOException | RuntimeException _) {
            // there is nothing more to come
        }
        return new TooLarge();
    }

    private static RequestBody within(
            Duration deadline, Callable<RequestBody> reading, RequestBody otherwise) {
        FutureTask<RequestBody> task = new FutureTask<>(reading);
        Thread.ofVirtual().name("control-body").start(task);
        try {
            return task.get(deadline.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException | TimeoutException _) {
            return otherwise;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return otherwise;
        }
    }

    /** Whether the end came within {@code most} bytes. */
    private static boolean copy(ServerRequest request, OutputStream to, int most)
            throws IOException {
        byte[] buffer = new byte[8_192];
        InputStream from = request.content().inputStream();
        for (int total = 0; total <= most; ) {
            int read = from.read(buffer);
            if (read < 0) {
                return true;
            }
            total += read;
            to.write(buffer, 0, read);
        }
        return false;
    }
}
