package dev.headstone.dynamodb.expression;

import dev.headstone.dynamodb.value.AttributeType;
import dev.headstone.dynamodb.value.AttributeValue;
import dev.headstone.dynamodb.value.Item;
import java.util.List;
import java.util.Optional;

/** A condition with its names and values looked up. */
sealed interface Condition {
    boolean holds(Item item);

    /** At least one of these. */
    record Any(List<Condition> conditions) implements Condition {
        @Override
        public boolean holds(Item item) {
            return conditions.stream().anyMatch(condition -> condition.holds(item));
        }
    }

    /** All of these. */
    record All(List<Condition> conditions) implements Condition {
        @Override
        public boolean holds(Item item) {
            return conditions.stream().allMatch(condition -> condition.holds(item));
        }
    }

    /** Not this. */
    record Not(Condition condition) implements Condition {
        @Override
        public boolean holds(Item item) {
            return !condition.holds(item);
        }
    }

    /** Two operands compared. What is missing differs from everything, and is in no order. */
    record Comparison(Comparator comparator, Operand left, Operand right) implements Condition {
        @Override
        public boolean holds(Item item) {
            Optional<AttributeValue> l = left.in(item);
            Optional<AttributeValue> r = right.in(item);
            if (l.isEmpty() || r.isEmpty()) {
                return comparator == Comparator.NOT_EQUAL;
            }
            return comparator.holds(l.get(), r.get());
        }
    }

    /** An operand between two others, both included. */
    record Between(Operand operand, Operand lower, Operand upper) implements Condition {
        @Override
        public boolean holds(Item item) {
            return new Comparison(Comparator.GREATER_OR_EQUAL, operand, lower).holds(item)
                    && new Comparison(Comparator.LESS_OR_EQUAL, operand, upper).holds(item);
        }
    }

    /** An operand equal to one of several. */
    record In(Operand operand, List<Operand> candidates) implements Condition {
        @Override
        public boolean holds(Item item) {
            Optional<AttributeValue> value = operand.in(item);
            return value.isPresent()
                    && candidates.stream().anyMatch(candidate -> value.equals(candidate.in(item)));
        }
    }

    /** A path that leads to something. */
    record Exists(DocumentPath path) implements Condition {
        @Override
        public boolean holds(Item item) {
            return path.valueIn(item).isPresent();
        }
    }

    /** A path that leads nowhere. */
    record Missing(DocumentPath path) implements Condition {
        @Override
        public boolean holds(Item item) {
            return path.valueIn(item).isEmpty();
        }
    }

    /** An operand of a type. */
    record OfType(Operand operand, AttributeType type) implements Condition {
        @Override
        public boolean holds(Item item) {
            return operand.in(item).filter(value -> value.type() == type).isPresent();
        }
    }

    /** A string or binary operand that begins with another. */
    record BeginsWith(Operand operand, Operand beginning) implements Condition {
        @Override
        public boolean holds(Item item) {
            Optional<AttributeValue> whole = operand.in(item);
            Optional<AttributeValue> part = beginning.in(item);
            return whole.isPresent() && part.isPresent() && beginsWith(whole.get(), part.get());
        }

        static boolean beginsWith(AttributeValue whole, AttributeValue part) {
            if (whole instanceof AttributeValue.S(String text)
                    && part instanceof AttributeValue.S(String prefix)) {
                return text.startsWith(prefix);
            }
            return whole instanceof AttributeValue.B(var bytes)
                    && part instanceof AttributeValue.B(var prefix)
                    && bytes.startsWith(prefix);
        }
    }

    /**
     * A string or binary operand with another in it, or a set or list operand with another as its
     * member.
     */
    record Contains(Operand operand, Operand part) implements Condition {
        @Override
        public boolean holds(Item item) {
            Optional<AttributeValue> whole = operand.in(item);
            Optional<AttributeValue> sought = part.in(item);
            return whole.isPresent() && sought.isPresent() && contains(whole.get(), sought.get());
        }

        private static boolean contains(AttributeValue whole, AttributeValue sought) {
            return switch (whole) {
                case AttributeValue.S(String text) ->
                        sought instanceof AttributeValue.S(String part) && text.contains(part);
                case AttributeValue.B(var bytes) ->
                        sought instanceof AttributeValue.B(var part) && bytes.contains(part);
                case AttributeValue.SS(var members) ->
                        sought instanceof AttributeValue.S(String member)
                                && members.contains(member);
                case AttributeValue.NS(var members) ->
                        sought instanceof AttributeValue.N(var member) && members.contains(member);
                case AttributeValue.BS(var members) ->
                        sought instanceof AttributeValue.B(var member) && members.contains(member);
                case AttributeValue.L(var elements) -> elements.contains(sought);
                case AttributeValue.N _,
                        AttributeValue.Bool _,
                        AttributeValue.Null _,
                        AttributeValue.M _ ->
                        false;
            };
        }
    }
}
