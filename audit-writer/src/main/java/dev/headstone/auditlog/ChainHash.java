package dev.headstone.auditlog;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** How the events of a chain are tied together. */
final class ChainHash {
    /** What stands in the place of a predecessor's hash in the first event of a chain. */
    static final String NONE = "0".repeat(64);

    private ChainHash() {}

    /** The hash of an event: over its predecessor's hash, its place and its text as stored. */
    static String of(String previous, long seq, String body) {
        return sha256(previous + "\n" + seq + "\n" + body);
    }

    /** SHA-256 of the UTF-8 of {@code text} in 64 lower-case hex digits. */
    static String sha256(String text) {
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-256")
                            .digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java platform has SHA-256", impossible);
        }
    }
}
