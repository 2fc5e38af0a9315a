package dev.headstone.proof;

/** Who watches a run. Called on one thread. */
public interface Spectator {
    /**
     * Something begins.
     *
     * @param what in a few words
     * @param most what {@link #reached} counts up to; -1 if nobody knows
     */
    void begins(String what, long most);

    /** It has come so far. */
    void reached(long done);

    /** It has ended. */
    void ended();

    /** Nobody watches. */
    static Spectator nobody() {
        return new Spectator() {
            @Override
            public void begins(String what, long most) {}

            @Override
            public void reached(long done) {}

            @Override
            public void ended() {}
        };
    }
}
