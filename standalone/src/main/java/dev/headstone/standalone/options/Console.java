package dev.headstone.standalone.options;

import java.io.PrintWriter;
import java.util.Map;

/**
 * What a command sees of the shell that called it.
 *
 * @param environment the environment variables
 * @param out standard output
 * @param err standard error
 */
public record Console(Map<String, String> environment, PrintWriter out, PrintWriter err) {
    /** With a copy of {@code environment}. */
    public Console {
        environment = Map.copyOf(environment);
    }
}
