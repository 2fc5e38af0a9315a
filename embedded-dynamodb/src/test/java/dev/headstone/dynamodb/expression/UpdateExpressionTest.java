package dev.headstone.dynamodb.expression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.headstone.dynamodb.value.Item;
import dev.headstone.dynamodb.value.ValidationException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class UpdateExpressionTest {
    private static final Item ITEM =
            Given.item(
                    """
                    {pk: {S: 'p'}, n: {N: '1'}, s: {S: 'x'}, l: {L: [{N: '0'}, {N: '1'}, {N: '2'}]}, m: {M: {x: {N: '1'}, deep: {M: {}}}},
                     ss: {SS: ['a', 'b']}, ns: {NS: ['1', '2']}, bs: {BS: ['AQ==', 'Ag==']}, one: {SS: ['z']}}
                    """);

    private static final String VALUES =
            """
            {':v': {S: 'v'}, ':one': {N: '1'}, ':ten': {N: '10'}, ':list': {L: [{N: '9'}]}, ':empty': {L: []}, ':ab': {SS: ['a', 'b']}, ':bc': {SS: ['b', 'c']},
             ':z': {SS: ['z']}, ':nums': {NS: ['2', '3']}, ':bytes': {BS: ['Ag==', 'Aw==']}, ':map': {M: {}}, ':b': {B: 'AQ=='}, ':nil': {NULL: true}, ':yes': {BOOL: true},
             ':huge': {N: '9e125'}, ':wide': {N: '1e50'}}
            """;

    private static Updated apply(String update) {
        return Given.values(VALUES).update(update).apply(ITEM);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    SET a = :v                          | {a: {S: 'v'}}
                    set #n = :v                         | {name: {S: 'v'}}
                    SET n = n + :ten                    | {n: {N: '11'}}
                    SET n = :one - :ten                 | {n: {N: '-9'}}
                    SET a = n, n = :ten                 | {a: {N: '1'}, n: {N: '10'}}
                    SET a = (n + :ten)                  | {a: {N: '11'}}
                    SET a = (n) + (:ten)                | {a: {N: '11'}}
                    SET n = if_not_exists(n, :ten)      | {n: {N: '1'}}
                    SET a = if_not_exists(b, :ten)      | {a: {N: '10'}}
                    SET a = if_not_exists(b, if_not_exists(c, n)) | {a: {N: '1'}}
                    SET a = if_not_exists(b, :ten) + :one | {a: {N: '11'}}
                    SET l = list_append(l, :list)       | {l: {L: [{N: '0'}, {N: '1'}, {N: '2'}, {N: '9'}]}}
                    SET l = list_append(:list, l)       | {l: {L: [{N: '9'}, {N: '0'}, {N: '1'}, {N: '2'}]}}
                    SET a = list_append(if_not_exists(a, :empty), :list) | {a: {L: [{N: '9'}]}}
                    SET m.x = :v, m.y = :one            | {m: {M: {x: {S: 'v'}, y: {N: '1'}, deep: {M: {}}}}}
                    SET m.deep.z = m.x                  | {m: {M: {x: {N: '1'}, deep: {M: {z: {N: '1'}}}}}}
                    SET l[1] = :v                       | {l: {L: [{N: '0'}, {S: 'v'}, {N: '2'}]}}
                    SET l[9] = :v, l[5] = :one, l[0] = :ten | {l: {L: [{N: '10'}, {N: '1'}, {N: '2'}, {N: '1'}, {S: 'v'}]}}
                    SET l[5] = :v ADD l[3] :one         | {l: {L: [{N: '0'}, {N: '1'}, {N: '2'}, {N: '1'}, {S: 'v'}]}}
                    REMOVE s                            | {s: null}
                    REMOVE nothing, m.nothing, l[9]     | {}
                    REMOVE m.x                          | {m: {M: {deep: {M: {}}}}}
                    REMOVE l[0], l[2]                   | {l: {L: [{N: '1'}]}}
                    REMOVE l[1] SET l[2] = :v           | {l: {L: [{N: '0'}, {S: 'v'}]}}
                    SET l[0] = :v REMOVE l[2], l[1]     | {l: {L: [{S: 'v'}]}}
                    REMOVE s SET a = s                  | {s: null, a: {S: 'x'}}
                    ADD n :ten                          | {n: {N: '11'}}
                    ADD a :ten                          | {a: {N: '10'}}
                    ADD m.x :ten, m.y :one              | {m: {M: {x: {N: '11'}, y: {N: '1'}, deep: {M: {}}}}}
                    ADD ss :bc, ns :nums, bs :bytes     | {ss: {SS: ['a', 'b', 'c']}, ns: {NS: ['1', '2', '3']}, bs: {BS: ['AQ==', 'Ag==', 'Aw==']}}
                    ADD a :ab                           | {a: {SS: ['a', 'b']}}
                    DELETE ss :bc, ns :nums, bs :bytes  | {ss: {SS: ['a']}, ns: {NS: ['1']}, bs: {BS: ['AQ==']}}
                    DELETE ss :z                        | {}
                    DELETE ss :ab, one :z               | {ss: null, one: null}
                    DELETE a :ab                        | {}
                    SET a = :v REMOVE s ADD n :one DELETE one :z | {a: {S: 'v'}, s: null, n: {N: '2'}, one: null}
                    """)
    void changesTheItem(String update, String changed) {
        Item expected = ITEM;
        for (var attribute : Given.json(changed).properties()) {
            expected =
                    attribute.getValue().isNull()
                            ? expected.without(attribute.getKey())
                            : expected.with(
                                    attribute.getKey(),
                                    dev.headstone.dynamodb.value.ItemJson.decode(
                                            attribute.getValue()));
        }

        assertThat(apply(update).item()).isEqualTo(expected);
    }

    @Test
    void nestedElementsAreRemovedBeforeTheListsThatHoldThemCloseUp() {
        Item nested =
                Given.item(
                        "{l: {L: [{L: [{N: '1'}]}, {L: [{N: '2'}, {N: '3'}]}, {M: {x: {N: '4'}}}]}}");

        assertThat(Given.values(VALUES).update("REMOVE l[0], l[1][0], l[2].x").apply(nested).item())
                .isEqualTo(Given.item("{l: {L: [{L: [{N: '3'}]}, {M: {}}]}}"));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    SET a = lost             | The provided expression refers to an attribute that does not exist in the item
                    SET a = :v, b = a           | The provided expression refers to an attribute that does not exist in the item
                    SET a = a + :one            | The provided expression refers to an attribute that does not exist in the item
                    SET a = list_append(a, :list) | The provided expression refers to an attribute that does not exist in the item
                    SET a = s + :one            | An operand in the update expression has an incorrect data type
                    SET a = list_append(s, :list) | An operand in the update expression has an incorrect data type
                    ADD s :one                  | An operand in the update expression has an incorrect data type
                    ADD ss :nums                | An operand in the update expression has an incorrect data type
                    ADD l :ab                   | An operand in the update expression has an incorrect data type
                    DELETE ss :nums             | An operand in the update expression has an incorrect data type
                    DELETE n :ab                | An operand in the update expression has an incorrect data type
                    SET lost.a = :v          | The document path provided in the update expression is invalid for update
                    SET s.a = :v                | The document path provided in the update expression is invalid for update
                    SET l.a = :v                | The document path provided in the update expression is invalid for update
                    SET m[0] = :v               | The document path provided in the update expression is invalid for update
                    SET l[9].a = :v             | The document path provided in the update expression is invalid for update
                    REMOVE lost.a            | The document path provided in the update expression is invalid for update
                    REMOVE s[0]                 | The document path provided in the update expression is invalid for update
                    DELETE lost.a :ab        | The document path provided in the update expression is invalid for update
                    SET a = :huge + :huge       | Number overflow. Attempting to store a number with magnitude larger than supported range
                    SET a = :wide + :one        | Number overflow. Attempting to store a number with magnitude larger than supported range
                    """)
    void doesNotFitTheItem(String update, String why) {
        assertThatThrownBy(() -> apply(update))
                .isInstanceOf(ValidationException.class)
                .hasMessage(why);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    INVALID SYNTAX HERE         | Syntax error; token: "INVALID", near: "INVALID SYNTAX"
                    SET                         | Syntax error; token: "<EOF>", near: "SET"
                    SET a = :v,                 | Syntax error; token: "<EOF>", near: ","
                    SET _123 = :v               | Syntax error; token: "_", near: "SET _123"
                    SET a                       | Syntax error; token: "<EOF>", near: "a"
                    SET a < :v                  | Syntax error; token: "<", near: "a < :v"
                    SET :v = :v                 | Syntax error; token: ":v", near: "SET :v ="
                    SET a = :one + :one + :one  | Syntax error; token: "+", near: ":one + :one"
                    SET a = (:one + :one) + :one | Syntax error; token: "+", near: ") + :one"
                    SET a = if_not_exists(a, :one + :one) | Syntax error; token: "+", near: ":one + :one"
                    SET a = SET                 | Syntax error; token: "SET", near: "= SET"
                    REMOVE a :v                 | Syntax error; token: ":v", near: "a :v"
                    ADD a b                     | Syntax error; token: "b", near: "a b"
                    ADD a = :one                | Syntax error; token: "=", near: "a = :one"
                    SET a[:one] = :v            | Syntax error; token: ":one", near: "[:one]"
                    SET status = :v             | Attribute name is a reserved keyword; reserved keyword: status
                    SET a = f(a)                | Invalid function name; function: f
                    SET a = LIST_APPEND(:list, :list) | Invalid function name; function: LIST_APPEND
                    SET a = size(b)             | The function is not allowed in an update expression; function: size
                    SET a = list_append(list_append(:list, :list), :list) | The function is not allowed to be used this way in an expression; function: list_append
                    SET a = :v SET b = :v       | The "SET" section can only be used once in an update expression;
                    SET a = :v REMOVE b set c = :v | The "SET" section can only be used once in an update expression;
                    SET #m = :v                 | An expression attribute name used in the document path is not defined; attribute name: #m
                    SET a = :undefined          | An expression attribute value used in expression is not defined; attribute value: :undefined
                    SET a = if_not_exists(:undefined, :v) | An expression attribute value used in expression is not defined; attribute value: :undefined
                    SET a = :v REMOVE a         | Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [a], path two: [a]
                    SET m = :map, m.x = :v      | Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [m], path two: [m, x]
                    SET l[1][0] = :v, l[1] = :v | Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [l, [1], [0]], path two: [l, [1]]
                    SET #n = :v, b.c = :v ADD #n :one | Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [name], path two: [name]
                    SET a.b = :v, a[1] = :v     | Two document paths conflict with each other; must remove or rewrite one of these paths; path one: [a, b], path two: [a, [1]]
                    ADD a :v                    | Incorrect operand type for operator or function; operator: ADD, operand type: STRING
                    ADD a :list                 | Incorrect operand type for operator or function; operator: ADD, operand type: LIST
                    ADD a :map                  | Incorrect operand type for operator or function; operator: ADD, operand type: MAP
                    ADD a :b                    | Incorrect operand type for operator or function; operator: ADD, operand type: BINARY
                    ADD a :nil                  | Incorrect operand type for operator or function; operator: ADD, operand type: NULL
                    ADD a :yes                  | Incorrect operand type for operator or function; operator: ADD, operand type: BOOLEAN
                    DELETE a :one               | Incorrect operand type for operator or function; operator: DELETE, operand type: NUMBER
                    SET a = :v + :one           | Incorrect operand type for operator or function; operator or function: +, operand type: S
                    SET a = n - :v              | Incorrect operand type for operator or function; operator or function: -, operand type: S
                    SET a = list_append(l, :v)  | Incorrect operand type for operator or function; operator or function: list_append, operand type: S
                    SET a = list_append(:list)  | Incorrect number of operands for operator or function; operator or function: list_append, number of operands: 1
                    SET a = if_not_exists(:v, :one) | Operator or function requires a document path; operator or function: if_not_exists
                    SET a = if_not_exists(if_not_exists(a, :v), :one) | Operator or function requires a document path; operator or function: if_not_exists
                    """)
    void isRefused(String update, String why) {
        assertThatThrownBy(() -> apply(update))
                .isInstanceOf(ValidationException.class)
                .hasMessage("Invalid UpdateExpression: " + why);
    }

    @Test
    void threeHundredOperatorsAreReadAndNotOneMore() {
        StringBuilder sums = new StringBuilder("SET a0=n+n");
        for (int i = 1; i < 300; i++) {
            sums.append(",a").append(i).append("=n+n");
        }

        assertThat(apply(sums.toString()).touched()).hasSize(300);
        assertThatThrownBy(() -> apply(sums + ",a300=n+n"))
                .hasMessage(
                        "Invalid UpdateExpression: The expression contains too many operators; operator count: 301");
    }

    @Test
    void aKeyAttributeIsNoTarget() {
        UpdateExpression update = Given.values(VALUES).update("SET a = :v REMOVE pk");

        assertThatThrownBy(() -> update.refuseTargets(List.of("pk", "sk")))
                .isInstanceOf(ValidationException.class)
                .hasMessage(
                        "One or more parameter values were invalid: Cannot update attribute pk. This attribute is part of the key");
        update.refuseTargets(List.of("other"));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    SET s = :v, a = :one        | {s: {S: 'x'}}       | {s: {S: 'v'}, a: {N: '1'}}
                    SET s = s                   | {s: {S: 'x'}}       | {s: {S: 'x'}}
                    REMOVE s                    | {s: {S: 'x'}}       | {}
                    SET m.x = :v                | {m: {M: {x: {N: '1'}}}} | {m: {M: {x: {S: 'v'}}}}
                    SET m.y = :v                | {}                  | {m: {M: {y: {S: 'v'}}}}
                    SET l[1] = :v, m.x = :one   | {l: {L: [{N: '1'}]}, m: {M: {x: {N: '1'}}}} | {l: {L: [{S: 'v'}]}, m: {M: {x: {N: '1'}}}}
                    SET l[9] = :v               | {}                  | {}
                    REMOVE l[1]                 | {l: {L: [{N: '1'}]}} | {l: {L: [{N: '2'}]}}
                    ADD n :ten                  | {n: {N: '1'}}       | {n: {N: '11'}}
                    DELETE one :z               | {one: {SS: ['z']}}  | {}
                    """)
    void tellsWhatItTouchedBeforeAndAfter(String update, String before, String after) {
        Updated updated = apply(update);

        assertThat(updated.before()).isEqualTo(ITEM);
        assertThat(updated.updatedOld()).isEqualTo(Given.item(before));
        assertThat(updated.updatedNew()).isEqualTo(Given.item(after));
    }

    @Test
    void anItemThatDoesNotExistIsMadeByWhatIsSetOrAdded() {
        Item key = Given.item("{pk: {S: 'new'}}");
        Updated made =
                Given.values(VALUES)
                        .update("SET a = :v REMOVE m.x ADD n :one DELETE ss :ab")
                        .create(key)
                        .orElseThrow();

        assertThat(made.item()).isEqualTo(Given.item("{pk: {S: 'new'}, a: {S: 'v'}, n: {N: '1'}}"));
        assertThat(made.before()).isEqualTo(Item.EMPTY);
        assertThat(made.updatedOld()).isEqualTo(Item.EMPTY);
        assertThat(made.updatedNew()).isEqualTo(Given.item("{a: {S: 'v'}, n: {N: '1'}}"));
        assertThatThrownBy(() -> Given.values(VALUES).update("SET a.b = :v").create(key))
                .hasMessage(
                        "The document path provided in the update expression is invalid for update");
    }

    @Test
    void anItemThatDoesNotExistIsNotMadeByWhatIsRemovedOrDeleted() {
        assertThat(
                        Given.values(VALUES)
                                .update("REMOVE a, m.x, l[0] DELETE ss :ab")
                                .create(Given.item("{pk: {S: 'new'}}")))
                .isEmpty();
    }

    @Test
    void everyPathItReadsOrChangesIsKnown() {
        UpdateExpression update =
                Given.values(VALUES).update("SET a.b = if_not_exists(c, d) + e REMOVE f[0]");

        assertThat(update.paths())
                .extracting(DocumentPath::toString)
                .containsExactlyInAnyOrder("[a, b]", "[c]", "[d]", "[e]", "[f, [0]]");
        assertThat(update.targets())
                .extracting(DocumentPath::toString)
                .containsExactly("[a, b]", "[f, [0]]");
        assertThat(update.targets()).allMatch(DocumentPath::isNested);
    }
}
