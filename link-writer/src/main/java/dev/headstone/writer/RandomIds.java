package dev.headstone.writer;

import java.util.Base64;
import java.util.random.RandomGenerator;

/**
 * Ids that nobody can guess and that do not repeat. As safe for several threads as its source is.
 */
final class RandomIds {
    private static final int RANDOM_BYTES = 16;
    private static final Base64.Encoder TEXT = Base64.getUrlEncoder().withoutPadding();

    private final RandomGenerator random;

    RandomIds(RandomGenerator random) {
        this.random = random;
    }

    /** {@code prefix}, a hyphen and 22 characters. */
    String next(String prefix) {
        byte[] bytes = new byte[RANDOM_BYTES];
        random.nextBytes(bytes);
        return prefix + "-" + TEXT.encodeToString(bytes);
    }
}
