package dev.headstone.lambda;

import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * The environment variables of a function, read with types. A fault names the variable and what it
 * must be, and never its value, which may hold a password. A variable that is empty counts as not
 * set. Immutable.
 */
public final class Environment {
    private final Map<String, String> variables;

    /** These variables. */
    public Environment(Map<String, String> variables) {
        this.variables = Map.copyOf(variables);
    }

    /** The text, if there is one. */
    public Optional<String> text(String name) {
        return Optional.ofNullable(variables.get(name)).filter(text -> !text.isEmpty());
    }

    /**
     * The value as {@code reader} reads it, if the variable is set.
     *
     * @param mustBe completes "NAME must be …"
     * @throws IllegalArgumentException naming the variable, if {@code reader} throws one
     */
    public <T> Optional<T> read(String name, Function<String, T> reader, String mustBe) {
        return text(name).map(text -> read(name, text, reader, mustBe));
    }

    /**
     * The value as {@code reader} reads it.
     *
     * @param mustBe completes "NAME must be …"
     * @throws IllegalArgumentException naming the variable, if it is missing or {@code reader}
     *     throws one
     */
    public <T> T require(String name, Function<String, T> reader, String mustBe) {
        return read(name, reader, mustBe)
                .orElseThrow(() -> new IllegalArgumentException(name + " is missing: " + mustBe));
    }

    private static <T> T read(String name, String text, Function<String, T> read, String mustBe) {
        try {
            return read.apply(text);
        } catch (IllegalArgumentException _) { // without it, for it may quote the value
            throw fault(name, mustBe);
        }
    }

    /**
     * The text, or {@code fallback} if the variable is not set.
     *
     * @param form a regular expression
     * @throws IllegalArgumentException naming the variable, if the text has not that form
     */
    public String text(String name, String fallback, String form, String mustBe) {
        String text = text(name).orElse(fallback);
        if (!text.matches(form)) {
            throw fault(name, mustBe);
        }
        return text;
    }

    /**
     * A whole number, or {@code fallback} if the variable is not set.
     *
     * @throws IllegalArgumentException naming the variable, if it is none or out of range
     */
    public int number(String name, int fallback, int least, int most) {
        String mustBe = "a whole number from %d to %d".formatted(least, most);
        int number = read(name, Integer::parseInt, mustBe).orElse(fallback);
        if (number < least || number > most) {
            throw fault(name, mustBe);
        }
        return number;
    }

    /**
     * A switch, off if the variable is not set.
     *
     * @throws IllegalArgumentException naming the variable, if it is neither on nor off
     */
    public boolean isOn(String name) {
        return read(name, Environment::asSwitch, "true or false").orElse(false);
    }

    private static boolean asSwitch(String text) {
        return switch (text) {
            case "true", "on", "1", "yes" -> true;
            case "false", "off", "0", "no" -> false;
            default -> throw new IllegalArgumentException();
        };
    }

    private static IllegalArgumentException fault(String name, String mustBe) {
        return new IllegalArgumentException(name + " must be " + mustBe);
    }
}
