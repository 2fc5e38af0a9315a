package dev.headstone.standalone.control;

import java.util.Optional;
import java.util.function.Supplier;

/**
 * A part of the process that can be asked whether it works.
 *
 * @param name as readiness shows it
 * @param fault answers at once, from any thread: a constant phrase that says why the part cannot do
 *     its work now, or empty if it can
 */
public record Part(String name, Supplier<Optional<String>> fault) {}
