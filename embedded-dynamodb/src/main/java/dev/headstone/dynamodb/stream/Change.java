package dev.headstone.dynamodb.stream;

import java.util.Optional;

/**
 * A change of one item, in the bytes of the storage.
 *
 * @param before the item before; empty if there was none
 * @param after the item after; empty if there is none
 */
public record Change(
        ItemBytes keys, Optional<ItemBytes> before, Optional<ItemBytes> after, Author author) {}
