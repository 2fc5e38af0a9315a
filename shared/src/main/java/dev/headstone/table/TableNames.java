package dev.headstone.table;

/**
 * The names of the tables. All but the first are named after it, with a suffix.
 *
 * @param links one item per code
 */
public record TableNames(String links) {
    /** The default, {@code Links}. */
    public static final TableNames DEFAULT = new TableNames("Links");

    /** The index of deaths, which the sweep reads consistently; a GSI would lag. */
    public String deaths() {
        return links + "-deaths";
    }

    /** Answers to idempotency keys. */
    public String idempotency() {
        return links + "-idempotency";
    }

    /** Counted visits, and who is new. */
    public String visits() {
        return links + "-visits";
    }
}
