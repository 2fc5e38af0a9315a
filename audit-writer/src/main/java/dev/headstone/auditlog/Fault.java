package dev.headstone.auditlog;

/**
 * Something in the log that appending cannot have brought about.
 *
 * @param code the chain: a code, or {@code :host} and the like
 * @param seq the place in the chain
 */
public record Fault(String code, Kind kind, long seq) {
    /** What is wrong. */
    public enum Kind {
        /** Events are missing, from {@code seq} on, before one that is there. */
        GAP("gap"),
        /** The event does not continue its predecessor. */
        FORK("fork"),
        /** The event is not what was appended there. */
        EDITED("edited"),
        /** The event is missing, and so is everything after it. */
        TRUNCATED("truncated");

        private final String wireName;

        Kind(String wireName) {
            this.wireName = wireName;
        }

        /** The name in JSON. */
        public String wireName() {
            return wireName;
        }
    }
}
