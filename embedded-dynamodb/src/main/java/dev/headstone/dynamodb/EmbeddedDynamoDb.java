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
import java.time.InstantSource;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

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
        SecureRandom random = new SecureRandom();
        // The file and the listener have nothing to do with each other, and each takes its time.
        CompletableFuture<Storage> opening =
                CompletableFuture.supplyAsync(() -> open(settings), Thread.ofPlatform()::start);
        try {
            HttpFront front = new HttpFront(settings.bindAddress(), settings.port(), random);
            return start(settings, opened(opening), front, random);
        } catch (RuntimeException e) {
            close(opening);
            throw e;
        }
    }

    private static void close(CompletableFuture<Storage> opening) {
        Storage storage;
        try {
            storage = opening.join();
        } catch (CompletionException _) {
            return; // then this is what is being reported already
        }
        storage.close();
    }

    private static Storage open(Settings settings) {
        return settings.file().map(Storage::open).orElseGet(Storage::inMemory);
    }

    private static Storage opened(CompletableFuture<Storage> opening) {
        try {
            return opening.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof StorageException reason ? reason : e;
        }
    }

    private static EmbeddedDynamoDb start(
            Settings settings, Storage storage, HttpFront front, SecureRandom random) {
        InstantSource clock = settings.clock();
        Catalog catalog = new Catalog();
        Streams streams =
                new Streams(
                        catalog,
                        new StreamLimits(
                                settings.shardAge(),
                                settings.shardRecords(),
                                settings.streamRetention()));
        Items items = new Items(streams);
        front.start(
                new Operations(
                        storage,
                        catalog,
                        streams,
                        items,
                        clock,
                        () -> new UUID(random.nextLong(), random.nextLong())));
        Housekeeping housekeeping = new Housekeeping(storage, catalog, streams, items, clock);
        return new EmbeddedDynamoDb(
                storage, front, Sweeper.start(housekeeping, settings.sweepInterval()));
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
