/** Streams of the changes of tables: shards, records, iterators. */
@NullMarked
package dev.headstone.dynamodb.stream;

import org.jspecify.annotations.NullMarked;
