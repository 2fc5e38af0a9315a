package dev.headstone.standalone.operators;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What the holder of a token may do; INTERFACE.md, "Control", says what exactly. */
public enum Role {
    /** Looks at everything, changes nothing. */
    READER,
    /** Also creates links, and changes its own. */
    OWNER,
    /** Does everything. */
    OPERATOR;

    /** The role as it is typed and stored, such as {@code owner}. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    static Optional<Role> of(String label) {
        return Arrays.stream(values()).filter(role -> role.label().equals(label)).findFirst();
    }
}
