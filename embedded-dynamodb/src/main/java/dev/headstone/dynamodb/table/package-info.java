/** Tables and their items: keys, indexes, expiry, and the one way an item changes. */
@NullMarked
package dev.headstone.dynamodb.table;

import org.jspecify.annotations.NullMarked;
