package dev.headstone.proof.campaign;

/** Which promise was broken. */
public enum Damage {
    /** A click that began after a receipt was answered from a version in which the link lived. */
    DEAD_SERVED("dead link served"),
    /** A click that began after a receipt did not find a link that lived ever since. */
    LIVE_HIDDEN("live link hidden"),
    /** An event is missing, or one thing is told of twice, or of something that never was. */
    EVENT_LOST("audit event lost or doubled"),
    /** What the stream said was never settled, or something threw that must not. */
    STUCK("not settled in the end");

    private final String words;

    Damage(String words) {
        this.words = words;
    }

    /** A few words for tables. */
    public String words() {
        return words;
    }
}
