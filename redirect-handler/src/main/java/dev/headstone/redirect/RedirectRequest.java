package dev.headstone.redirect;

/**
 * A click.
 *
 * @param code the code as it was sent, which may be none
 * @param head whether only the headers are asked for; a HEAD gets the answer of a GET
 */
public record RedirectRequest(String code, boolean head, Visitor visitor) {}
