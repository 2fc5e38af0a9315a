package dev.headstone.dynamodb.expression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.headstone.dynamodb.expression.KeyConditionExpression.KeyAttribute;
import dev.headstone.dynamodb.value.AttributeType;
import dev.headstone.dynamodb.value.AttributeValue;
import dev.headstone.dynamodb.value.ValidationException;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class KeyConditionExpressionTest {
    private static final KeyAttribute HASH = new KeyAttribute("pk", AttributeType.S);
    private static final KeyAttribute SORT = new KeyAttribute("sk", AttributeType.N);
    private static final String VALUES =
            """
            {':p': {S: 'p'}, ':1': {N: '1'}, ':2': {N: '2'}, ':s': {S: 's'}, ':t': {BOOL: true}, ':e': {S: ''}, ':b': {B: ''}}
            """;
    private static final AttributeValue ONE = AttributeValue.N.of(1);
    private static final AttributeValue TWO = AttributeValue.N.of(2);

    private static QueriedKeys on(String condition) {
        return Given.values(VALUES).keyCondition(condition).on(HASH, Optional.of(SORT));
    }

    @Test
    void aPartitionIsReadWhole() {
        assertThat(on("pk = :p"))
                .isEqualTo(new QueriedKeys(new AttributeValue.S("p"), Optional.empty()));
        assertThat(Given.values(VALUES).keyCondition("(:p = pk)").on(HASH, Optional.empty()))
                .isEqualTo(new QueriedKeys(new AttributeValue.S("p"), Optional.empty()));
    }

    @Test
    void aSortKeyTakesOneConditionInEitherOrder() {
        assertThat(on("pk = :p AND sk = :1").sort()).contains(new SortCondition.Equal(ONE));
        assertThat(on("sk < :1 AND pk = :p").sort()).contains(new SortCondition.Less(ONE));
        assertThat(on("((sk <= :1) and (pk = :p))").sort())
                .contains(new SortCondition.LessOrEqual(ONE));
        assertThat(on("pk = :p AND sk > :1").sort()).contains(new SortCondition.Greater(ONE));
        assertThat(on("pk = :p AND (sk >= :1)").sort())
                .contains(new SortCondition.GreaterOrEqual(ONE));
        assertThat(on("pk = :p AND :1 < sk").sort()).contains(new SortCondition.Greater(ONE));
        assertThat(on("pk = :p AND :1 >= sk").sort()).contains(new SortCondition.LessOrEqual(ONE));
        assertThat(on("pk = :p AND sk BETWEEN :1 AND :2").sort())
                .contains(new SortCondition.Between(ONE, TWO));
        assertThat(
                        Given.values(VALUES)
                                .keyCondition("pk = :p AND begins_with(sk, :s)")
                                .on(HASH, Optional.of(new KeyAttribute("sk", AttributeType.S)))
                                .sort())
                .contains(new SortCondition.BeginsWith(new AttributeValue.S("s")));
    }

    @Test
    void sortConditionsHoldOfTheKeysTheySelect() {
        assertThat(new SortCondition.Equal(ONE).holds(ONE)).isTrue();
        assertThat(new SortCondition.Less(TWO).holds(ONE)).isTrue();
        assertThat(new SortCondition.Less(ONE).holds(ONE)).isFalse();
        assertThat(new SortCondition.LessOrEqual(ONE).holds(ONE)).isTrue();
        assertThat(new SortCondition.Greater(ONE).holds(TWO)).isTrue();
        assertThat(new SortCondition.Greater(ONE).holds(ONE)).isFalse();
        assertThat(new SortCondition.GreaterOrEqual(TWO).holds(ONE)).isFalse();
        assertThat(new SortCondition.Between(ONE, TWO).holds(TWO)).isTrue();
        assertThat(
                        new SortCondition.BeginsWith(new AttributeValue.S("s"))
                                .holds(new AttributeValue.S("so")))
                .isTrue();
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    sk = :1                     | Query condition missed key schema element: pk
                    extra = :s                  | Query condition missed key schema element: pk
                    pk = :p AND extra = :s      | Query condition missed key schema element: sk
                    pk < :p                     | Query key condition not supported
                    begins_with(pk, :p)         | Query key condition not supported
                    pk = :p AND sk = :1 AND a = :2 | The number of query conditions (3) exceeds the number of key attributes defined in the schema (2)
                    pk = :1                     | One or more parameter values were invalid: Condition parameter type does not match schema type
                    pk = :p AND sk = :s         | One or more parameter values were invalid: Condition parameter type does not match schema type
                    pk = :p AND sk = :t         | One or more parameter values were invalid: Condition parameter type does not match schema type
                    pk = :p AND begins_with(sk, :s) | One or more parameter values were invalid: Condition parameter type does not match schema type
                    pk = :e                     | One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: pk
                    pk = :p AND sk < :t         | Invalid KeyConditionExpression: Incorrect operand type for operator or function; operator or function: <, operand type: BOOL
                    pk = :p AND begins_with(sk, :1) | Invalid KeyConditionExpression: Incorrect operand type for operator or function; operator or function: begins_with, operand type: N
                    pk = :p AND pk = :p         | Invalid KeyConditionExpression: KeyConditionExpressions must only contain one condition per key
                    pk = :p AND sk > :1 AND sk < :2 | Invalid KeyConditionExpression: KeyConditionExpressions must only contain one condition per key
                    pk = :p OR sk = :1          | Invalid KeyConditionExpression: Invalid operator used in KeyConditionExpression: OR
                    NOT pk = :p                 | Invalid KeyConditionExpression: Invalid operator used in KeyConditionExpression: NOT
                    pk = :p AND sk <> :1        | Invalid KeyConditionExpression: Invalid operator used in KeyConditionExpression: <>
                    pk = :p AND sk IN (:1)      | Invalid KeyConditionExpression: Invalid operator used in KeyConditionExpression: IN
                    attribute_exists(pk)        | Invalid KeyConditionExpression: Invalid operator used in KeyConditionExpression: attribute_exists
                    attribute_not_exists(pk)    | Invalid KeyConditionExpression: Invalid operator used in KeyConditionExpression: attribute_not_exists
                    attribute_type(pk, :sType)  | Invalid KeyConditionExpression: An expression attribute value used in expression is not defined; attribute value: :sType
                    contains(pk, :p)            | Invalid KeyConditionExpression: Invalid operator used in KeyConditionExpression: contains
                    size(pk) = :1               | Invalid KeyConditionExpression: KeyConditionExpressions cannot contain nested operations
                    pk = sk                     | Invalid KeyConditionExpression: Invalid condition in KeyConditionExpression: Multiple attribute names used in one condition
                    :p = :s                     | Invalid KeyConditionExpression: Invalid condition in KeyConditionExpression: No key attribute specified
                    :1 BETWEEN sk AND :2        | Invalid KeyConditionExpression: Invalid condition in KeyConditionExpression: BETWEEN operator must have the key attribute as its first operand
                    begins_with(:p, pk)         | Invalid KeyConditionExpression: Invalid condition in KeyConditionExpression: begins_with operator must have the key attribute as its first operand
                    pk = :p AND sk.a = :1       | Invalid KeyConditionExpression: KeyConditionExpressions cannot have conditions on nested attributes
                    pk = :p AND ((sk = :1))     | Invalid KeyConditionExpression: The expression has redundant parentheses;
                    pk                          | Invalid KeyConditionExpression: Syntax error; token: "<EOF>", near: "pk"
                    ``                          | Invalid KeyConditionExpression: The expression can not be empty;
                    """)
    void isRefused(String condition, String why) {
        assertThatThrownBy(() -> on(condition))
                .isInstanceOf(ValidationException.class)
                .hasMessage(why);
    }

    @Test
    void aKeyWithoutSortKeyTakesOneCondition() {
        assertThatThrownBy(
                        () ->
                                Given.values(VALUES)
                                        .keyCondition("pk = :p AND sk = :1")
                                        .on(HASH, Optional.empty()))
                .hasMessage(
                        "The number of query conditions (2) exceeds the number of key attributes defined in the schema (1)");
    }

    @Test
    void emptyBinaryIsNoKeyEither() {
        assertThatThrownBy(
                        () ->
                                Given.values(VALUES)
                                        .keyCondition("pk = :b")
                                        .on(
                                                new KeyAttribute("pk", AttributeType.B),
                                                Optional.empty()))
                .hasMessage(
                        "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty binary value. Key: pk");
    }

    @Test
    void theAttributesWithAConditionAreKnown() {
        assertThat(Given.values(VALUES).keyCondition("sk = :1 AND pk = :p").attributes())
                .containsExactly("sk", "pk");
    }
}
