package dev.headstone.dynamodb.expression;

import dev.headstone.dynamodb.value.AttributeValue;
import dev.headstone.dynamodb.value.Bytes;
import dev.headstone.dynamodb.value.Item;
import dev.headstone.dynamodb.value.ItemSize;
import java.util.Optional;
import java.util.OptionalInt;

/** What a condition compares: a value that may depend on the item, and that the item may lack. */
sealed interface Operand {
    Optional<AttributeValue> in(Item item);

    /** A value given with the request. */
    record Constant(AttributeValue value) implements Operand {
        @Override
        public Optional<AttributeValue> in(Item item) {
            return Optional.of(value);
        }
    }

    /** A value in the item. */
    record AtPath(DocumentPath path) implements Operand {
        @Override
        public Optional<AttributeValue> in(Item item) {
            return path.valueIn(item);
        }
    }

    /**
     * How large a value is: the bytes of a string or of binary, the members of a set, list or map.
     */
    record Size(Operand operand) implements Operand {
        @Override
        public Optional<AttributeValue> in(Item item) {
            OptionalInt size = operand.in(item).map(Size::of).orElseGet(OptionalInt::empty);
            return size.isPresent()
                    ? Optional.of(AttributeValue.N.of(size.getAsInt()))
                    : Optional.empty();
        }

        private static OptionalInt of(AttributeValue value) {
            return switch (value) {
                case AttributeValue.S(String text) -> OptionalInt.of(ItemSize.utf8Length(text));
                case AttributeValue.B(Bytes bytes) -> OptionalInt.of(bytes.length());
                case AttributeValue.SS(var members) -> OptionalInt.of(members.size());
                case AttributeValue.NS(var members) -> OptionalInt.of(members.size());
                case AttributeValue.BS(var members) -> OptionalInt.of(members.size());
                case AttributeValue.L(var elements) -> OptionalInt.of(elements.size());
                case AttributeValue.M(var entries) -> OptionalInt.of(entries.size());
                case AttributeValue.N _, AttributeValue.Bool _, AttributeValue.Null _ ->
                        OptionalInt.empty();
            };
        }
    }
}
