package dev.headstone.proof.campaign;

/** The end of an actor's process between two calls. No {@code catch} of what ships stops it. */
final class Died extends Error {
    private static final long serialVersionUID = 1L;

    Died() {
        super("the process died", null, false, false);
    }
}
