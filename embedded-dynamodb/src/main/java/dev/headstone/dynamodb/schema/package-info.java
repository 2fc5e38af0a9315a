/** What tables, indexes and streams there are, and where their entries lie. */
@NullMarked
package dev.headstone.dynamodb.schema;

import org.jspecify.annotations.NullMarked;
