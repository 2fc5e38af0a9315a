package dev.headstone.standalone;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What has been started, to be stopped last first; what cannot be stopped holds nothing else up.
 */
final class Closing implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Closing.class);

    private final Deque<AutoCloseable> started = new ArrayDeque<>();

    /** Remembers {@code part} and gives it back. */
    <T extends AutoCloseable> T add(T part) {
        started.push(part);
        return part;
    }

    @Override
    public void close() {
        while (!started.isEmpty()) {
            AutoCloseable part = started.pop();
            try {
                part.close();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (Exception e) {
                log.atError()
                        .addKeyValue("part", part.getClass().getSimpleName())
                        .setCause(e)
                        .log("part did not stop cleanly");
            }
        }
    }
}
