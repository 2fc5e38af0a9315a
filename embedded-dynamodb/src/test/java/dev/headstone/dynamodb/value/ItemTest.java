package dev.headstone.dynamodb.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class ItemTest {
    private static final AttributeValue ONE = AttributeValue.N.of(1);
    private static final AttributeValue TWO = AttributeValue.N.of(2);

    @Test
    void changesMakeAnotherItem() {
        Item item = Item.EMPTY.with("a", ONE);

        assertThat(item.with("a", TWO).get("a")).contains(TWO);
        assertThat(item.with("b", TWO).without("a")).isEqualTo(new Item(Map.of("b", TWO)));
        assertThat(item.withAll(Map.of("a", TWO, "b", ONE)))
                .isEqualTo(new Item(Map.of("a", TWO, "b", ONE)));
        assertThat(item.with("b", TWO).only(Set.of("b", "c")))
                .isEqualTo(new Item(Map.of("b", TWO)));
        assertThat(item.without("b")).isSameAs(item);
        assertThat(item).isEqualTo(new Item(Map.of("a", ONE)));
        assertThat(item.has("a")).isTrue();
        assertThat(item.without("a").isEmpty()).isTrue();
    }

    @Test
    void nothingOfAnItemCanBeChangedFromOutside() {
        Map<String, AttributeValue> attributes = new HashMap<>(Map.of("a", ONE));
        List<AttributeValue> elements = new ArrayList<>(List.of(ONE));
        byte[] content = {1};
        Bytes bytes = Bytes.of(content);
        Item item = new Item(attributes).with("l", new AttributeValue.L(elements));

        attributes.put("b", TWO);
        elements.add(TWO);
        content[0] = 2;
        bytes.toArray()[0] = 2;

        assertThat(item)
                .isEqualTo(new Item(Map.of("a", ONE, "l", new AttributeValue.L(List.of(ONE)))));
        assertThat(bytes).isEqualTo(Bytes.of((byte) 1));
        assertThatThrownBy(() -> item.attributes().clear())
                .isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void valuesOfDifferentTypesAreNeverEqual() {
        assertThat(new AttributeValue.S("1")).isNotEqualTo(ONE);
        assertThat(AttributeValue.SS.of(List.of("a")))
                .isNotEqualTo(new AttributeValue.L(List.of(new AttributeValue.S("a"))));
        assertThat(AttributeValue.N.parse("1.0")).isEqualTo(ONE).hasSameHashCodeAs(ONE);
    }

    @Test
    void everyTypeIsKnownByItsNameOnTheWire() {
        assertThat(AttributeType.named("BOOL")).contains(AttributeType.BOOL);
        assertThat(AttributeType.named("bool")).isEmpty();
        assertThat(AttributeType.SS.longName()).isEqualTo("STRING_SET");
        assertThat(
                        List.of(
                                ONE,
                                new AttributeValue.Bool(true),
                                new AttributeValue.Null(),
                                AttributeValue.B.of()))
                .extracting(AttributeValue::type)
                .containsExactly(
                        AttributeType.N, AttributeType.BOOL, AttributeType.NULL, AttributeType.B);
    }

    @Test
    void bytesAreFoundInOthers() {
        Bytes bytes = Bytes.of((byte) 1, (byte) 2, (byte) 3);

        assertThat(bytes.contains(Bytes.of((byte) 2, (byte) 3))).isTrue();
        assertThat(bytes.contains(Bytes.of())).isTrue();
        assertThat(bytes.contains(Bytes.of((byte) 3, (byte) 2))).isFalse();
        assertThat(bytes.startsWith(Bytes.of((byte) 1))).isTrue();
        assertThat(bytes.startsWith(Bytes.of((byte) 2))).isFalse();
        assertThat(bytes.length()).isEqualTo(3);
    }
}
