package dev.headstone.standalone.cli;

import dev.headstone.standalone.options.Console;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * What the commands have around them.
 *
 * @param onTerminal whether a person looks on, who is shown colours and progress
 * @param onAws whether {@code --aws} was given before the command's name
 * @param clock tells how long the edge still has, and when to stop following a job
 * @param random gives the keys that make a create repeatable
 * @param pause lets time pass
 */
public record Shell(
        Console console,
        boolean onTerminal,
        BooleanSupplier onAws,
        InstantSource clock,
        RandomGenerator random,
        Consumer<Duration> pause) {
    /** NO_COLOR is what https://no-color.org says: any value but the empty one. */
    boolean isColoured() {
        return onTerminal && console.environment().getOrDefault("NO_COLOR", "").isEmpty();
    }
}
