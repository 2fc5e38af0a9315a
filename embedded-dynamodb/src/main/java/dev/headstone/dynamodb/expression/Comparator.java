package dev.headstone.dynamodb.expression;

import dev.headstone.dynamodb.value.AttributeValue;
import dev.headstone.dynamodb.value.Utf8Order;
import java.util.OptionalInt;

/** The ways to compare two values. Values of different types are not equal and in no order. */
enum Comparator {
    EQUAL("="),
    NOT_EQUAL("<>"),
    LESS("<"),
    LESS_OR_EQUAL("<="),
    GREATER(">"),
    GREATER_OR_EQUAL(">=");

    private final String symbol;

    Comparator(String symbol) {
        this.symbol = symbol;
    }

    static Comparator of(String symbol) {
        for (Comparator comparator : values()) {
            if (comparator.symbol.equals(symbol)) {
                return comparator;
            }
        }
        throw new IllegalArgumentException("no comparator " + symbol);
    }

    String symbol() {
        return symbol;
    }

    /** Whether this asks for an order, which only strings, numbers and binary have. */
    boolean needsOrder() {
        return this != EQUAL && this != NOT_EQUAL;
    }

    /** The comparator with the same outcome when its operands change places. */
    Comparator mirrored() {
        return switch (this) {
            case EQUAL -> EQUAL;
            case NOT_EQUAL -> NOT_EQUAL;
            case LESS -> GREATER;
            case LESS_OR_EQUAL -> GREATER_OR_EQUAL;
            case GREATER -> LESS;
            case GREATER_OR_EQUAL -> LESS_OR_EQUAL;
        };
    }

    boolean holds(AttributeValue left, AttributeValue right) {
        return switch (this) {
            case EQUAL -> left.equals(right);
            case NOT_EQUAL -> !left.equals(right);
            case LESS, LESS_OR_EQUAL, GREATER, GREATER_OR_EQUAL -> {
                OptionalInt order = order(left, right);
                yield order.isPresent() && holds(order.getAsInt());
            }
        };
    }

    private boolean holds(int order) {
        return switch (this) {
            case EQUAL -> order == 0;
            case NOT_EQUAL -> order != 0;
            case LESS -> order < 0;
            case LESS_OR_EQUAL -> order <= 0;
            case GREATER -> order > 0;
            case GREATER_OR_EQUAL -> order >= 0;
        };
    }

    /** The sign of left minus right; empty if they have no order. */
    private static OptionalInt order(AttributeValue left, AttributeValue right) {
        if (left instanceof AttributeValue.S(String l)
                && right instanceof AttributeValue.S(String r)) {
            return OptionalInt.of(Utf8Order.UTF8_ORDER.compare(l, r));
        }
        if (left instanceof AttributeValue.N(var l) && right instanceof AttributeValue.N(var r)) {
            return OptionalInt.of(l.compareTo(r));
        }
        if (left instanceof AttributeValue.B(var l) && right instanceof AttributeValue.B(var r)) {
            return OptionalInt.of(l.compareTo(r));
        }
        return OptionalInt.empty();
    }
}
