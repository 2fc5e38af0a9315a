/**
 * Ordered trees of bytes in one file, changed by transactions that are on the disk before they are
 * acknowledged.
 */
@NullMarked
package dev.headstone.dynamodb.storage;

import org.jspecify.annotations.NullMarked;
