package dev.headstone.dynamodb.schema;

import dev.headstone.dynamodb.storage.Tree;

/**
 * That items expire at the second that their attribute {@code attribute} names.
 *
 * @param byExpiry has the keys of all items with such an attribute, ordered by that second
 */
public record TimeToLive(String attribute, Tree byExpiry) {}
