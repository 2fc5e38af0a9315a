package dev.headstone.dynamodb.value;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The ten types of an attribute value. The name of a constant is the type's name on the wire. */
public enum AttributeType {
    /** A string. */
    S("STRING"),
    /** A number. */
    N("NUMBER"),
    /** Bytes. */
    B("BINARY"),
    /** True or false. */
    BOOL("BOOLEAN"),
    /** Null. */
    NULL("NULL"),
    /** A set of strings. */
    SS("STRING_SET"),
    /** A set of numbers. */
    NS("NUMBER_SET"),
    /** A set of byte strings. */
    BS("BINARY_SET"),
    /** A list of values. */
    L("LIST"),
    /** A map from names to values. */
    M("MAP");

    private static final Map<String, AttributeType> BY_NAME =
            Arrays.stream(values())
                    .collect(Collectors.toUnmodifiableMap(Enum::name, Function.identity()));

    private final String longName;

    AttributeType(String longName) {
        this.longName = longName;
    }

    /** The type's name in those error texts that spell it out, such as {@code STRING_SET}. */
    public String longName() {
        return longName;
    }

    /** The type called {@code name} on the wire; empty if there is none. */
    public static Optional<AttributeType> named(String name) {
        return Optional.ofNullable(BY_NAME.get(name));
    }
}
