package dev.headstone.dynamodb.expression;

import dev.headstone.dynamodb.value.AttributeValue;

/** One change an update makes, with its names and values looked up. */
sealed interface Change {
    DocumentPath target();

    /** Sets the target. */
    record Set(DocumentPath target, Assigned value) implements Change {}

    /** Removes the target. */
    record Remove(DocumentPath target) implements Change {}

    /** Adds a number to a number, or members to a set; what is missing counts as 0 or as empty. */
    record Add(DocumentPath target, AttributeValue operand) implements Change {}

    /** Deletes members of a set; the target goes with the last of them. */
    record Delete(DocumentPath target, AttributeValue operand) implements Change {}
}
