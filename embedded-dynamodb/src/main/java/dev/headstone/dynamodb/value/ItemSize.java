package dev.headstone.dynamodb.value;

import java.math.BigDecimal;
import java.util.Map;

/**
 * The size of items in bytes by the service's rules, which limits and consumed capacity are counted
 * in.
 *
 * @see <a
 *     href="https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html">the
 *     service's rules</a>
 */
public final class ItemSize {
    /** The largest item: 400 KB. */
    public static final int MAX_BYTES = 400 * 1024;

    private static final int CONTAINER_OVERHEAD = 3;
    private static final int ELEMENT_OVERHEAD = 1;

    private ItemSize() {}

    /** The size of an item: of each attribute its name and its value. */
    public static int of(Item item) {
        return ofAttributes(item.attributes());
    }

    /** The size of attributes: of each its name and its value. */
    public static int ofAttributes(Map<String, AttributeValue> attributes) {
        int size = 0;
        for (Map.Entry<String, AttributeValue> attribute : attributes.entrySet()) {
            size += utf8Length(attribute.getKey()) + of(attribute.getValue());
        }
        return size;
    }

    /** The size of a value, without a name. */
    public static int of(AttributeValue value) {
        return switch (value) {
            case AttributeValue.S(String text) -> utf8Length(text);
            case AttributeValue.N(DynamoNumber number) -> of(number);
            case AttributeValue.B(Bytes bytes) -> bytes.length();
            case AttributeValue.Bool _, AttributeValue.Null _ -> 1;
            case AttributeValue.SS(var members) ->
                    members.stream().mapToInt(ItemSize::utf8Length).sum();
            case AttributeValue.NS(var members) -> members.stream().mapToInt(ItemSize::of).sum();
            case AttributeValue.BS(var members) -> members.stream().mapToInt(Bytes::length).sum();
            case AttributeValue.L(var elements) ->
                    CONTAINER_OVERHEAD
                            + elements.stream()
                                    .mapToInt(element -> of(element) + ELEMENT_OVERHEAD)
                                    .sum();
            case AttributeValue.M(var entries) ->
                    CONTAINER_OVERHEAD + ofAttributes(entries) + entries.size() * ELEMENT_OVERHEAD;
        };
    }

    /** The number of bytes {@code text} takes in UTF-8. */
    public static int utf8Length(String text) {
        int length = text.length();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c >= 0x800 && !Character.isSurrogate(c)) {
                length += 2;
            } else if (c >= 0x80) {
                length++; // half of a pair: two chars, four bytes
            }
        }
        return length;
    }

    /**
     * One byte, one for each pair of digits, and one more for a minus sign. The digits before and
     * after the decimal point are paired apart. The service documents less; this is what it was
     * measured to do.
     */
    private static int of(DynamoNumber number) {
        BigDecimal value = number.value();
        if (value.signum() == 0) {
            return 1;
        }
        int fraction = Math.clamp(value.scale(), 0, value.precision());
        int whole = value.precision() - fraction;
        return 1 + (whole + 1) / 2 + (fraction + 1) / 2 + (value.signum() < 0 ? 1 : 0);
    }
}
