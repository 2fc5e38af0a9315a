package dev.headstone.standalone.source;

import java.time.Instant;

/**
 * What an event source calls with a batch: a function from the event's JSON to the response's JSON,
 * as a Lambda function is.
 *
 * <p>Called from several threads at once, one per shard or queue poller, where Lambda would use
 * several execution environments.
 */
@FunctionalInterface
public interface EventHandler {
    /**
     * Handles one event.
     *
     * @param event UTF-8 JSON of AWS's shape
     * @param deadline when the source stops waiting, interrupts the calling thread and counts the
     *     call as failed
     * @return UTF-8 JSON; empty or {@code null} as JSON when there is nothing to report
     * @throws Exception when the whole batch failed
     */
    byte[] handle(byte[] event, Instant deadline) throws Exception;
}
