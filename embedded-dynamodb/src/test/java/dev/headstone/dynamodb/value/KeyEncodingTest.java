package dev.headstone.dynamodb.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

final class KeyEncodingTest {
    record Pair(AttributeValue hash, AttributeValue sort) {}

    @Provide
    Arbitrary<DynamoNumber> numbers() {
        return AnyValue.number();
    }

    @Provide
    Arbitrary<String> texts() {
        return AnyValue.text();
    }

    @Provide
    Arbitrary<Bytes> bytes() {
        return AnyValue.bytes();
    }

    @Provide
    Arbitrary<Pair> pairs() {
        return Combinators.combine(AnyValue.text(), AnyValue.number())
                .as(
                        (hash, sort) ->
                                new Pair(new AttributeValue.S(hash), new AttributeValue.N(sort)));
    }

    @Property(tries = 2000)
    void bytesOfNumbersOrderAsTheNumbers(
            @ForAll("numbers") DynamoNumber a, @ForAll("numbers") DynamoNumber b) {
        assertThat(order(new AttributeValue.N(a), new AttributeValue.N(b)))
                .isEqualTo(a.compareTo(b));
    }

    @Property(tries = 2000)
    void bytesOfStringsOrderAsTheirUtf8(@ForAll("texts") String a, @ForAll("texts") String b) {
        int byUtf8 =
                Integer.signum(
                        Arrays.compareUnsigned(
                                a.getBytes(StandardCharsets.UTF_8),
                                b.getBytes(StandardCharsets.UTF_8)));

        assertThat(order(new AttributeValue.S(a), new AttributeValue.S(b))).isEqualTo(byUtf8);
        assertThat(Integer.signum(Utf8Order.UTF8_ORDER.compare(a, b))).isEqualTo(byUtf8);
    }

    @Property(tries = 2000)
    void bytesOfBinaryOrderAsTheBinary(@ForAll("bytes") Bytes a, @ForAll("bytes") Bytes b) {
        assertThat(order(new AttributeValue.B(a), new AttributeValue.B(b)))
                .isEqualTo(Integer.signum(a.compareTo(b)));
    }

    @Property(tries = 2000)
    void keysOfTwoValuesOrderByTheFirstThenByTheSecond(
            @ForAll("pairs") Pair a, @ForAll("pairs") Pair b) {
        int byHash = order(a.hash(), b.hash());
        int expected = byHash == 0 ? order(a.sort(), b.sort()) : byHash;

        assertThat(
                        Integer.signum(
                                Arrays.compareUnsigned(
                                        KeyEncoding.of(a.hash(), a.sort()),
                                        KeyEncoding.of(b.hash(), b.sort()))))
                .isEqualTo(expected);
        assertThat(
                        KeyEncoding.startsWith(
                                KeyEncoding.of(a.hash(), a.sort()), KeyEncoding.of(b.hash())))
                .isEqualTo(byHash == 0);
    }

    @Property(tries = 2000)
    void aPrefixMarksExactlyTheKeysThatBeginWithIt(
            @ForAll("texts") String sort, @ForAll("texts") String beginning) {
        AttributeValue hash = new AttributeValue.N(DynamoNumber.of(7));

        assertThat(
                        KeyEncoding.startsWith(
                                KeyEncoding.of(hash, new AttributeValue.S(sort)),
                                KeyEncoding.prefix(List.of(hash), new AttributeValue.S(beginning))))
                .isEqualTo(sort.startsWith(beginning));
    }

    @Test
    void numbersOfEverySizeAndSignAreInOrder() {
        List<AttributeValue> ascending =
                List.of(
                                "-9.9e125",
                                "-100",
                                "-99",
                                "-10.5",
                                "-10",
                                "-1",
                                "-1e-130",
                                "0",
                                "1e-130",
                                "0.1",
                                "1",
                                "9",
                                "10",
                                "10.5",
                                "99",
                                "100",
                                "9.9e125")
                        .stream()
                        .<AttributeValue>map(AttributeValue.N::parse)
                        .toList();

        assertThat(ascending.stream().map(KeyEncoding::of))
                .isSortedAccordingTo(Arrays::compareUnsigned);
        assertThat(ascending.stream().map(KeyEncoding::of))
                .isSortedAccordingTo(Comparator.comparing(key -> key, Arrays::compareUnsigned));
    }

    @Test
    void onlyStringsNumbersAndBinaryAreKeys() {
        assertThatThrownBy(() -> KeyEncoding.of(new AttributeValue.Null()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("no key of type NULL");
        assertThatThrownBy(() -> KeyEncoding.prefix(List.of(), AttributeValue.N.of(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("no prefix of type N");
    }

    private static int order(AttributeValue a, AttributeValue b) {
        return Integer.signum(Arrays.compareUnsigned(KeyEncoding.of(a), KeyEncoding.of(b)));
    }
}
