package dev.headstone.link;

import dev.headstone.link.Standing.Alive;
import dev.headstone.link.Standing.Dead;
import java.time.Instant;
import java.util.Optional;

/** What the table's item means for a click: the one place where that is decided. */
public sealed interface RedirectDecision {
    /** Send the visitor on. */
    record Redirect(Link link) implements RedirectDecision {}

    /** Somebody ended the link. */
    record Gone(Link link, Cause cause) implements RedirectDecision {}

    /** The link's own time is over. */
    record Expired(Link link) implements RedirectDecision {}

    /** No such link. */
    record Unknown() implements RedirectDecision {}

    /** Decides for {@code item} at {@code now}; a death counts before an expiry. */
    static RedirectDecision of(Optional<Link> item, Instant now) {
        return item.map(link -> of(link, now)).orElseGet(Unknown::new);
    }

    private static RedirectDecision of(Link link, Instant now) {
        return switch (link.standing()) {
            case Dead(Cause cause, Instant _) -> new Gone(link, cause);
            case Alive _ -> link.isExpired(now) ? new Expired(link) : new Redirect(link);
        };
    }
}
