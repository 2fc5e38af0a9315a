package dev.headstone.link;

import java.util.Optional;

/** Why a link is dead. The wire names stand in the item's {@code cause}. */
public enum Cause {
    /** An operator took it down. */
    TAKEDOWN("takedown"),
    /** Its owner or an operator switched it off. */
    DEACTIVATED("deactivated"),
    /** Its visit limit is used up. */
    EXHAUSTED("exhausted");

    private final String wireName;

    Cause(String wireName) {
        this.wireName = wireName;
    }

    /** The name in the item and in JSON. */
    public String wireName() {
        return wireName;
    }

    /** The cause of that name, or empty if there is none. */
    public static Optional<Cause> of(String wireName) {
        for (Cause cause : values()) {
            if (cause.wireName.equals(wireName)) {
                return Optional.of(cause);
            }
        }
        return Optional.empty();
    }
}
