package dev.headstone.dynamodb.table;

import dev.headstone.dynamodb.value.Item;
import java.util.List;
import java.util.Optional;

/**
 * Items that were read and match.
 *
 * @param scanned how many were read
 * @param bytesRead how large those were
 * @param lastKey the key of the last one read; empty if there are no more
 */
public record Page(List<Item> items, int scanned, long bytesRead, Optional<Item> lastKey) {}
