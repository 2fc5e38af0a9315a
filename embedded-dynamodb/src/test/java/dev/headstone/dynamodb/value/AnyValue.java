package dev.headstone.dynamodb.value;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;

/** Arbitrary values within the service's limits, small enough to be read when a property fails. */
public final class AnyValue {
    private static final int MAX_LENGTH = 6;
    private static final int MAX_MEMBERS = 4;
    private static final int MAX_DEPTH = 2;

    private AnyValue() {}

    /** Strings with everything UTF-8 can hold: no lone surrogates. */
    public static Arbitrary<String> text() {
        return Arbitraries.randomValue(AnyValue::text);
    }

    /** Numbers of every sign, magnitude and precision. */
    public static Arbitrary<DynamoNumber> number() {
        return Arbitraries.randomValue(AnyValue::number);
    }

    /** Byte strings, often with bytes at either end of the order. */
    public static Arbitrary<Bytes> bytes() {
        return Arbitraries.randomValue(AnyValue::bytes);
    }

    /** Values of every type, containers at most two deep. */
    public static Arbitrary<AttributeValue> value() {
        return Arbitraries.randomValue(random -> value(random, MAX_DEPTH));
    }

    /** Items of up to four attributes of any name. */
    public static Arbitrary<Item> item() {
        return Arbitraries.randomValue(random -> new Item(entries(random, MAX_DEPTH)));
    }

    /** Items of some of those attributes. */
    public static Arbitrary<Item> item(String... attributes) {
        return Arbitraries.randomValue(
                random -> {
                    Item item = Item.EMPTY;
                    for (String attribute : attributes) {
                        item =
                                random.nextInt(4) == 0
                                        ? item
                                        : item.with(attribute, value(random, MAX_DEPTH));
                    }
                    return item;
                });
    }

    private static String text(Random random) {
        StringBuilder text = new StringBuilder();
        for (int length = random.nextInt(MAX_LENGTH + 1); length > 0; length--) {
            text.appendCodePoint(
                    switch (random.nextInt(6)) {
                        case 0 -> random.nextInt(0xD800);
                        case 1 -> 0xE000 + random.nextInt(0x10FFFF - 0xE000 + 1);
                        case 2 -> random.nextInt(3);
                        default -> 'a' + random.nextInt(3);
                    });
        }
        return text.toString();
    }

    private static DynamoNumber number(Random random) {
        if (random.nextBoolean()) {
            return DynamoNumber.of(random.nextInt(41) - 20);
        }
        int precision = 1 + random.nextInt(DynamoNumber.MAX_DIGITS);
        BigInteger digits =
                new BigInteger(130, random).mod(BigInteger.TEN.pow(precision)).add(BigInteger.ONE);
        BigDecimal first = new BigDecimal(random.nextBoolean() ? digits : digits.negate());
        int exponent = random.nextInt(256) - 130;
        return new DynamoNumber(first.scaleByPowerOfTen(exponent - first.precision() + 1));
    }

    private static Bytes bytes(Random random) {
        byte[] content = new byte[random.nextInt(MAX_LENGTH + 1)];
        for (int i = 0; i < content.length; i++) {
            content[i] =
                    (byte) (random.nextBoolean() ? random.nextInt(256) : random.nextInt(4) - 2);
        }
        return Bytes.of(content);
    }

    private static AttributeValue value(Random random, int depth) {
        return switch (random.nextInt(depth == 0 ? 8 : 10)) {
            case 0 -> new AttributeValue.S(text(random));
            case 1 -> new AttributeValue.N(number(random));
            case 2 -> new AttributeValue.B(bytes(random));
            case 3 -> new AttributeValue.Bool(random.nextBoolean());
            case 4 -> new AttributeValue.Null();
            case 5 -> AttributeValue.SS.of(members(random, r -> "s" + text(r)));
            case 6 -> AttributeValue.NS.of(members(random, AnyValue::number));
            case 7 -> AttributeValue.BS.of(members(random, AnyValue::someBytes));
            case 8 -> new AttributeValue.L(elements(random, depth - 1));
            default -> new AttributeValue.M(entries(random, depth - 1));
        };
    }

    private static Bytes someBytes(Random random) {
        Bytes bytes = bytes(random);
        return bytes.length() == 0 ? Bytes.of((byte) 0) : bytes;
    }

    private static <T> List<T> members(Random random, Function<Random, T> member) {
        List<T> members = new ArrayList<>();
        for (int number = 1 + random.nextInt(MAX_MEMBERS); number > 0; number--) {
            members.add(member.apply(random));
        }
        return members.stream().distinct().toList();
    }

    private static List<AttributeValue> elements(Random random, int depth) {
        List<AttributeValue> elements = new ArrayList<>();
        for (int number = random.nextInt(MAX_MEMBERS); number > 0; number--) {
            elements.add(value(random, depth));
        }
        return elements;
    }

    private static Map<String, AttributeValue> entries(Random random, int depth) {
        Map<String, AttributeValue> entries = new HashMap<>();
        for (int number = random.nextInt(MAX_MEMBERS + 1); number > 0; number--) {
            entries.put(random.nextBoolean() ? "b" : text(random), value(random, depth));
        }
        return entries;
    }
}
