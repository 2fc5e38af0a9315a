package dev.headstone.dynamodb.expression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.headstone.dynamodb.value.Item;
import dev.headstone.dynamodb.value.ValidationException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ProjectionExpressionTest {
    private static final Item ITEM =
            Given.item(
                    """
                    {a: {M: {b: {L: [{N: '2'}, {N: '4'}, {M: {x: {S: 'hi'}, y: {S: 'yo'}}}]}, c: {N: '5'}}}, b: {S: 'hello'}, name: {S: 'n'}, 'a.c': {S: 'dotted'}}
                    """);

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    b                | {b: {S: 'hello'}}
                    #n, b            | {b: {S: 'hello'}, name: {S: 'n'}}
                    a.c              | {a: {M: {c: {N: '5'}}}}
                    a.b[0]           | {a: {M: {b: {L: [{N: '2'}]}}}}
                    a.b[2].y         | {a: {M: {b: {L: [{M: {y: {S: 'yo'}}}]}}}}
                    a.b[1], a.b[0]   | {a: {M: {b: {L: [{N: '2'}, {N: '4'}]}}}}
                    a.b[0], a.c, b   | {a: {M: {b: {L: [{N: '2'}]}, c: {N: '5'}}}, b: {S: 'hello'}}
                    a.x, a.b[0], x, a.b[3].x | {a: {M: {b: {L: [{N: '2'}]}}}}
                    x                | {}
                    a.b.x            | {}
                    a[0]             | {}
                    a.b[0].x         | {}
                    a.b[9]           | {}
                    """)
    void takesWhatIsSelected(String projection, String selected) {
        assertThat(Given.values("{}").projection(projection).of(ITEM))
                .isEqualTo(Given.item(selected));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    a,          | Syntax error; token: "<EOF>", near: ","
                    ,a          | Syntax error; token: ",", near: ",a"
                    a,,b        | Syntax error; token: ",", near: ",,b"
                    a b         | Syntax error; token: "b", near: "a b"
                    first-name  | Syntax error; token: "-", near: "first-name"
                    :a          | Syntax error; token: ":a", near: ":a"
                    a, status   | Attribute name is a reserved keyword; reserved keyword: status
                    #m          | An expression attribute name used in the document path is not defined; attribute name: #m
                    a, a        | Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [a], path two: [a]
                    a.b[2], a   | Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [a, b, [2]], path two: [a]
                    a.b, a[1]   | Two document paths conflict with each other; must remove or rewrite one of these paths; path one: [a, b], path two: [a, [1]]
                    """)
    void isRefused(String projection, String why) {
        assertThatThrownBy(() -> Given.values("{}").projection(projection))
                .isInstanceOf(ValidationException.class)
                .hasMessage("Invalid ProjectionExpression: " + why);
    }
}
