package dev.headstone.standalone.source;

import java.time.Duration;

/** Checks settings; every complaint names the setting. */
final class Settings {
    private Settings() {}

    static void filled(String name, String value) {
        if (value.isBlank()) {
            throw new IllegalArgumentException("%s is empty".formatted(name));
        }
    }

    static void between(String name, int value, int least, int most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(
                    "%s %d is not between %d and %d".formatted(name, value, least, most));
        }
    }

    static void between(String name, Duration value, Duration least, Duration most) {
        if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
            throw new IllegalArgumentException(
                    "%s %s is not between %s and %s".formatted(name, value, least, most));
        }
    }
}
