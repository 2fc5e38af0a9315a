package dev.headstone.dynamodb.expression;

import java.util.List;

/**
 * A part of an expression as it was written: names and values are not looked up yet. Conditions and
 * operands are one type because an opening parenthesis may begin either.
 */
sealed interface Syntax {
    /** At least one of these. */
    record Or(List<Syntax> operands) implements Syntax {}

    /** All of these. */
    record And(List<Syntax> operands) implements Syntax {}

    /** Not this. */
    record Not(Syntax operand) implements Syntax {}

    /** Two operands compared. */
    record Comparison(Comparator comparator, Syntax left, Syntax right) implements Syntax {}

    /** An operand from a lower to an upper bound, both included. */
    record Between(Syntax operand, Syntax lower, Syntax upper) implements Syntax {}

    /** An operand equal to one of several. */
    record In(Syntax operand, List<Syntax> candidates) implements Syntax {}

    /** A function and its arguments. */
    record Call(String function, List<Syntax> arguments) implements Syntax {}

    /** A sum, or a difference. */
    record Arithmetic(char operator, Syntax left, Syntax right) implements Syntax {}

    /** A value in the item. */
    record Path(PathSyntax path) implements Syntax {}

    /** A value given with the request: {@code :name}. */
    record Value(String name) implements Syntax {}

    /** Something in parentheses. */
    record Parentheses(Syntax inner) implements Syntax {}

    /** This without parentheses around it. */
    default Syntax bare() {
        Syntax bare = this;
        while (bare instanceof Parentheses(Syntax inner)) {
            bare = inner;
        }
        return bare;
    }

    /** Whether this can be compared: a value, a path or a function. */
    default boolean isOperand() {
        return switch (bare()) {
            case Path _, Value _, Call _ -> true;
            case Or _, And _, Not _, Comparison _, Between _, In _, Arithmetic _, Parentheses _ ->
                    false;
        };
    }

    /**
     * Whether this can be true or false: a comparison of any sort, a combination of such, or a
     * function.
     */
    default boolean isCondition() {
        return switch (bare()) {
            case Or _, And _, Not _, Comparison _, Between _, In _, Call _ -> true;
            case Path _, Value _, Arithmetic _, Parentheses _ -> false;
        };
    }
}
