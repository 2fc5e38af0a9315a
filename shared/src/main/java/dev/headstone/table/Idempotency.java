package dev.headstone.table;

import java.time.Instant;

/**
 * The answer that a create will repeat for its idempotency key.
 *
 * @param key a digest of the caller's name and the key the caller sent
 * @param request a digest of the request's body: another body under the same key is an error
 * @param answer the answer's body
 * @param until when the key may be used anew
 */
public record Idempotency(String key, String request, String answer, Instant until) {}
