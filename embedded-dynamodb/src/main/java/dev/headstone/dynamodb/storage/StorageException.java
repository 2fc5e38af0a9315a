package dev.headstone.dynamodb.storage;

/**
 * The storage cannot be opened, or can no longer be written to. After a failed write it refuses all
 * others, since what it holds in memory may be ahead of what the next start will find.
 */
public final class StorageException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    StorageException(String message) {
        super(message);
    }

    StorageException(String message, Throwable cause) {
        super(message, cause);
    }
}
