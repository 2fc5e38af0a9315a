package dev.headstone.dynamodb.expression;

import dev.headstone.dynamodb.value.ValidationException;

/** How many operators an expression has and how deep it nests, counted while it is parsed. */
final class Extent {
    private static final int MAX_OPERATORS = 300;

    /**
     * How deep parentheses and functions can nest, which bounds the stack. Nothing deeper is valid:
     * parentheses that hold no operator of their own are redundant, and functions do not take each
     * other's values for long.
     */
    private static final int MAX_DEPTH = MAX_OPERATORS + 10;

    private final ExpressionKind kind;
    private int operators;
    private int depth;

    Extent(ExpressionKind kind) {
        this.kind = kind;
    }

    void operator() {
        operators++;
    }

    /** Goes one level deeper; {@code why} says what is wrong if that is too deep. */
    void enter(String why) {
        depth++;
        if (depth > MAX_DEPTH) {
            throw kind.invalid(why);
        }
    }

    void leave() {
        depth--;
    }

    /** Throws {@link ValidationException} if there were too many operators. */
    void requireFewOperators() {
        if (operators > MAX_OPERATORS) {
            // The service counts no further than this, however many there are.
            throw kind.invalid(
                    "The expression contains too many operators; operator count: "
                            + (MAX_OPERATORS + 1));
        }
    }
}
