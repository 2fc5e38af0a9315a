package dev.headstone.dynamodb.stream;

/** On whose behalf an item changed. */
public enum Author {
    /** A client of the service. */
    CLIENT,
    /** The service itself, because the item had expired. */
    EXPIRY
}
