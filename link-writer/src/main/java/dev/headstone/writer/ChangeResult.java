package dev.headstone.writer;

import dev.headstone.link.Link;
import java.util.Optional;

/** What became of a change that somebody asked for. */
public sealed interface ChangeResult {
    /** Made, confirmed in the cache, and accepted by the audit queue. */
    record Confirmed(Receipt receipt) implements ChangeResult {}

    /**
     * The table holds the change, the cache could not be confirmed. A retry goes on from there.
     *
     * @param link as the table holds it
     * @param why a constant phrase
     */
    record InvalidateFailed(Link link, String why) implements ChangeResult {}

    /**
     * The outcome could not be given to the audit queue, so that it must not be reported. A retry
     * goes on from there.
     *
     * @param link the link it is about, as far as it is known
     */
    record AuditFailed(Optional<Link> link) implements ChangeResult {}

    /**
     * The change was made, and a later one has taken its place.
     *
     * @param now the link now, or empty if the table forgot it
     */
    record Superseded(Optional<Link> now) implements ChangeResult {}

    /** The state of the link forbids it. */
    record Refused(Link link, Ground ground) implements ChangeResult {}

    /** The caller may not do that. */
    record Forbidden() implements ChangeResult {}

    /** There is no such link. */
    record NoSuchLink() implements ChangeResult {}

    /**
     * The table holds something that is no link; a retry would not help.
     *
     * @param why names the attribute at fault
     */
    record Unreadable(String why) implements ChangeResult {}

    /** Nothing was changed: the table did not answer, or others changed the link all the time. */
    record NotMade() implements ChangeResult {}

    /** The table's answer was lost: nobody knows whether the change was made. */
    record InDoubt() implements ChangeResult {}
}
