package dev.headstone.dynamodb.value;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ItemSizeTest {
    @Provide
    Arbitrary<String> texts() {
        return AnyValue.text();
    }

    @Property
    void aStringIsAsLargeAsItsUtf8(@ForAll("texts") String text) {
        assertThat(ItemSize.of(new AttributeValue.S(text)))
                .isEqualTo(text.getBytes(StandardCharsets.UTF_8).length);
    }

    @ParameterizedTest(name = "{0} has {1} bytes")
    @CsvSource({
        "0, 1",
        "-0, 1",
        "1, 2",
        "12, 2",
        "123, 3",
        "1234, 3",
        "12345678901234567890123456789012345678, 20",
        "0042, 2",
        "100, 2",
        "1010, 3",
        "0.0000001, 2",
        "1E125, 2",
        "1E-100, 2",
        "1.5, 3",
        "15, 2",
        "1.2, 3",
        "1.200, 3",
        "1.234, 4",
        "3.14159, 5",
        "123456, 4",
        "100.5, 4",
        "0.15, 2",
        "-42, 3",
        "1.05, 3"
    })
    void aNumberIsAsLargeAsTheServiceMeasuresIt(String number, int bytes) {
        assertThat(ItemSize.of(AttributeValue.N.parse(number))).isEqualTo(bytes);
    }

    @Test
    void containersCostThreeBytesAndOneForEachElement() {
        AttributeValue one = AttributeValue.N.of(1);

        assertThat(ItemSize.of(new AttributeValue.L(List.of()))).isEqualTo(3);
        assertThat(ItemSize.of(new AttributeValue.L(List.of(one, one)))).isEqualTo(3 + 3 + 3);
        assertThat(ItemSize.of(new AttributeValue.M(Map.of()))).isEqualTo(3);
        assertThat(ItemSize.of(new AttributeValue.M(Map.of("name", one)))).isEqualTo(3 + 4 + 2 + 1);
    }

    @Test
    void setsAreAsLargeAsTheirMembers() {
        assertThat(ItemSize.of(AttributeValue.SS.of(List.of("a", "bc")))).isEqualTo(3);
        assertThat(
                        ItemSize.of(
                                AttributeValue.NS.of(
                                        List.of(DynamoNumber.of(1), DynamoNumber.of(123)))))
                .isEqualTo(5);
        assertThat(
                        ItemSize.of(
                                AttributeValue.BS.of(
                                        List.of(Bytes.of((byte) 1), Bytes.of((byte) 1, (byte) 2)))))
                .isEqualTo(3);
    }

    @Test
    void anItemIsAsLargeAsItsNamesAndValues() {
        Item item =
                Item.EMPTY
                        .with("\u00fc", new AttributeValue.S("x"))
                        .with("b", AttributeValue.B.of((byte) 1, (byte) 2))
                        .with("t", new AttributeValue.Bool(true))
                        .with("n", new AttributeValue.Null());

        assertThat(ItemSize.of(item)).isEqualTo(3 + 3 + 2 + 2);
        assertThat(ItemSize.MAX_BYTES).isEqualTo(409_600);
    }
}
