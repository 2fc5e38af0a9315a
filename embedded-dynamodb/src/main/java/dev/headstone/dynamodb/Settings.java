package dev.headstone.dynamodb;

import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;

/**
 * How an {@link EmbeddedDynamoDb} runs. Made with {@link #inMemory} or {@link #at}, and changed by
 * the {@code with} methods.
 *
 * @param file where the data lie, with a redo log beside it; empty to keep them in memory
 * @param bindAddress the address to listen at
 * @param port the port to listen at, 0 for a free one
 * @param clock tells the time of everything that the service dates
 * @param sweepInterval how often expired items are removed, old shards closed and records trimmed
 * @param shardAge after which a shard that holds records is closed and its child opened
 * @param shardRecords after which many records likewise
 * @param streamRetention after which a record of a stream is trimmed
 */
public record Settings(
        Optional<Path> file,
        InetAddress bindAddress,
        int port,
        InstantSource clock,
        Duration sweepInterval,
        Duration shardAge,
        long shardRecords,
        Duration streamRetention) {
    private static final Duration SWEEP_INTERVAL = Duration.ofSeconds(10);

    /** As at the service, where shards end after about four hours. */
    private static final Duration SHARD_AGE = Duration.ofHours(4);

    private static final long SHARD_RECORDS = 100_000;

    /** As at the service. */
    private static final Duration RETENTION = Duration.ofHours(24);

    /** Refuses a port that is none, and durations that are not positive. */
    public Settings {
        if (port < 0 || port > 0xFFFF) {
            throw new IllegalArgumentException("port %d is none".formatted(port));
        }
        if (!sweepInterval.isPositive()
                || !shardAge.isPositive()
                || !streamRetention.isPositive()
                || shardRecords < 1) {
            throw new IllegalArgumentException(
                    "sweepInterval, shardAge, shardRecords and streamRetention must be positive");
        }
    }

    /** Data in memory, at a free port of the loopback address. */
    public static Settings inMemory(InstantSource clock) {
        return of(Optional.empty(), clock);
    }

    /** Data in {@code file}, at a free port of the loopback address. Its folder must exist. */
    public static Settings at(Path file, InstantSource clock) {
        return of(Optional.of(file), clock);
    }

    private static Settings of(Optional<Path> file, InstantSource clock) {
        return new Settings(
                file,
                InetAddress.getLoopbackAddress(),
                0,
                clock,
                SWEEP_INTERVAL,
                SHARD_AGE,
                SHARD_RECORDS,
                RETENTION);
    }

    /** These settings with another address. */
    public Settings withBindAddress(InetAddress changed) {
        return new Settings(
                file, changed, port, clock, sweepInterval, shardAge, shardRecords, streamRetention);
    }

    /** These settings with another port. */
    public Settings withPort(int changed) {
        return new Settings(
                file,
                bindAddress,
                changed,
                clock,
                sweepInterval,
                shardAge,
                shardRecords,
                streamRetention);
    }

    /** These settings with another sweep interval. */
    public Settings withSweepInterval(Duration changed) {
        return new Settings(
                file, bindAddress, port, clock, changed, shardAge, shardRecords, streamRetention);
    }

    /** These settings with another age of shards. */
    public Settings withShardAge(Duration changed) {
        return new Settings(
                file,
                bindAddress,
                port,
                clock,
                sweepInterval,
                changed,
                shardRecords,
                streamRetention);
    }

    /** These settings with another count of records per shard. */
    public Settings withShardRecords(long changed) {
        return new Settings(
                file, bindAddress, port, clock, sweepInterval, shardAge, changed, streamRetention);
    }

    /** These settings with another retention of records. */
    public Settings withStreamRetention(Duration changed) {
        return new Settings(
                file, bindAddress, port, clock, sweepInterval, shardAge, shardRecords, changed);
    }
}
