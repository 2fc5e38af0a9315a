/** DynamoDB's expressions: their grammar, their rules and what they do to an item. */
@NullMarked
package dev.headstone.dynamodb.expression;

import org.jspecify.annotations.NullMarked;
