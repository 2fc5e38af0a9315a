package dev.headstone.dynamodb.table;

import dev.headstone.dynamodb.stream.ItemBytes;
import dev.headstone.dynamodb.value.Item;

/** An item with its bytes. */
public record StoredItem(Item item, ItemBytes bytes) {}
