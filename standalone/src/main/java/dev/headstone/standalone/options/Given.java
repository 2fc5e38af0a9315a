package dev.headstone.standalone.options;

import java.util.function.Function;

/**
 * A value together with the name of the option or variable that it came from.
 *
 * @param where what a message about the value names
 * @param text the value as typed, which no message shows
 */
record Given(String where, String text) {

    /** Refuses the value, saying what it must be. */
    Misuse refused(String mustBe) {
        return new Misuse(where + " must be " + mustBe);
    }

    /**
     * The value as {@code reader} reads it.
     *
     * @throws Misuse when {@code reader} throws an {@link IllegalArgumentException}
     */
    <T> T as(Function<String, T> reader, String mustBe) {
        try {
            return reader.apply(text);
        } catch (IllegalArgumentException e) {
            throw refused(mustBe);
        }
    }

    /** The value as a whole number in decimal digits. */
    int asNumber(int least, int most) {
        String mustBe = "a whole number from %d to %d".formatted(least, most);
        if (!text.matches("[0-9]{1,9}")) {
            throw refused(mustBe);
        }
        int number = Integer.parseInt(text);
        if (number < least || number > most) {
            throw refused(mustBe);
        }
        return number;
    }

    /** The value as a switch. */
    boolean asSwitch() {
        return switch (text) {
            case "true", "on", "1", "yes" -> true;
            case "false", "off", "0", "no" -> false;
            default -> throw refused("true or false");
        };
    }
}
