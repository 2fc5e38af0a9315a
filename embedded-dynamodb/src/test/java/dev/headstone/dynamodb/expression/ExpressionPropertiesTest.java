package dev.headstone.dynamodb.expression;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headstone.dynamodb.value.AnyValue;
import dev.headstone.dynamodb.value.AttributeValue;
import dev.headstone.dynamodb.value.Item;
import dev.headstone.dynamodb.value.ValidationException;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

final class ExpressionPropertiesTest {
    private static final String[] PIECES = {
        "a",
        "b",
        "c",
        "#n",
        ":x",
        ":y",
        ":undefined",
        "status",
        "=",
        "<>",
        "<",
        ">=",
        "(",
        ")",
        "(",
        ")",
        "[0]",
        "[1]",
        ".",
        ",",
        "+",
        "-",
        "AND",
        "OR",
        "NOT",
        "BETWEEN",
        "IN",
        "SET",
        "REMOVE",
        "ADD",
        "DELETE",
        "size(",
        "contains(",
        "attribute_exists(",
        "attribute_type(",
        "begins_with(",
        "list_append(",
        "if_not_exists(",
        "dog(",
        "!",
        "_",
        "7",
        "\u00e9",
        "\uD83D\uDE00",
        "#",
        ":",
        " "
    };

    @Provide
    Arbitrary<Item> items() {
        return AnyValue.item("a", "b", "c", "name");
    }

    @Provide
    Arbitrary<AttributeValue> anyValues() {
        return AnyValue.value();
    }

    @Provide
    Arbitrary<String> soups() {
        Arbitrary<List<String>> pieces = Arbitraries.of(PIECES).list().ofMinSize(1).ofMaxSize(12);
        return Arbitraries.oneOf(
                pieces.map(list -> String.join(" ", list)),
                pieces.map(list -> String.join("", list)),
                Arbitraries.strings().ofMaxLength(20));
    }

    @Provide
    Arbitrary<String> conditions() {
        Arbitrary<String> operand =
                Arbitraries.of(
                        "a", "b", "c", "#n", "a.b", "a[0]", ":x", ":y", "size(a)", "size(#n)");
        Arbitrary<String> simple =
                Arbitraries.oneOf(
                        operand.array(String[].class).ofSize(2).map(o -> o[0] + " = " + o[1]),
                        operand.array(String[].class).ofSize(2).map(o -> o[0] + " <> " + o[1]),
                        operand.array(String[].class).ofSize(2).map(o -> o[0] + " < " + o[1]),
                        operand.array(String[].class)
                                .ofSize(3)
                                .map(o -> o[0] + " IN (" + o[1] + ", " + o[2] + ")"),
                        operand.array(String[].class)
                                .ofSize(3)
                                .map(o -> o[0] + " BETWEEN " + o[1] + " AND " + o[2]),
                        operand.array(String[].class)
                                .ofSize(2)
                                .map(o -> "contains(" + o[0] + ", " + o[1] + ")"),
                        operand.map(o -> "attribute_exists(" + o + ")"));
        return simple.array(String[].class)
                .ofSize(3)
                .map(s -> s[0] + " AND NOT " + s[1] + " OR (" + s[2] + ")");
    }

    @Property(tries = 3000)
    void whateverTheTextItIsReadOrRefusedAsInvalid(
            @ForAll("soups") String soup,
            @ForAll("items") Item item,
            @ForAll("anyValues") AttributeValue x,
            @ForAll("anyValues") AttributeValue y) {
        for (ExpressionKind kind : ExpressionKind.values()) {
            try {
                use(kind, soup, context(x, y), item);
            } catch (ValidationException refusal) {
                assertThat(refusal.getMessage()).isNotBlank();
            }
        }
    }

    private static void use(
            ExpressionKind kind, String text, ExpressionContext context, Item item) {
        switch (kind) {
            case CONDITION, FILTER -> context.condition(kind, text).holds(item);
            case KEY_CONDITION -> context.keyCondition(text);
            case PROJECTION -> context.projection(text).of(item);
            case UPDATE -> context.update(text).apply(item).updatedNew();
        }
    }

    @Property(tries = 2000)
    void twoNegationsCancelOutAndOneTurnsTheOutcome(
            @ForAll("conditions") String condition,
            @ForAll("items") Item item,
            @ForAll("anyValues") AttributeValue x,
            @ForAll("anyValues") AttributeValue y) {
        boolean holds;
        try {
            holds = context(x, y).condition(ExpressionKind.CONDITION, condition).holds(item);
        } catch (ValidationException refused) {
            return; // of operand types no condition could meet
        }

        assertThat(
                        context(x, y)
                                .condition(ExpressionKind.CONDITION, "NOT (" + condition + ")")
                                .holds(item))
                .isEqualTo(!holds);
        assertThat(
                        context(x, y)
                                .condition(ExpressionKind.CONDITION, "NOT NOT (" + condition + ")")
                                .holds(item))
                .isEqualTo(holds);
    }

    @Property(tries = 1000)
    void aValueEqualsItselfAndIsInNoOrderWithAnotherType(
            @ForAll("anyValues") AttributeValue x, @ForAll("anyValues") AttributeValue y) {
        Item item = new Item(Map.of("a", x, "b", y, "c", x));
        ExpressionContext context = context(x, y);

        assertThat(
                        context.condition(ExpressionKind.FILTER, "a = c AND a = :x AND a IN (b, c)")
                                .holds(item))
                .isTrue();
        assertThat(context.condition(ExpressionKind.FILTER, "a < b OR a > b OR a = b").holds(item))
                .isEqualTo(
                        x.equals(y)
                                || (x.type() == y.type()
                                        && List.of("S", "N", "B").contains(x.type().name())));
    }

    @Property(tries = 1000)
    void setThenRemoveLeavesTheItemAsItWas(
            @ForAll("items") Item item, @ForAll("anyValues") AttributeValue x) {
        Item without = item.without("name");
        Item with = context(x, x).update("SET #n = :x").apply(without).item();

        assertThat(with.get("name")).contains(x);
        assertThat(context(x, x).update("REMOVE #n").apply(with).item()).isEqualTo(without);
    }

    private static ExpressionContext context(AttributeValue x, AttributeValue y) {
        return new ExpressionParser().context(Map.of("#n", "name"), Map.of(":x", x, ":y", y));
    }
}
