/** Tests of values, their encodings and their limits. */
@NullMarked
package dev.headstone.dynamodb.value;

import org.jspecify.annotations.NullMarked;
