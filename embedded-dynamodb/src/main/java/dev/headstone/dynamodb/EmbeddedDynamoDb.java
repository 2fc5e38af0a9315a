package dev.headstone.dynamodb;

import dev.headstone.dynamodb.http.HttpFront;
import dev.headstone.dynamodb.operation.Housekeeping;
import dev.headstone.dynamodb.operation.Operations;
import dev.headstone.dynamodb.schema.Catalog;
import dev.headstone.dynamodb.storage.Storage;
import dev.headstone.dynamodb.storage.StorageException;
import dev.headstone.dynamodb.stream.StreamLimits;
import dev.headstone.dynamodb.stream.Streams;
import dev.headstone.dynamodb.table.Items;
import java.net.URI;
import java.security.SecureRandom;
import java.util.UUID;

/**
 * A DynamoDB and DynamoDB Streams endpoint in this process, for the unmodified AWS SDK.
 *
 * <p>A write is on the disk before it is acknowledged, and a read never shows what could still be
 * lost. Whatever is not supported is refused, never ignored. Thread-safe.
 */
public final class EmbeddedDynamoDb implements AutoCloseable {
    private final Storage storage;
    private final HttpFront front;
    private final Sweeper sweeper;

    private EmbeddedDynamoDb(Storage storage, HttpFront front, Sweeper sweeper) {
        this.storage = storage;
        this.front = front;
        this.sweeper = sweeper;
    }

    /**
     * Opens or creates the data and starts to listen.
     *
     * @throws StorageException if the data file is in use by another process, damaged, or cannot be
     *     read or written
     * @throws java.io.UncheckedIOException if the port is taken
     */
    public static EmbeddedDynamoDb start(Settings settings) {
        Storage storage = settings.file().map(Storage::open).orElseGet(Storage::inMemory);
        try {
            Catalog catalog = new Catalog();
            Streams streams =
                    new Streams(
                            catalog,
                            new StreamLimits(
                                    settings.shardAge(),
                                    settings.shardRecords(),
                                    settings.streamRetention()));
            Items items = new Items(streams);
            SecureRandom random = new SecureRandom();
            Operations operations =
                    new Operations(
                            storage,
                            catalog,
                            streams,
                            items,
                            settings.clock(),
                            () -> new UUID(random.nextLong(), random.nextLong()));
            HttpFront front =
                    HttpFront.start(operations, settings.bindAddress(), settings.port(), random);
            Housekeeping housekeeping =
                    new Housekeeping(storage, catalog, streams, items, settings.clock());
            return new EmbeddedDynamoDb(
                    storage, front, Sweeper.start(housekeeping, settings.sweepInterval()));
        } catch (RuntimeException e) {
            storage.close();
            throw e;
        }
    }

    /** Where clients reach it. */
    public URI endpoint() {
        return front.endpoint();
    }

    /** Answers the requests in hand, brings the data file up to date and closes it. */
    @Override
    public void close() {
        front.close();
        sweeper.close();
        storage.close();
    }
}
