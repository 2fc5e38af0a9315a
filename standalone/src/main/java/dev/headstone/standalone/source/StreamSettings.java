package dev.headstone.standalone.source;

import java.time.Duration;
import java.util.Optional;

/**
 * How a stream is polled and its records are handed over.
 *
 * @param consumer the consumer's name: its checkpoints are its own
 * @param owner the process's name in leases. A process that alone may use the data directory gives
 *     the same name each time, and after a crash goes on at once; processes that share a table give
 *     each a name of its own
 * @param streamArn the stream; Lambda's event source mapping is bound to one, too
 * @param batchSize records per event, 1 to 1,000; Lambda's default is 100
 * @param idlePoll the wait after a poll that brought nothing; three times as long once fifty in a
 *     row have
 * @param discovery the wait between two looks for new shards; the end of a shard brings one at once
 * @param lease how long a lease lasts without being renewed, at least 1 s; another process takes
 *     over after that
 * @param requestTimeout how long one request to the stream or the checkpoints may take, with the
 *     client's own retries
 * @param handlerDeadline how long the handler may take for a batch
 * @param concurrency how many shards may be in the handler at once; within a shard it is always one
 *     batch
 */
public record StreamSettings(
        String consumer,
        String owner,
        String streamArn,
        int batchSize,
        Duration idlePoll,
        Duration discovery,
        Duration lease,
        Duration requestTimeout,
        Duration handlerDeadline,
        int concurrency,
        Retries retries) {
    private static final int MOST_RECORDS = 1000;

    /**
     * @throws IllegalArgumentException naming the setting that is out of its range
     */
    public StreamSettings {
        Settings.filled("consumer", consumer);
        Settings.filled("owner", owner);
        Arns.region(streamArn);
        Settings.between("batch size", batchSize, 1, MOST_RECORDS);
        Settings.between("idle poll", idlePoll, Duration.ofMillis(1), Duration.ofMinutes(1));
        Settings.between("discovery", discovery, Duration.ofMillis(10), Duration.ofMinutes(5));
        Settings.between("lease", lease, Duration.ofSeconds(1), Duration.ofMinutes(10));
        Settings.between("request timeout", requestTimeout, Duration.ofMillis(100), lease);
        Settings.between(
                "handler deadline", handlerDeadline, Duration.ofMillis(10), Duration.ofMinutes(15));
        Settings.between("concurrency", concurrency, 1, 1000);
    }

    /**
     * For a table on this machine: polled every 30 ms, or 90 ms while nothing changes, since a
     * change has to be in the cache 150 ms after its commit (median); and a failing record is tried
     * again at least once a second, since a cache that comes back has to hold the tombstone within
     * 2 s. A record that fails alone is given up after 600 retries, some ten minutes.
     */
    public static StreamSettings local(String consumer, String owner, String streamArn) {
        return new StreamSettings(
                consumer,
                owner,
                streamArn,
                100,
                Duration.ofMillis(30),
                Duration.ofSeconds(1),
                Duration.ofSeconds(15),
                Duration.ofSeconds(5),
                Duration.ofSeconds(30),
                8,
                new Retries(
                        600,
                        Optional.empty(),
                        new Backoff(Duration.ofMillis(100), Duration.ofSeconds(1))));
    }

    /**
     * For a table of AWS: as {@link #local}, polled four times a second as Lambda does, below the
     * five reads a second that a shard allows, and with a look for new shards every 10 s.
     */
    public static StreamSettings aws(String consumer, String owner, String streamArn) {
        return local(consumer, owner, streamArn)
                .withIdlePoll(Duration.ofMillis(250))
                .withDiscovery(Duration.ofSeconds(10));
    }

    /** These settings with another batch size. */
    public StreamSettings withBatchSize(int records) {
        return new StreamSettings(
                consumer,
                owner,
                streamArn,
                records,
                idlePoll,
                discovery,
                lease,
                requestTimeout,
                handlerDeadline,
                concurrency,
                retries);
    }

    /** These settings with another wait after an empty poll. */
    public StreamSettings withIdlePoll(Duration wait) {
        return new StreamSettings(
                consumer,
                owner,
                streamArn,
                batchSize,
                wait,
                discovery,
                lease,
                requestTimeout,
                handlerDeadline,
                concurrency,
                retries);
    }

    /** These settings with another wait between looks for shards. */
    public StreamSettings withDiscovery(Duration wait) {
        return new StreamSettings(
                consumer,
                owner,
                streamArn,
                batchSize,
                idlePoll,
                wait,
                lease,
                requestTimeout,
                handlerDeadline,
                concurrency,
                retries);
    }

    /** These settings with another deadline for the handler. */
    public StreamSettings withHandlerDeadline(Duration deadline) {
        return new StreamSettings(
                consumer,
                owner,
                streamArn,
                batchSize,
                idlePoll,
                discovery,
                lease,
                requestTimeout,
                deadline,
                concurrency,
                retries);
    }

    /** These settings with other retries. */
    public StreamSettings withRetries(Retries other) {
        return new StreamSettings(
                consumer,
                owner,
                streamArn,
                batchSize,
                idlePoll,
                discovery,
                lease,
                requestTimeout,
                handlerDeadline,
                concurrency,
                other);
    }
}
