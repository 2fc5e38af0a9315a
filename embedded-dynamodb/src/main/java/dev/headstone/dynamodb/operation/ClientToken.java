package dev.headstone.dynamodb.operation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import dev.headstone.dynamodb.error.ErrorType;
import dev.headstone.dynamodb.error.ServiceException;
import dev.headstone.dynamodb.schema.Catalog;
import dev.headstone.dynamodb.storage.Direction;
import dev.headstone.dynamodb.storage.Entries;
import dev.headstone.dynamodb.storage.KeyRange;
import dev.headstone.dynamodb.storage.Numbers;
import dev.headstone.dynamodb.storage.Transaction;
import dev.headstone.dynamodb.storage.View;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;

/**
 * The ClientRequestToken of a transaction: for ten minutes, the same token with the same actions
 * happens once. Stored with the transaction, so that this holds over a restart.
 */
final class ClientToken {
    static final Duration VALIDITY = Duration.ofMinutes(10);

    private static final int MAX_LENGTH = 36;
    private static final byte[] NOTHING = {};

    /** Map entries sorted, so that two requests that say the same give the same bytes. */
    private static final ObjectMapper CANONICAL =
            new ObjectMapper().configure(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS, true);

    private final byte[] key;
    private final byte[] digest;

    private ClientToken(byte[] key, byte[] digest) {
        this.key = key;
        this.digest = digest;
    }

    static ClientToken of(String text, Parameters request) {
        request.requireLength("ClientRequestToken", text.length(), 1, MAX_LENGTH);
        JsonNode actions = request.raw("TransactItems");
        try {
            Object sorted = CANONICAL.treeToValue(actions, Object.class);
            byte[] canonical = CANONICAL.writeValueAsBytes(sorted);
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(canonical);
            return new ClientToken(text.getBytes(StandardCharsets.UTF_8), digest);
        } catch (IOException e) {
            throw new UncheckedIOException("a request that was read cannot be written", e);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /**
     * Whether the transaction happened within the last ten minutes.
     *
     * @throws ServiceException if another one did, with the same token
     */
    boolean isKnown(View view, Instant now) {
        Optional<byte[]> stored = view.get(Catalog.CLIENT_TOKENS, key);
        if (stored.isEmpty() || isOver(stored.get(), now)) {
            return false;
        }
        byte[] known = stored.get();
        if (!Arrays.equals(known, Long.BYTES, known.length, digest, 0, digest.length)) {
            throw new ServiceException(
                    ErrorType.IDEMPOTENT_PARAMETER_MISMATCH,
                    "DynamoDB rejected the request because you retried a request with a different payload but with an idempotent token that was already used.");
        }
        return true;
    }

    void remember(Transaction transaction, Instant now) {
        transaction
                .get(Catalog.CLIENT_TOKENS, key)
                .ifPresent(before -> forget(transaction, key, before));
        transaction.put(Catalog.CLIENT_TOKENS_BY_TIME, entry(now.toEpochMilli(), key), NOTHING);
        transaction.put(
                Catalog.CLIENT_TOKENS,
                key,
                ByteBuffer.allocate(Long.BYTES + digest.length)
                        .putLong(now.toEpochMilli())
                        .put(digest)
                        .array());
    }

    /** Forgets up to {@code limit} tokens that no longer count. */
    static void forgetOver(Transaction transaction, Instant now, int limit) {
        Entries entries = over(transaction, now);
        for (int i = 0; i < limit && entries.next(); i++) {
            byte[] entry = entries.key();
            transaction.remove(Catalog.CLIENT_TOKENS_BY_TIME, entry);
            transaction.remove(
                    Catalog.CLIENT_TOKENS, Arrays.copyOfRange(entry, Long.BYTES, entry.length));
        }
    }

    /** Whether there are tokens that no longer count. */
    static boolean anyOver(View view, Instant now) {
        return over(view, now).next();
    }

    private static Entries over(View view, Instant now) {
        byte[] end = Numbers.ofLong(now.minus(VALIDITY).toEpochMilli() + 1);
        return view.entries(
                Catalog.CLIENT_TOKENS_BY_TIME,
                KeyRange.between(new byte[0], end),
                Direction.FORWARD);
    }

    private static void forget(Transaction transaction, byte[] key, byte[] stored) {
        transaction.remove(Catalog.CLIENT_TOKENS_BY_TIME, entry(Numbers.readLong(stored), key));
        transaction.remove(Catalog.CLIENT_TOKENS, key);
    }

    private static byte[] entry(long millis, byte[] key) {
        return ByteBuffer.allocate(Long.BYTES + key.length).putLong(millis).put(key).array();
    }

    private static boolean isOver(byte[] stored, Instant now) {
        Instant since = Instant.ofEpochMilli(Numbers.readLong(stored));
        return !now.isBefore(since.plus(VALIDITY));
    }
}
