package dev.headstone.writer;

import dev.headstone.link.ShortCode;
import java.util.Optional;

/** What became of a create. */
public sealed interface CreateResult {
    /**
     * The link is there; or it was, when its idempotency key was used first.
     *
     * @param answer the link as JSON, byte for byte the same for one key
     */
    record Created(ShortCode code, String answer) implements CreateResult {}

    /**
     * The request is not acceptable.
     *
     * @param field at fault, or empty if the body as a whole is
     * @param why the rule that was broken
     */
    record Rejected(Optional<String> field, String why) implements CreateResult {}

    /** The body is too large and was not looked at. */
    record TooLarge() implements CreateResult {}

    /** The caller may not create. */
    record Forbidden() implements CreateResult {}

    /** The idempotency key has been used for another body. */
    record KeyReused() implements CreateResult {}

    /**
     * The alias has a link.
     *
     * @param quarantined whether that link redirects no more, so that its code becomes free once
     *     the table has forgotten it
     */
    record AliasTaken(boolean quarantined) implements CreateResult {}

    /** Nothing was created, for the table did not answer or no code was free. */
    record NotCreated() implements CreateResult {}

    /** The table's answer was lost: nobody knows whether the link was created. */
    record InDoubt() implements CreateResult {}
}
