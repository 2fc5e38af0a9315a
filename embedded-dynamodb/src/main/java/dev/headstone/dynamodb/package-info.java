/** A DynamoDB and DynamoDB Streams endpoint for one machine. */
@NullMarked
package dev.headstone.dynamodb;

import org.jspecify.annotations.NullMarked;
