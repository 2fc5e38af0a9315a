package dev.headstone.standalone.operators;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;

/**
 * Bearer tokens: 256 random bits each.
 *
 * <p>They are stored as plain SHA-256. Slow, salted hashes protect secrets that people choose,
 * which can be guessed; nobody guesses 256 random bits, and a fast hash keeps the look-up off the
 * critical path of every request.
 */
final class Token {
    /** Lets secret scanners and people see what it is. */
    private static final String PREFIX = "hs_";

    private static final int BYTES = 32;

    private Token() {}

    static String random(SecureRandom random) {
        byte[] bytes = new byte[BYTES];
        random.nextBytes(bytes);
        return PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    static String hash(String token) {
        try {
            byte[] hash =
                    MessageDigest.getInstance("SHA-256")
                            .digest(token.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
