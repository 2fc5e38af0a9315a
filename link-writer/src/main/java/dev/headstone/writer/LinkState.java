package dev.headstone.writer;

import dev.headstone.link.Cause;
import dev.headstone.link.Link;
import dev.headstone.link.Standing.Alive;
import dev.headstone.link.Standing.Dead;
import java.time.Instant;

/** What a link is to people: its standing and its expiry in one word. */
public enum LinkState {
    /** It redirects. */
    ACTIVE("active"),
    /** Its owner or an operator switched it off. */
    DEACTIVATED("deactivated"),
    /** An operator took it down. */
    TAKEN_DOWN("taken_down"),
    /** Its time is over. */
    EXPIRED("expired"),
    /** Its visits are used up. */
    EXHAUSTED("exhausted");

    private final String wireName;

    LinkState(String wireName) {
        this.wireName = wireName;
    }

    /** The name in JSON. */
    public String wireName() {
        return wireName;
    }

    /** The state of {@code link} at {@code now}; a death counts before an expiry. */
    public static LinkState of(Link link, Instant now) {
        return switch (link.standing()) {
            case Alive _ -> link.isExpired(now) ? EXPIRED : ACTIVE;
            case Dead(Cause cause, Instant _) -> of(cause);
        };
    }

    private static LinkState of(Cause cause) {
        return switch (cause) {
            case TAKEDOWN -> TAKEN_DOWN;
            case DEACTIVATED -> DEACTIVATED;
            case EXHAUSTED -> EXHAUSTED;
        };
    }
}
