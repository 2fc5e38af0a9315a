/** The errors the service answers with. */
@NullMarked
package dev.headstone.dynamodb.error;

import org.jspecify.annotations.NullMarked;
