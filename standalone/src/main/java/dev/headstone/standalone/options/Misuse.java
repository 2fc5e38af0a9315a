package dev.headstone.standalone.options;

/**
 * A command was given something it cannot work with: exit status 2, nothing started.
 *
 * <p>The message is one line for the person at the terminal. It names the option or the variable at
 * fault and never quotes a value, which may hold a password.
 */
public final class Misuse extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** The exit status of a command that was misused. */
    public static final int EXIT = 2;

    private final String line;

    /** With {@code line} as the one line that is shown. */
    public Misuse(String line) {
        super(line);
        this.line = line;
    }

    /** The one line that is shown. */
    public String line() {
        return line;
    }
}
