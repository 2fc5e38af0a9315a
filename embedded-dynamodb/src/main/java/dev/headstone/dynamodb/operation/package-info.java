/** The operations of the service: what they take, do and answer. */
@NullMarked
package dev.headstone.dynamodb.operation;

import org.jspecify.annotations.NullMarked;
