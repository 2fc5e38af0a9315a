package dev.headstone.dynamodb.expression;

import dev.headstone.dynamodb.value.AttributeValue;
import dev.headstone.dynamodb.value.DynamoNumber;
import dev.headstone.dynamodb.value.Item;
import dev.headstone.dynamodb.value.ValidationException;
import java.util.ArrayList;
import java.util.List;

/** What an update sets a path to, worked out from the item as it was before the update. */
sealed interface Assigned {
    AttributeValue from(Item item);

    /** A value given with the request. */
    record Constant(AttributeValue value) implements Assigned {
        @Override
        public AttributeValue from(Item item) {
            return value;
        }
    }

    /** A value of the item, which must be there. */
    record AtPath(DocumentPath path) implements Assigned {
        @Override
        public AttributeValue from(Item item) {
            return path.valueIn(item)
                    .orElseThrow(
                            () ->
                                    new ValidationException(
                                            "The provided expression refers to an attribute that does not exist in the item"));
        }
    }

    /** The sum of two numbers. */
    record Sum(Assigned left, Assigned right) implements Assigned {
        @Override
        public AttributeValue from(Item item) {
            return new AttributeValue.N(number(left.from(item)).plus(number(right.from(item))));
        }
    }

    /** The difference of two numbers. */
    record Difference(Assigned left, Assigned right) implements Assigned {
        @Override
        public AttributeValue from(Item item) {
            return new AttributeValue.N(number(left.from(item)).minus(number(right.from(item))));
        }
    }

    /** A value of the item, or another if it is not there. */
    record IfMissing(DocumentPath path, Assigned otherwise) implements Assigned {
        @Override
        public AttributeValue from(Item item) {
            return path.valueIn(item).orElseGet(() -> otherwise.from(item));
        }
    }

    /** One list with another at its end. */
    record Joined(Assigned head, Assigned tail) implements Assigned {
        @Override
        public AttributeValue from(Item item) {
            List<AttributeValue> joined = new ArrayList<>(list(head.from(item)));
            joined.addAll(list(tail.from(item)));
            return new AttributeValue.L(joined);
        }

        private static List<AttributeValue> list(AttributeValue value) {
            if (value instanceof AttributeValue.L(var elements)) {
                return elements;
            }
            throw incorrectType();
        }
    }

    private static DynamoNumber number(AttributeValue value) {
        if (value instanceof AttributeValue.N(DynamoNumber number)) {
            return number;
        }
        throw incorrectType();
    }

    static ValidationException incorrectType() {
        return new ValidationException(
                "An operand in the update expression has an incorrect data type");
    }
}
