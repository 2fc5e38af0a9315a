package dev.headstone.lambda;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What has been opened, closed again in the opposite order. Safe for use by several threads. */
public final class Parts implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Parts.class);

    private final Deque<AutoCloseable> open = new ArrayDeque<>();

    /** Notes {@code part}, and returns it. */
    public synchronized <T extends AutoCloseable> T add(T part) {
        open.push(part);
        return part;
    }

    /** Closes all; what cannot be closed is logged, and keeps nothing else open. */
    @Override
    public synchronized void close() {
        while (!open.isEmpty()) {
            try {
                open.pop().close();
            } catch (Exception e) {
                log.atWarn().setCause(e).log("a part could not be closed");
            }
        }
    }
}
