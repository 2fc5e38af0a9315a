package dev.headstone.dynamodb.expression;

import java.util.List;

/** An update as it was written: its actions in the order they stand. */
record UpdateSyntax(List<Action> actions) {
    /** One change. */
    sealed interface Action {
        /** What is changed. */
        PathSyntax target();
    }

    /** Sets the target to a value. */
    record Set(PathSyntax target, Syntax value) implements Action {}

    /** Removes the target. */
    record Remove(PathSyntax target) implements Action {}

    /** Adds to a number or to a set. */
    record Add(PathSyntax target, Syntax.Value operand) implements Action {}

    /** Deletes members of a set. */
    record Delete(PathSyntax target, Syntax.Value operand) implements Action {}
}
