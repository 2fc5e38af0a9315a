package dev.headstone.standalone.operators;

import java.time.Instant;
import java.util.regex.Pattern;

/**
 * One named token, without the token.
 *
 * @param name 1 to 64 characters of {@code [A-Za-z0-9._:@-]}
 * @param role what its holder may do
 * @param tokenHash the SHA-256 of the token, in hexadecimal digits
 * @param createdAt when it was made
 */
public record Operator(String name, Role role, String tokenHash, Instant createdAt) {
    /** What a name must be, for the person who typed another. */
    static final String NAME_FORM = "1 to 64 characters of A-Z a-z 0-9 . _ : @ -";

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._:@-]{1,64}");

    static boolean isName(String name) {
        return NAME.matcher(name).matches();
    }

    Caller caller() {
        return new Caller(name, role);
    }
}
