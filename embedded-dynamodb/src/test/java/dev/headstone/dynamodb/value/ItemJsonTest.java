package dev.headstone.dynamodb.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ItemJsonTest {
    private static final JsonMapper JSON =
            JsonMapper.builder()
                    .enable(JsonReadFeature.ALLOW_SINGLE_QUOTES)
                    .enable(JsonReadFeature.ALLOW_UNQUOTED_FIELD_NAMES)
                    .build();

    private static JsonNode json(String text) throws JsonProcessingException {
        return JSON.readTree(text);
    }

    @Test
    void everyTypeIsRead() throws JsonProcessingException {
        assertThat(ItemJson.decode(json("{S: ''}"))).isEqualTo(new AttributeValue.S(""));
        assertThat(ItemJson.decode(json("{N: '1.50'}"))).isEqualTo(AttributeValue.N.parse("1.5"));
        assertThat(ItemJson.decode(json("{B: ''}"))).isEqualTo(AttributeValue.B.of());
        assertThat(ItemJson.decode(json("{B: 'AQI='}")))
                .isEqualTo(AttributeValue.B.of((byte) 1, (byte) 2));
        assertThat(ItemJson.decode(json("{BOOL: false}")))
                .isEqualTo(new AttributeValue.Bool(false));
        assertThat(ItemJson.decode(json("{NULL: true}"))).isEqualTo(new AttributeValue.Null());
        assertThat(ItemJson.decode(json("{SS: ['b', 'a']}")))
                .isEqualTo(AttributeValue.SS.of(List.of("a", "b")));
        assertThat(ItemJson.decode(json("{NS: ['2', '1.0']}")))
                .isEqualTo(AttributeValue.NS.of(List.of(DynamoNumber.of(1), DynamoNumber.of(2))));
        assertThat(ItemJson.decode(json("{BS: ['Ag==', 'AQ==']}")))
                .isEqualTo(AttributeValue.BS.of(List.of(Bytes.of((byte) 1), Bytes.of((byte) 2))));
        assertThat(ItemJson.decode(json("{L: []}"))).isEqualTo(new AttributeValue.L(List.of()));
        assertThat(ItemJson.decode(json("{M: {a: {L: [{S: 'x'}]}}}")))
                .isEqualTo(
                        new AttributeValue.M(
                                Map.of(
                                        "a",
                                        new AttributeValue.L(List.of(new AttributeValue.S("x"))))));
    }

    @Test
    void eitherTruthValueStandsForNull() throws JsonProcessingException {
        assertThat(ItemJson.encode(ItemJson.decode(json("{NULL: false}"))).toString())
                .isEqualTo("{\"NULL\":true}");
    }

    @Test
    void unknownAndNullMembersAreIgnored() throws JsonProcessingException {
        assertThat(ItemJson.decode(json("{S: 'x', N: null, X: 1}")))
                .isEqualTo(new AttributeValue.S("x"));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    {}                   | Supplied AttributeValue is empty, must contain exactly one of the supported datatypes
                    {X: 'a'}             | Supplied AttributeValue is empty, must contain exactly one of the supported datatypes
                    {S: null}            | Supplied AttributeValue is empty, must contain exactly one of the supported datatypes
                    null                 | Supplied AttributeValue is empty, must contain exactly one of the supported datatypes
                    {M: {a: {}}}         | Supplied AttributeValue is empty, must contain exactly one of the supported datatypes
                    {L: [{}]}            | Supplied AttributeValue is empty, must contain exactly one of the supported datatypes
                    {S: 'a', N: '1'}     | Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes
                    {N: ''}              | The parameter cannot be converted to a numeric value
                    {N: 'dog'}           | The parameter cannot be converted to a numeric value: dog
                    {NS: ['1', 'dog']}   | The parameter cannot be converted to a numeric value: dog
                    {SS: []}             | One or more parameter values were invalid: An string set  may not be empty
                    {NS: []}             | One or more parameter values were invalid: An number set  may not be empty
                    {BS: []}             | One or more parameter values were invalid: Binary sets should not be empty
                    {SS: ['']}           | One or more parameter values were invalid: An string set may not have a empty string as a member
                    {BS: ['']}           | One or more parameter values were invalid: Binary sets may not contain null or empty values
                    {SS: ['a', 'b', 'a']} | One or more parameter values were invalid: Input collection [a, b, a] contains duplicates.
                    {NS: ['1', '1.0']}   | Input collection contains duplicates
                    {BS: ['AQ==', 'AQ==']} | One or more parameter values were invalid: Input collection [AQ==, AQ==]of type BS contains duplicates.
                    """)
    void breaksARuleOfTheService(String value, String why) {
        assertThatThrownBy(() -> ItemJson.decode(json(value)))
                .isInstanceOf(ValidationException.class)
                .hasMessage(why);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    'a'           | Unexpected value type in payload
                    1             | Unexpected value type in payload
                    []            | Unrecognized collection type class com.amazonaws.dynamodb.v20120810.AttributeValue
                    {S: 1}        | NUMBER_VALUE cannot be converted to String
                    {S: true}     | TRUE_VALUE cannot be converted to String
                    {N: 1}        | NUMBER_VALUE cannot be converted to String
                    {N: false}    | FALSE_VALUE cannot be converted to String
                    {S: []}       | Unrecognized collection type class java.lang.String
                    {S: {}}       | Start of structure or map found where not expected
                    {SS: [null]}  | Start of structure or map found where not expected
                    {BOOL: 'x'}   | Unexpected token received from parser
                    {NULL: 1}     | Unexpected token received from parser
                    {BOOL: []}    | Unrecognized collection type class java.lang.Boolean
                    {BOOL: {}}    | Start of structure or map found where not expected
                    {B: 1}        | only base-64-encoded strings are convertible to bytes
                    {B: []}       | Unrecognized collection type class java.nio.ByteBuffer
                    {B: {}}       | Start of structure or map found where not expected
                    {B: 'abc'}    | 'abc' can not be converted to a Blob: Base64 encoded length is expected a multiple of 4 bytes but found: 3
                    {B: 'ab!='}   | 'ab!=' can not be converted to a Blob: Invalid Base64 character: '!'
                    {B: 'a=bc'}   | 'a=bc' can not be converted to a Blob: Invalid Base64 character: '='
                    {B: 'ab=='}   | 'ab==' can not be converted to a Blob: Invalid last non-pad Base64 character dectected
                    {SS: 'a'}     | Unexpected field type
                    {L: {}}       | Start of structure or map found where not expected
                    {M: 'a'}      | Unexpected field type
                    {M: []}       | Unrecognized collection type java.util.Map<java.lang.String, com.amazonaws.dynamodb.v20120810.AttributeValue>
                    """)
    void doesNotHaveTheShapeOfTheProtocol(String value, String why) {
        assertThatThrownBy(() -> ItemJson.decode(json(value)))
                .isInstanceOf(SerializationException.class)
                .hasMessage(why);
    }

    @Test
    void valuesNest32LevelsDeepAndNoDeeper() throws JsonProcessingException {
        String deepest =
                "{M: {n: ".repeat(16)
                        + "{L: [".repeat(15)
                        + "{S: 'leaf'}"
                        + "]}".repeat(15)
                        + "}}".repeat(16);

        assertThat(ItemJson.decodeItem(json("{a: " + deepest + "}")).has("a")).isTrue();
        assertThatThrownBy(() -> ItemJson.decodeItem(json("{a: {L: [" + deepest + "]}}")))
                .isInstanceOf(ValidationException.class)
                .hasMessage(
                        "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit");
    }
}
