package dev.headstone.writer;

import dev.headstone.freshness.Freshness;
import dev.headstone.link.Cause;
import dev.headstone.link.LastChange;
import dev.headstone.link.Link;
import dev.headstone.link.Standing.Alive;
import dev.headstone.link.Standing.Dead;
import dev.headstone.writer.ChangeRequest.Alter;
import dev.headstone.writer.ChangeRequest.Deactivate;
import dev.headstone.writer.ChangeRequest.Reactivate;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What a wish means for a link as the table has it: the one place where that is decided. */
sealed interface Verdict {
    /** The link is to become {@code after}. */
    record Make(Link after) implements Verdict {}

    /** It is so already, by the same actor: the stored change is the result of a repeated call. */
    record Stands() implements Verdict {}

    /** The link's state forbids it. */
    record Refuse(Ground ground) implements Verdict {}

    /** The link is not the caller's to change. */
    record Forbid() implements Verdict {}

    /**
     * Decides.
     *
     * @param change who wants it, when and under which id, should it be made
     */
    static Verdict of(Link link, Wish wish, Caller caller, LastChange change) {
        return switch (wish) {
            case Wish.TakeDown _ -> caller.isOperator() ? takeDown(link, change) : new Forbid();
            case Wish.Restore _ ->
                    caller.isOperator() ? revive(link, ChangeKind.RESTORE, change) : new Forbid();
            case Wish.Patch(ChangeRequest request) ->
                    caller.mayChange(link) ? patch(link, request, change) : new Forbid();
        };
    }

    private static Verdict takeDown(Link link, LastChange change) {
        if (isDead(link, Cause.TAKEDOWN)) {
            return standsIfBy(change.by(), link);
        }
        return end(link, Cause.TAKEDOWN, change);
    }

    private static Verdict patch(Link link, ChangeRequest request, LastChange change) {
        if (isDead(link, Cause.TAKEDOWN)) {
            return new Refuse(Ground.TAKEN_DOWN);
        }
        return switch (request) {
            case Deactivate _ -> deactivate(link, change);
            case Reactivate _ -> revive(link, ChangeKind.REACTIVATE, change);
            case Alter alter -> alter(link, alter, change);
        };
    }

    private static Verdict deactivate(Link link, LastChange change) {
        if (isDead(link, Cause.DEACTIVATED)) {
            return standsIfBy(change.by(), link);
        }
        return link.isDead()
                ? new Refuse(Ground.DEAD_ALREADY)
                : end(link, Cause.DEACTIVATED, change);
    }

    /**
     * A link that nobody would see afterwards is not revived: what is reported as restored is
     * redirected at once. Visits are not given back by it.
     */
    private static Verdict revive(Link link, ChangeKind kind, LastChange change) {
        if (link.isExpired(change.at())) {
            return new Refuse(Ground.EXPIRED);
        }
        if (!link.isDead()) {
            return kind.madeBy(change.by(), link) ? new Stands() : new Refuse(Ground.NOT_DEAD);
        }
        if (isUsedUp(link)) {
            return new Refuse(Ground.USED_UP);
        }
        return new Make(link.revived(change, Freshness.purgeOfLive(link.expiresAt())));
    }

    private static Verdict alter(Link link, Alter alter, LastChange change) {
        Optional<Instant> expiresAt = alter.expiry().after(link.expiresAt());
        List<String> tags = alter.tags().orElse(link.tags());
        if (expiresAt.equals(link.expiresAt()) && tags.equals(link.tags())) {
            return new Stands();
        }
        return new Make(link.altered(change, expiresAt, purgeAt(link, expiresAt), tags));
    }

    private static Optional<Instant> purgeAt(Link link, Optional<Instant> expiresAt) {
        return switch (link.standing()) {
            case Alive _ -> Freshness.purgeOfLive(expiresAt);
            case Dead(Cause cause, Instant deletedAt) -> Freshness.purgeOfDead(cause, deletedAt);
        };
    }

    private static Verdict end(Link link, Cause cause, LastChange change) {
        return new Make(link.ended(cause, change, Freshness.purgeOfDead(cause, change.at())));
    }

    private static Verdict standsIfBy(String actor, Link link) {
        return link.lastChange().by().equals(actor)
                ? new Stands()
                : new Refuse(Ground.DONE_BY_ANOTHER);
    }

    private static boolean isDead(Link link, Cause cause) {
        return link.standing() instanceof Dead(Cause why, Instant _) && why == cause;
    }

    private static boolean isUsedUp(Link link) {
        return link.visitLimit().isPresent() && link.visits() >= link.visitLimit().getAsLong();
    }
}
