package dev.headstone.dynamodb.expression;

import dev.headstone.dynamodb.value.AttributeValue;

/** Which sort keys a query reads. The values are of the sort key's type. */
public sealed interface SortCondition {
    /** Whether a sort key meets the condition. */
    boolean holds(AttributeValue sort);

    /** The one key that equals {@code value}. */
    record Equal(AttributeValue value) implements SortCondition {
        @Override
        public boolean holds(AttributeValue sort) {
            return Comparator.EQUAL.holds(sort, value);
        }
    }

    /** The keys before {@code bound}. */
    record Less(AttributeValue bound) implements SortCondition {
        @Override
        public boolean holds(AttributeValue sort) {
            return Comparator.LESS.holds(sort, bound);
        }
    }

    /** The keys up to and with {@code bound}. */
    record LessOrEqual(AttributeValue bound) implements SortCondition {
        @Override
        public boolean holds(AttributeValue sort) {
            return Comparator.LESS_OR_EQUAL.holds(sort, bound);
        }
    }

    /** The keys after {@code bound}. */
    record Greater(AttributeValue bound) implements SortCondition {
        @Override
        public boolean holds(AttributeValue sort) {
            return Comparator.GREATER.holds(sort, bound);
        }
    }

    /** The keys from {@code bound} on, with it. */
    record GreaterOrEqual(AttributeValue bound) implements SortCondition {
        @Override
        public boolean holds(AttributeValue sort) {
            return Comparator.GREATER_OR_EQUAL.holds(sort, bound);
        }
    }

    /** The keys from {@code lower} to {@code upper}, with both. */
    record Between(AttributeValue lower, AttributeValue upper) implements SortCondition {
        @Override
        public boolean holds(AttributeValue sort) {
            return Comparator.GREATER_OR_EQUAL.holds(sort, lower)
                    && Comparator.LESS_OR_EQUAL.holds(sort, upper);
        }
    }

    /** The keys, strings or binary, that begin with {@code prefix}. */
    record BeginsWith(AttributeValue prefix) implements SortCondition {
        @Override
        public boolean holds(AttributeValue sort) {
            return Condition.BeginsWith.beginsWith(sort, prefix);
        }
    }
}
