package dev.headstone.writer;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.headstone.table.Idempotency;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;

/**
 * One use of an idempotency key, as digests: neither callers' keys nor bodies lie in the table.
 *
 * @param id of the caller and the key: two callers may use the same key
 * @param request of the body's bytes
 */
record KeyUse(String id, String request) {
    /** How long a key gets the same answer. */
    static final Duration REMEMBERED = Duration.ofHours(24);

    static KeyUse of(IdempotencyKey key, Caller caller, byte[] body) {
        // no key holds a line feed, so that no two pairs make one text
        return new KeyUse(
                digest((key.value() + "\n" + caller.name()).getBytes(UTF_8)), digest(body));
    }

    private static String digest(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    Idempotency answered(String answer, Instant now) {
        return new Idempotency(id, request, answer, now.plus(REMEMBERED));
    }

    boolean isOfSameRequest(Idempotency stored) {
        return stored.request().equals(request);
    }
}
