package dev.headstone.dynamodb.storage;

/** The direction in which {@link Entries} are walked over. */
public enum Direction {
    /** In the order of the keys. */
    FORWARD,
    /** Against it. */
    BACKWARD
}
