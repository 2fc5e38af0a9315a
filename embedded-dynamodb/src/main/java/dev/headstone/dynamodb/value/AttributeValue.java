package dev.headstone.dynamodb.value;

import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * One value of an attribute. Immutable, all the way down. Equality is the service's: numbers by
 * value, sets and maps without regard to order, values of different types never.
 */
public sealed interface AttributeValue {
    /** The value's type. */
    AttributeType type();

    /** A string, possibly empty. */
    record S(String value) implements AttributeValue {
        @Override
        public AttributeType type() {
            return AttributeType.S;
        }
    }

    /** A number. */
    record N(DynamoNumber value) implements AttributeValue {
        /** The number of that value. */
        public static N of(long value) {
            return new N(DynamoNumber.of(value));
        }

        /**
         * The number written as {@code text}. Throws {@link ValidationException} as {@link
         * DynamoNumber#parse}.
         */
        public static N parse(String text) {
            return new N(DynamoNumber.parse(text));
        }

        @Override
        public AttributeType type() {
            return AttributeType.N;
        }
    }

    /** Bytes, possibly none. */
    record B(Bytes value) implements AttributeValue {
        /** A value with a copy of {@code content}. */
        public static B of(byte... content) {
            return new B(Bytes.of(content));
        }

        @Override
        public AttributeType type() {
            return AttributeType.B;
        }
    }

    /** True or false. */
    record Bool(boolean value) implements AttributeValue {
        @Override
        public AttributeType type() {
            return AttributeType.BOOL;
        }
    }

    /** Null: the attribute exists and says nothing. */
    record Null() implements AttributeValue {
        @Override
        public AttributeType type() {
            return AttributeType.NULL;
        }
    }

    /**
     * A set of strings: at least one, none of them empty.
     *
     * @param values in {@link Utf8Order}
     */
    record SS(Set<String> values) implements AttributeValue {
        /** Throws {@link ValidationException} if there is no member or an empty one. */
        public SS {
            values = sorted(values, Utf8Order.UTF8_ORDER);
            if (values.isEmpty()) {
                throw invalid("An string set  may not be empty");
            }
            if (values.iterator().next().isEmpty()) {
                throw invalid("An string set may not have a empty string as a member");
            }
        }

        /**
         * The set of those members. Throws {@link ValidationException} if none is left, one is
         * empty or one recurs.
         */
        public static SS of(List<String> members) {
            SS set = new SS(Set.copyOf(members));
            if (set.values.size() < members.size()) {
                throw invalid("Input collection %s contains duplicates.".formatted(members));
            }
            return set;
        }

        @Override
        public AttributeType type() {
            return AttributeType.SS;
        }
    }

    /**
     * A set of numbers: at least one.
     *
     * @param values in numeric order
     */
    record NS(Set<DynamoNumber> values) implements AttributeValue {
        /** Throws {@link ValidationException} if there is no member. */
        public NS {
            values = sorted(values, Comparator.naturalOrder());
            if (values.isEmpty()) {
                throw invalid("An number set  may not be empty");
            }
        }

        /**
         * The set of those members. Throws {@link ValidationException} if there is none or a value
         * recurs.
         */
        public static NS of(List<DynamoNumber> members) {
            NS set = new NS(Set.copyOf(members));
            if (set.values.size() < members.size()) {
                throw new ValidationException("Input collection contains duplicates");
            }
            return set;
        }

        @Override
        public AttributeType type() {
            return AttributeType.NS;
        }
    }

    /**
     * A set of byte strings: at least one, none of them empty.
     *
     * @param values in the order of {@link Bytes}
     */
    record BS(Set<Bytes> values) implements AttributeValue {
        /** Throws {@link ValidationException} if there is no member or an empty one. */
        public BS {
            values = sorted(values, Comparator.naturalOrder());
            if (values.isEmpty()) {
                throw invalid("Binary sets should not be empty");
            }
            if (values.iterator().next().length() == 0) {
                throw invalid("Binary sets may not contain null or empty values");
            }
        }

        /**
         * The set of those members. Throws {@link ValidationException} if none is left, one is
         * empty or one recurs.
         */
        public static BS of(List<Bytes> members) {
            BS set = new BS(Set.copyOf(members));
            if (set.values.size() < members.size()) {
                throw invalid(
                        "Input collection %sof type BS contains duplicates.".formatted(members));
            }
            return set;
        }

        @Override
        public AttributeType type() {
            return AttributeType.BS;
        }
    }

    /** A list of values of any type, possibly empty. */
    record L(List<AttributeValue> values) implements AttributeValue {
        /** Copies the list. */
        public L {
            values = List.copyOf(values);
        }

        @Override
        public AttributeType type() {
            return AttributeType.L;
        }
    }

    /**
     * A map from names to values of any type, possibly empty.
     *
     * @param values by name, in the order of {@link String}
     */
    record M(Map<String, AttributeValue> values) implements AttributeValue {
        /** Copies the map. */
        public M {
            values = Collections.unmodifiableMap(new TreeMap<>(values));
        }

        @Override
        public AttributeType type() {
            return AttributeType.M;
        }
    }

    private static <T> Set<T> sorted(Collection<T> values, Comparator<? super T> order) {
        return Collections.unmodifiableSortedSet(
                values.stream().collect(Collectors.toCollection(() -> new TreeSet<T>(order))));
    }

    private static ValidationException invalid(String what) {
        return new ValidationException("One or more parameter values were invalid: " + what);
    }
}
