package dev.headstone.writer;

/** Why the state of a link forbids what somebody wants of it. */
public enum Ground {
    /** Somebody else did it before. */
    DONE_BY_ANOTHER("done_by_another", "Somebody else has done that already."),
    /** It was taken down: only a restore changes that. */
    TAKEN_DOWN("taken_down", "The link was taken down; only a restore by an operator undoes it."),
    /** It lives. */
    NOT_DEAD("not_dead", "The link is not dead."),
    /** It has ended in another way before. */
    DEAD_ALREADY("dead_already", "The link is dead already: its visits are used up."),
    /** Its time is over, so that it could not be seen again. */
    EXPIRED("expired", "The link has expired."),
    /** Its visit limit is reached, so that it could not be seen again. */
    USED_UP("used_up", "The visits of the link are used up.");

    private final String wireName;
    private final String sentence;

    Ground(String wireName, String sentence) {
        this.wireName = wireName;
        this.sentence = sentence;
    }

    /** The name in the audit log. */
    public String wireName() {
        return wireName;
    }

    /** For people. */
    public String sentence() {
        return sentence;
    }
}
