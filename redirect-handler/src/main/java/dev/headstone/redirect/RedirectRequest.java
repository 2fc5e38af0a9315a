package dev.headstone.redirect;

import java.util.Optional;

/**
 * A click.
 *
 * @param code the code as it was sent, which may be none
 * @param head whether only the headers are asked for; a HEAD gets the answer of a GET
 * @param view what is to be shown instead of leading on
 */
public record RedirectRequest(String code, boolean head, Visitor visitor, Optional<View> view) {
    /** A click that wants to be led on. */
    public RedirectRequest(String code, boolean head, Visitor visitor) {
        this(code, head, visitor, Optional.empty());
    }
}
