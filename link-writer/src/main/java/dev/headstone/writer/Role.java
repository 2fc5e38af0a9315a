package dev.headstone.writer;

import java.util.Optional;

/** What the bearer of a token may do; each role may also do what the one before it may. */
public enum Role {
    /** Looks. */
    READER("reader"),
    /** Creates links and changes its own. */
    OWNER("owner"),
    /** Changes any link, takes down, restores and confirms. */
    OPERATOR("operator");

    private final String wireName;

    Role(String wireName) {
        this.wireName = wireName;
    }

    /** The name on the command line and in files. */
    public String wireName() {
        return wireName;
    }

    /** The role of that name, or empty if there is none. */
    public static Optional<Role> of(String wireName) {
        for (Role role : values()) {
            if (role.wireName.equals(wireName)) {
                return Optional.of(role);
            }
        }
        return Optional.empty();
    }
}
