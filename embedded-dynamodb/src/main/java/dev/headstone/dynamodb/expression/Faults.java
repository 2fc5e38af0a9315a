package dev.headstone.dynamodb.expression;

import java.util.EnumMap;
import java.util.Map;

/**
 * The faults found while one expression was parsed, of each sort the first. They are reported only
 * once the whole text is known to be grammatical, and in an order of their own, as the service
 * does.
 */
final class Faults {
    private final ExpressionKind kind;
    private final Map<Fault, String> found = new EnumMap<>(Fault.class);

    Faults(ExpressionKind kind) {
        this.kind = kind;
    }

    void note(Fault fault, String message) {
        found.putIfAbsent(fault, message);
    }

    /** Throws the first of the faults, in the given order, that was found. */
    void throwFirstOf(Fault... order) {
        for (Fault fault : order) {
            String message = found.get(fault);
            if (message != null) {
                throw kind.invalid(message);
            }
        }
    }
}
