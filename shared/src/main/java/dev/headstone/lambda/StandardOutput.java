package dev.headstone.lambda;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** Standard output, where Lambda takes each line for an event of the log. */
public final class StandardOutput {
    private StandardOutput() {}

    /** Writes a line in one piece, so that lines of several threads do not mix. */
    public static void line(String text) {
        byte[] bytes = (text + "\n").getBytes(StandardCharsets.UTF_8);
        PrintStream out = System.out; // the runtime replaces it
        out.write(bytes, 0, bytes.length);
        out.flush();
    }
}
