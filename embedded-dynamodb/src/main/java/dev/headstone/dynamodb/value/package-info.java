/**
 * What DynamoDB stores: attribute values and items, their wire form, their size and the order of
 * their keys.
 */
@NullMarked
package dev.headstone.dynamodb.value;

import org.jspecify.annotations.NullMarked;
