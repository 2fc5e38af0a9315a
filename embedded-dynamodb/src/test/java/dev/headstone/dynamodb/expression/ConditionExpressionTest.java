package dev.headstone.dynamodb.expression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.headstone.dynamodb.value.AttributeValue;
import dev.headstone.dynamodb.value.Item;
import dev.headstone.dynamodb.value.ValidationException;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ConditionExpressionTest {
    private static final Item ITEM =
            Given.item(
                    """
                    {name: {S: 'x'}, one: {N: '1'}, uno: {N: '1.0'}, two: {N: '2'}, cat: {S: 'cat'}, dog: {S: 'dog'},
                     bin: {B: 'AQID'}, high: {B: '/w=='}, yes: {BOOL: true}, nil: {NULL: true},
                     tags: {SS: ['b', 'a']}, nums: {NS: ['1', '5']}, blobs: {BS: ['AQ==']},
                     seq: {L: [{N: '1'}, {S: 'x'}, {L: [{N: '3'}]}]}, doc: {M: {box: {M: {deep: {N: '7'}}}, arr: {L: [{N: '4'}]}}}}
                    """);

    private static final String VALUES =
            """
            {':one': {N: '1'}, ':two': {N: '2'}, ':three': {N: '3'}, ':cat': {S: 'cat'}, ':ca': {S: 'ca'}, ':at': {S: 'at'}, ':zebra': {S: 'zebra'},
             ':b12': {B: 'AQI='}, ':b23': {B: 'AgM='}, ':low': {B: 'fw=='}, ':yes': {BOOL: true}, ':list': {L: [{N: '3'}]},
             ':tags': {SS: ['a', 'b']}, ':a': {S: 'a'}, ':five': {N: '5'}, ':b1': {B: 'AQ=='}, ':n': {S: 'N'}, ':ss': {S: 'SS'}, ':x': {S: 'x'}, ':nil': {NULL: true}}
            """;

    private static boolean holds(String condition) {
        return Given.values(VALUES).condition(ExpressionKind.CONDITION, condition).holds(ITEM);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "one = :one",
                "one = uno",
                "one <> two",
                "one < two",
                "two > :one",
                "one <= uno",
                "one >= :one",
                ":one < two",
                "cat < dog",
                "cat <= :cat",
                "bin > :b12",
                "high > :low",
                "tags = :tags",
                "yes = :yes",
                "nil = :nil",
                "one <> :cat",
                "lost <> :one",
                "lost <> absent",
                "seq[2] = :list",
                "one BETWEEN :one AND :two",
                "cat between :ca and :zebra",
                "two BETWEEN one AND two",
                "bin BETWEEN :b12 AND high",
                "one IN (:cat, :one)",
                "cat IN (dog, cat)",
                "seq IN (:one, seq)",
                "attribute_exists(one)",
                "attribute_exists(nil)",
                "attribute_exists(doc.box.deep)",
                "attribute_exists (seq[0])",
                "attribute_not_exists(lost)",
                "attribute_not_exists(doc.box.none2)",
                "attribute_not_exists(seq[3])",
                "attribute_not_exists(one.two)",
                "attribute_not_exists(doc[0])",
                "attribute_type(one, :n)",
                "attribute_type(tags, :ss)",
                "attribute_type(:one, :n)",
                "NOT attribute_type(cat, :n)",
                "NOT attribute_type(lost, :n)",
                "begins_with(cat, :ca)",
                "begins_with(bin, :b12)",
                "begins_with(:cat, cat)",
                "NOT begins_with(cat, :at)",
                "NOT begins_with(one, :ca)",
                "NOT begins_with(bin, :b23)",
                "contains(cat, :at)",
                "contains(bin, :b23)",
                "contains(tags, :a)",
                "contains(nums, :five)",
                "contains(blobs, :b1)",
                "contains(seq, :one)",
                "contains(seq, :list)",
                "NOT contains(tags, :cat)",
                "NOT contains(cat, :one)",
                "NOT contains(doc, :one)",
                "NOT contains(nums, :a)",
                "NOT contains(lost, :a)",
                "size(cat) = :three",
                "size(bin) = :three",
                "size(tags) = :two",
                "size(nums) > :one",
                "size(blobs) = one",
                "size(seq) = :three",
                "size(doc) = two",
                "NOT size(one) = :one",
                "NOT size(lost) < :five",
                "size(lost) <> :one",
                "doc.box.deep > doc.arr[0]",
                "#n = :x",
                "(one = :one)",
                "(one) = (:one)",
                "(size(cat)) = :three",
                "(attribute_exists(one))",
                "one = :one AND two = :two",
                "one = :two OR two = :two",
                "one = :one OR one = :one AND one = :two",
                "NOT one = :two AND two = :two",
                "NOT (one = :one AND two = :one)",
                "not not one = :one",
                "NOT NOT NOT one = :two",
                "one BETWEEN :one AND :two AND two = :two",
                "((one = :one) OR (one = :two)) AND two = :two",
                "one=:one\tAND\ntwo\r=:two"
            })
    void holdsOfTheItem(String condition) {
        assertThat(holds(condition)).as(condition).isTrue();
        assertThat(holds("NOT (" + condition + " OR one = :two)")).as("NOT " + condition).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "one = :two",
                "one = :cat",
                "lost = absent",
                "lost = :one",
                "lost < :one",
                ":one < lost",
                "lost >= absent",
                "one < cat",
                "one > cat",
                "seq < two",
                "yes < two",
                "tags = nums",
                "lost BETWEEN :one AND :two",
                "cat BETWEEN one AND two",
                "two BETWEEN two AND one",
                "lost IN (:one)",
                "one IN (:two, :cat)",
                "(one = :one OR two = :one) AND two = :one",
                "attribute_exists(doc.box.deep.er)"
            })
    void doesNotHoldOfTheItem(String condition) {
        assertThat(holds(condition)).as(condition).isFalse();
    }

    @Test
    void stringsOrderByCodePointAndAreMeasuredInBytes() {
        ExpressionContext context = Given.values("{':bmp': {S: '\uFFFD'}, ':four': {N: '4'}}");
        Item item = Given.item("{s: {S: '\uD83D\uDE00'}}");

        assertThat(
                        context.condition(ExpressionKind.FILTER, "s > :bmp AND size(s) = :four")
                                .holds(item))
                .isTrue();
    }

    @Test
    void everyPathItLooksAtIsKnown() {
        assertThat(
                        Given.values(VALUES)
                                .condition(
                                        ExpressionKind.FILTER,
                                        "a = :one AND (size(#n.b) > c[1] OR attribute_exists(a))")
                                .paths())
                .extracting(DocumentPath::toString)
                .containsExactlyInAnyOrder("[a]", "[name, b]", "[c, [1]]");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    a                       | Syntax error; token: "<EOF>", near: "a"
                    :one                    | Syntax error; token: "<EOF>", near: ":one"
                    (a)                     | Syntax error; token: "<EOF>", near: ")"
                    attribute_not_exists(   | Syntax error; token: "<EOF>", near: "("
                    a = = :one              | Syntax error; token: "=", near: "= = :one"
                    a != :one               | Syntax error; token: "!", near: "a !="
                    a = :one b              | Syntax error; token: "b", near: ":one b"
                    a IN ()                 | Syntax error; token: ")", near: "()"
                    a IN :one               | Syntax error; token: ":one", near: "IN :one"
                    a BETWEEN :one OR :two  | Syntax error; token: "OR", near: ":one OR :two"
                    _a = :one               | Syntax error; token: "_", near: "_a"
                    1a = :one               | Syntax error; token: "1", near: "1a"
                    # = :one                | Syntax error; token: "#", near: "# ="
                    a AND b                 | Syntax error; token: "AND", near: "a AND b"
                    (a AND b) = :one        | Syntax error; token: "AND", near: "a AND b"
                    (a = b) = :one          | Syntax error; token: "=", near: ") = :one"
                    and = :one              | Syntax error; token: "and", near: "and ="
                    a. = :one               | Syntax error; token: "=", near: ". = :one"
                    a[:one] = :one          | Syntax error; token: ":one", near: "[:one]"
                    a = :one + :two         | Syntax error; token: "+", near: ":one + :two"
                    a = :one )              | Syntax error; token: ")", near: ":one )"
                    NOT                     | Syntax error; token: "<EOF>", near: "NOT"
                    a\uD83D\uDE00 = :one    | Syntax error; token: "\uD83D\uDE00", near: "a\uD83D\uDE00 ="
                    ((a = :one))            | The expression has redundant parentheses;
                    ((a)) = :one            | The expression has redundant parentheses;
                    a = :one AND ((b = :two)) | The expression has redundant parentheses;
                    dog(a)                  | Invalid function name; function: dog
                    dog(a) = :one           | Invalid function name; function: dog
                    SIZE(a) = :one          | Invalid function name; function: SIZE
                    size(a)                 | The function is not allowed to be used this way in an expression; function: size
                    NOT size(a)             | The function is not allowed to be used this way in an expression; function: size
                    a = :one AND size(a)    | The function is not allowed to be used this way in an expression; function: size
                    attribute_exists(a) < :one | The function is not allowed to be used this way in an expression; function: attribute_exists
                    contains(contains(a, b), c) | The function is not allowed to be used this way in an expression; function: contains
                    a IN (contains(a, b))   | The function is not allowed to be used this way in an expression; function: contains
                    if_not_exists(a, a) = :one | The function is not allowed in a condition expression; function: if_not_exists
                    status = :one           | Attribute name is a reserved keyword; reserved keyword: status
                    a.Status = :one         | Attribute name is a reserved keyword; reserved keyword: Status
                    size = :one             | Attribute name is a reserved keyword; reserved keyword: size
                    #m = :one               | An expression attribute name used in the document path is not defined; attribute name: #m
                    a.#m = :one             | An expression attribute name used in the document path is not defined; attribute name: #m
                    a = :undefined          | An expression attribute value used in expression is not defined; attribute value: :undefined
                    size(a, b) = :one       | Incorrect number of operands for operator or function; operator or function: size, number of operands: 2
                    contains(a)             | Incorrect number of operands for operator or function; operator or function: contains, number of operands: 1
                    attribute_exists(:one)  | Operator or function requires a document path; operator or function: attribute_exists
                    attribute_not_exists(size(a)) | Operator or function requires a document path; operator or function: attribute_not_exists
                    begins_with(a, :one)    | Incorrect operand type for operator or function; operator or function: begins_with, operand type: N
                    begins_with(:one, a)    | Incorrect operand type for operator or function; operator or function: begins_with, operand type: N
                    begins_with(a, size(b)) | Incorrect operand type for operator or function; operator or function: begins_with, operand type: N
                    attribute_type(a, b)    | Incorrect operand type for operator or function; operator or function: attribute_type, operand type: {NS,SS,L,BS,N,M,B,BOOL,NULL,S}
                    attribute_type(a, :one) | Incorrect operand type for operator or function; operator or function: attribute_type, operand type: N
                    attribute_type(a, :cat) | Invalid attribute type name found; type: cat, valid types: {B,NULL,SS,BOOL,L,BS,N,NS,S,M}
                    size(:one) = :one       | Incorrect operand type for operator or function; operator or function: size, operand type: N
                    size(size(a)) = :one    | Incorrect operand type for operator or function; operator or function: size, operand type: N
                    a < :list               | Incorrect operand type for operator or function; operator or function: <, operand type: L
                    :yes >= a               | Incorrect operand type for operator or function; operator or function: >=, operand type: BOOL
                    a BETWEEN :list AND :list | Incorrect operand type for operator or function; operator or function: BETWEEN, operand type: L
                    a BETWEEN :two AND :one | The BETWEEN operator requires upper bound to be greater than or equal to lower bound; lower bound operand: AttributeValue: {N:2}, upper bound operand: AttributeValue: {N:1}
                    a BETWEEN :two AND :cat | The BETWEEN operator requires same data type for lower and upper bounds; lower bound operand: AttributeValue: {N:2}, upper bound operand: AttributeValue: {S:cat}
                    contains(a, a)          | The first operand must be distinct from the remaining operands for this operator or function; operator: contains, first operand: [a]
                    #n = #n                 | The first operand must be distinct from the remaining operands for this operator or function; operator: =, first operand: [name]
                    a.b[0] < a.b[0]         | The first operand must be distinct from the remaining operands for this operator or function; operator: <, first operand: [a, b, [0]]
                    a[2147483648] = :one    | List index is not within the allowable range; index: [2147483648]
                    a[99999999999] = :one   | List index is not within the allowable range; index: [99999999999]
                    """)
    void isRefused(String condition, String why) {
        assertThatThrownBy(() -> holds(condition))
                .isInstanceOf(ValidationException.class)
                .hasMessage("Invalid ConditionExpression: " + why);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    ((dog(status) = :undefined)) | The expression has redundant parentheses;
                    dog(status) = :undefined     | Invalid function name; function: dog
                    size(status)                 | The function is not allowed to be used this way in an expression; function: size
                    status = :undefined          | Attribute name is a reserved keyword; reserved keyword: status
                    size(a, b) = :undefined      | An expression attribute value used in expression is not defined; attribute value: :undefined
                    size(a, b) < :list           | Incorrect number of operands for operator or function; operator or function: size, number of operands: 2
                    """)
    void ofSeveralFaultsTheServicesFirstIsReported(String condition, String why) {
        assertThatThrownBy(() -> holds(condition))
                .hasMessage("Invalid ConditionExpression: " + why);
    }

    @Test
    void anErrorNamesTheParameter() {
        assertThatThrownBy(() -> Given.values(VALUES).condition(ExpressionKind.FILTER, ""))
                .isInstanceOf(ValidationException.class)
                .hasMessage("Invalid FilterExpression: The expression can not be empty;");
    }

    @Test
    void fourKilobytesAreReadAndNotAByteMore() {
        String longest = "one" + " ".repeat(4096 - "one = :one".length()) + " = :one";

        assertThat(longest).hasSize(4096);
        assertThat(holds(longest)).isTrue();
        assertThatThrownBy(() -> holds(longest + " "))
                .hasMessage(
                        "Invalid ConditionExpression: Expression size has exceeded the maximum allowed size; expression size: 4097");
    }

    @Test
    void threeHundredOperatorsAreReadAndNotOneMore() {
        String operators299 = "one<two " + "OR (one<two ".repeat(149) + ")".repeat(149);

        assertThat(holds(operators299)).isTrue();
        assertThat(holds("NOT " + operators299)).isTrue();
        assertThatThrownBy(() -> holds("NOT NOT " + operators299))
                .hasMessage(
                        "Invalid ConditionExpression: The expression contains too many operators; operator count: 301");
        assertThatThrownBy(() -> holds("NOT ".repeat(1000) + "one < two"))
                .hasMessage(
                        "Invalid ConditionExpression: The expression contains too many operators; operator count: 301");
    }

    @Test
    void aHundredCandidatesAreReadAndNotOneMore() {
        Map<String, AttributeValue> values = new HashMap<>();
        IntStream.rangeClosed(0, 100)
                .forEach(i -> values.put(":v" + i, AttributeValue.N.of(100 - i)));
        ExpressionContext context = new ExpressionParser().context(Map.of(), values);

        assertThat(context.condition(ExpressionKind.CONDITION, candidates(100)).holds(ITEM))
                .isTrue();
        assertThatThrownBy(() -> context.condition(ExpressionKind.CONDITION, candidates(101)))
                .hasMessage(
                        "Invalid ConditionExpression: The IN operator is provided with too many operands; number of operands: 101");
    }

    private static String candidates(int number) {
        return IntStream.range(0, number)
                .mapToObj(i -> ":v" + i)
                .collect(Collectors.joining(",", "one IN (", ")"));
    }

    @Test
    void aPathIsAtMostAsDeepAsAValue() {
        assertThat(holds("attribute_exists(a" + ".b".repeat(31) + ")")).isFalse();
        assertThatThrownBy(() -> holds("attribute_exists(a" + ".b".repeat(32) + ")"))
                .hasMessage(
                        "Invalid ConditionExpression: The document path has too many nesting elements; nesting levels: 33");
    }

    @Test
    void theDeepestExpressionIsRefusedWithoutExhaustingTheStack() {
        assertThatThrownBy(() -> holds("(".repeat(2046) + "a<b" + ")".repeat(2046)))
                .hasMessage(
                        "Invalid ConditionExpression: The expression has redundant parentheses;");
        assertThatThrownBy(() -> holds("(".repeat(4096))).isInstanceOf(ValidationException.class);
        assertThatThrownBy(() -> holds("a < " + "size(".repeat(680) + "b" + ")".repeat(680)))
                .isInstanceOf(ValidationException.class);
    }
}
