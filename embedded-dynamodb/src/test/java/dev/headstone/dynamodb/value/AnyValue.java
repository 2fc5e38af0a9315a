package dev.headstone.dynamodb.value;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/** Arbitrary values within the service's limits, for properties. */
public final class AnyValue {
    private static final BigInteger LARGEST_DIGITS =
            BigInteger.TEN.pow(DynamoNumber.MAX_DIGITS).subtract(BigInteger.ONE);

    private AnyValue() {}

    /** Strings with everything UTF-8 can hold: no lone surrogates. */
    public static Arbitrary<String> text() {
        Arbitrary<Integer> codePoint =
                Arbitraries.frequencyOf(
                        net.jqwik.api.Tuple.of(4, Arbitraries.integers().between('a', 'd')),
                        net.jqwik.api.Tuple.of(1, Arbitraries.integers().between(0, 0xD7FF)),
                        net.jqwik.api.Tuple.of(
                                1, Arbitraries.integers().between(0xE000, 0x10FFFF)));
        return codePoint
                .list()
                .ofMaxSize(6)
                .map(
                        points ->
                                points.stream()
                                        .collect(
                                                StringBuilder::new,
                                                StringBuilder::appendCodePoint,
                                                StringBuilder::append)
                                        .toString());
    }

    /** Numbers of every sign, magnitude and precision. */
    public static Arbitrary<DynamoNumber> number() {
        Arbitrary<DynamoNumber> small = Arbitraries.longs().between(-20, 20).map(DynamoNumber::of);
        Arbitrary<DynamoNumber> wide =
                Combinators.combine(
                                Arbitraries.bigIntegers()
                                        .between(LARGEST_DIGITS.negate(), LARGEST_DIGITS),
                                Arbitraries.integers().between(-130, 125))
                        .as(AnyValue::withExponent);
        return Arbitraries.oneOf(small, wide);
    }

    private static DynamoNumber withExponent(BigInteger digits, int exponent) {
        int precision = new BigDecimal(digits).precision();
        return new DynamoNumber(new BigDecimal(digits, precision - 1 - exponent));
    }

    /** Byte strings, often with zero bytes. */
    public static Arbitrary<Bytes> bytes() {
        return Arbitraries.bytes()
                .withDistribution(net.jqwik.api.RandomDistribution.uniform())
                .edgeCases(edges -> edges.add((byte) 0, (byte) 1, (byte) -1))
                .array(byte[].class)
                .ofMaxSize(6)
                .map(Bytes::of);
    }

    /** Values that can be keys. */
    public static Arbitrary<AttributeValue> key() {
        return Arbitraries.oneOf(
                text().map(AttributeValue.S::new),
                number().map(AttributeValue.N::new),
                bytes().map(AttributeValue.B::new));
    }

    /** Values of every type, containers at most two deep. */
    public static Arbitrary<AttributeValue> value() {
        return value(2);
    }

    private static Arbitrary<AttributeValue> value(int depth) {
        Arbitrary<AttributeValue> flat =
                Arbitraries.oneOf(
                        key(),
                        Arbitraries.of(true, false).map(AttributeValue.Bool::new),
                        Arbitraries.just(new AttributeValue.Null()),
                        text().filter(text -> !text.isEmpty())
                                .set()
                                .ofMinSize(1)
                                .ofMaxSize(4)
                                .map(AttributeValue.SS::new),
                        number().set().ofMinSize(1).ofMaxSize(4).map(AttributeValue.NS::new),
                        bytes().filter(bytes -> bytes.length() > 0)
                                .set()
                                .ofMinSize(1)
                                .ofMaxSize(4)
                                .map(AttributeValue.BS::new));
        if (depth == 0) {
            return flat;
        }
        Arbitrary<AttributeValue> nested = value(depth - 1);
        return Arbitraries.oneOf(
                flat,
                nested.list().ofMaxSize(3).map(AttributeValue.L::new),
                Arbitraries.maps(text(), nested).ofMaxSize(3).map(AttributeValue.M::new));
    }

    /** Items of up to five attributes. */
    public static Arbitrary<Item> item() {
        Arbitrary<Map<String, AttributeValue>> attributes =
                Arbitraries.maps(text(), value()).ofMaxSize(5);
        return attributes.map(Item::new);
    }
}
