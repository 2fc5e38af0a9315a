package dev.headstone.dynamodb.expression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.headstone.dynamodb.value.AttributeValue;
import dev.headstone.dynamodb.value.Item;
import dev.headstone.dynamodb.value.SerializationException;
import dev.headstone.dynamodb.value.ValidationException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ExpressionContextTest {
    private final ExpressionParser parser = new ExpressionParser();

    private ExpressionContext context(String names, String values) {
        return parser.context(Given.json(names), Given.json(values));
    }

    @Test
    void namesAndValuesMayBeUsedByDifferentExpressionsOfOneRequest() {
        ExpressionContext context =
                context("{'#a': 'x', '#b': 'y'}", "{':v': {N: '1'}, ':w': {N: '2'}}");
        context.update("SET #a = :v");
        context.condition(ExpressionKind.CONDITION, "#b = :w OR #a = :v");

        assertThatCode(
                        () ->
                                context.requireAllUsed(
                                        ExpressionKind.UPDATE, ExpressionKind.CONDITION))
                .doesNotThrowAnyException();
    }

    @Test
    void unusedNamesAreRefusedBeforeUnusedValues() {
        ExpressionContext context =
                context("{'#a': 'x', '#b': 'y', '#c': 'z'}", "{':v': {N: '1'}, ':w': {N: '2'}}");
        context.update("SET #a = :v");

        assertThatThrownBy(() -> context.requireAllUsed(ExpressionKind.UPDATE))
                .isInstanceOf(ValidationException.class)
                .hasMessage(
                        "Value provided in ExpressionAttributeNames unused in expressions: keys: {#b, #c}");

        context.projection("#b, #c");
        assertThatThrownBy(() -> context.requireAllUsed(ExpressionKind.UPDATE))
                .hasMessage(
                        "Value provided in ExpressionAttributeValues unused in expressions: keys: {:w}");
    }

    @Test
    void namesAndValuesWithoutAnExpressionAreRefused() {
        assertThatThrownBy(
                        () ->
                                context("{'#a': 'x'}", "null")
                                        .requireAllUsed(ExpressionKind.CONDITION))
                .hasMessage(
                        "ExpressionAttributeNames can only be specified when using expressions");
        assertThatThrownBy(
                        () ->
                                context("null", "{':v': {N: '1'}}")
                                        .requireAllUsed(ExpressionKind.CONDITION))
                .hasMessage(
                        "ExpressionAttributeValues can only be specified when using expressions: ConditionExpression is null");

        ExpressionContext projected = context("{'#a': 'x'}", "{':v': {N: '1'}}");
        projected.projection("#a");
        assertThatThrownBy(
                        () ->
                                projected.requireAllUsed(
                                        ExpressionKind.FILTER,
                                        ExpressionKind.KEY_CONDITION,
                                        ExpressionKind.PROJECTION))
                .hasMessage(
                        "ExpressionAttributeValues can only be specified when using expressions: FilterExpression and KeyConditionExpression are null");
    }

    @Test
    void nothingGivenNeedsNothingUsed() {
        ExpressionContext nothing =
                parser.context(Given.json("{}").path("absent"), Given.json("null"));
        assertThatCode(() -> nothing.requireAllUsed(ExpressionKind.CONDITION))
                .doesNotThrowAnyException();

        assertThatCode(
                        () ->
                                parser.context(Map.of(), Map.of())
                                        .requireAllUsed(ExpressionKind.CONDITION))
                .doesNotThrowAnyException();
    }

    @ParameterizedTest(name = "{0} {1}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    {}               | null | ExpressionAttributeNames must not be empty
                    null             | {}   | ExpressionAttributeValues must not be empty
                    {'a': 'x'}       | null | ExpressionAttributeNames contains invalid key: Syntax error; key: "a"
                    {'#': 'x'}       | null | ExpressionAttributeNames contains invalid key: Syntax error; key: "#"
                    {'#a-b': 'x'}    | null | ExpressionAttributeNames contains invalid key: Syntax error; key: "#a-b"
                    {'#a': ''}       | null | ExpressionAttributeNames contains invalid value: Empty attribute name for key #a
                    null | {'v': {N: '1'}}    | ExpressionAttributeValues contains invalid key: Syntax error; key: "v"
                    null | {':': {N: '1'}}    | ExpressionAttributeValues contains invalid key: Syntax error; key: ":"
                    null | {':v': {}}         | ExpressionAttributeValues contains invalid value: Supplied AttributeValue is empty, must contain exactly one of the supported datatypes for key :v
                    null | {':v': {N: 'dog'}} | ExpressionAttributeValues contains invalid value: The parameter cannot be converted to a numeric value: dog for key :v
                    """)
    void isRefused(String names, String values, String why) {
        assertThatThrownBy(() -> context(names, values))
                .isInstanceOf(ValidationException.class)
                .hasMessage(why);
    }

    @Test
    void jsonOfAnotherShapeIsRefused() {
        assertThatThrownBy(() -> context("{'#a': 5}", "null"))
                .isInstanceOf(SerializationException.class)
                .hasMessage("NUMBER_VALUE cannot be converted to String");
        assertThatThrownBy(() -> context("[]", "null"))
                .isInstanceOf(SerializationException.class)
                .hasMessage("Unexpected field type");
    }

    @Test
    void aPlaceholderHasAtMost255Bytes() {
        String longest = "a".repeat(254);

        assertThatCode(
                        () ->
                                parser.context(
                                        Map.of("#" + longest, "x"),
                                        Map.of(":" + longest, AttributeValue.N.of(1))))
                .doesNotThrowAnyException();
        assertThatThrownBy(() -> parser.context(Map.of("#-" + longest, "x"), Map.of()))
                .hasMessage(
                        "ExpressionAttributeNames contains invalid key: The expression attribute map contains a key that is too long; size of key: 256");
        assertThatThrownBy(
                        () ->
                                parser.context(
                                        Map.of(), Map.of(":a" + longest, AttributeValue.N.of(1))))
                .hasMessage(
                        "ExpressionAttributeValues contains invalid key: The expression attribute map contains a key that is too long;");
    }

    @Test
    void anAttributesNameHasLessThan64Kilobytes() {
        assertThatCode(() -> parser.context(Map.of("#a", "x".repeat(65535)), Map.of()))
                .doesNotThrowAnyException();
        assertThatThrownBy(() -> parser.context(Map.of("#a", "x".repeat(65536)), Map.of()))
                .hasMessageContaining("must be less than 65536 bytes");
    }

    @Test
    void namesAndValuesTogetherHaveAtMostTwoMegabytes() {
        int limit = 2 * 1024 * 1024;

        assertThatCode(
                        () ->
                                parser.context(
                                        Map.of("#a", "x"),
                                        Map.of(":v", new AttributeValue.S("y".repeat(limit - 5)))))
                .doesNotThrowAnyException();
        assertThatThrownBy(
                        () ->
                                parser.context(
                                        Map.of("#a", "x"),
                                        Map.of(":v", new AttributeValue.S("y".repeat(limit - 4)))))
                .isInstanceOf(ValidationException.class)
                .hasMessage(
                        "Combined size of ExpressionAttributeNames and ExpressionAttributeValues exceeds max size");
    }

    @Test
    void whatIsRememberedHoldsNothingOfAnEarlierRequest() {
        Item item = Given.item("{x: {N: '1'}, y: {N: '2'}}");

        assertThat(
                        context("{'#a': 'x'}", "{':v': {N: '1'}}")
                                .condition(ExpressionKind.FILTER, "#a = :v")
                                .holds(item))
                .isTrue();
        assertThat(
                        context("{'#a': 'y'}", "{':v': {N: '1'}}")
                                .condition(ExpressionKind.FILTER, "#a = :v")
                                .holds(item))
                .isFalse();
        assertThatThrownBy(
                        () ->
                                parser.context(Map.of(), Map.of())
                                        .condition(ExpressionKind.CONDITION, "#a = :v"))
                .hasMessageStartingWith(
                        "Invalid ConditionExpression: An expression attribute name");
    }

    @Test
    void moreExpressionsThanAreRememberedAreReadAllTheSame() {
        ExpressionContext context = parser.context(Map.of(), Map.of());
        for (int i = 0; i < 2000; i++) {
            assertThat(
                            context.condition(
                                            ExpressionKind.FILTER,
                                            "attribute_not_exists(a" + i + ")")
                                    .holds(Item.EMPTY))
                    .isTrue();
        }
    }

    @Test
    void theDocumentedWordsAreReserved() {
        assertThat(ReservedWords.all()).hasSize(573).contains("ABORT", "STATUS", "TTL", "ZONE");
        assertThat(ReservedWords.contain("InItIaLlY")).isTrue();
        assertThat(ReservedWords.contain("pk")).isFalse();
    }
}
