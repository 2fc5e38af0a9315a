package dev.headstone.proof.script;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.luaj.vm2.LuaError;
import org.luaj.vm2.LuaString;
import org.luaj.vm2.LuaTable;
import org.luaj.vm2.LuaValue;
import org.luaj.vm2.lib.OneArgFunction;

/**
 * {@code cjson.decode}, as lenient as the one in Redis: it takes numbers that are none, leading
 * zeros, hexadecimal, control characters in texts, and bytes that are not UTF-8.
 */
final class Cjson extends OneArgFunction {
    private static final int DEEPEST = 1_000;

    /** A text, which is passed over, or a number. */
    private static final Pattern HEXADECIMAL =
            Pattern.compile(
                    "\"(?:[^\"\\\\]|\\\\.)*+\"|0[xX](?<digits>[0-9a-fA-F]{1,64})", Pattern.DOTALL);

    private static final JsonFactory JSON =
            JsonFactory.builder()
                    .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
                    .enable(JsonReadFeature.ALLOW_LEADING_ZEROS_FOR_NUMBERS)
                    .enable(JsonReadFeature.ALLOW_LEADING_PLUS_SIGN_FOR_NUMBERS)
                    .enable(JsonReadFeature.ALLOW_TRAILING_DECIMAL_POINT_FOR_NUMBERS)
                    .enable(JsonReadFeature.ALLOW_UNESCAPED_CONTROL_CHARS)
                    .streamReadConstraints(
                            StreamReadConstraints.builder().maxNestingDepth(DEEPEST).build())
                    .build();

    /** What a null becomes: something that equals nothing else, and no nil. */
    private final LuaValue nothing = LuaValue.userdataOf(new Object());

    @Override
    public LuaValue call(LuaValue text) {
        LuaString bytes = text.checkstring();
        String chars =
                new String(
                        bytes.m_bytes, bytes.m_offset, bytes.m_length, StandardCharsets.ISO_8859_1);
        try (JsonParser json = JSON.createParser(inDecimal(chars))) {
            LuaValue value = value(json, json.nextToken());
            if (json.nextToken() != null) {
                throw new LuaError("Expected the end");
            }
            return value;
        } catch (IOException e) {
            throw new LuaError(e.getMessage());
        }
    }

    /** The same document with its hexadecimal numbers in decimal. */
    private static String inDecimal(String document) {
        return HEXADECIMAL
                .matcher(document)
                .replaceAll(
                        found ->
                                found.group("digits") == null
                                        ? Matcher.quoteReplacement(found.group())
                                        : new BigInteger(found.group("digits"), 16).toString());
    }

    private LuaValue value(JsonParser json, JsonToken token) throws IOException {
        return switch (token) {
            case START_OBJECT -> object(json);
            case START_ARRAY -> array(json);
            case VALUE_STRING -> text(json.getText());
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> LuaValue.valueOf(json.getDoubleValue());
            case VALUE_TRUE -> LuaValue.TRUE;
            case VALUE_FALSE -> LuaValue.FALSE;
            case VALUE_NULL -> nothing;
            case null -> throw new LuaError("Expected value");
            case NOT_AVAILABLE, END_OBJECT, END_ARRAY, FIELD_NAME, VALUE_EMBEDDED_OBJECT ->
                    throw new LuaError("Expected value");
        };
    }

    private LuaValue object(JsonParser json) throws IOException {
        LuaTable object = new LuaTable();
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            LuaValue name = text(json.currentName());
            object.set(name, value(json, json.nextToken()));
        }
        return object;
    }

    private LuaValue array(JsonParser json) throws IOException {
        LuaTable array = new LuaTable();
        int length = 0;
        for (JsonToken token = json.nextToken();
                token != JsonToken.END_ARRAY;
                token = json.nextToken()) {
            array.set(++length, value(json, token));
        }
        return array;
    }

    /** The bytes that were read as one character each, and escapes as UTF-8. */
    private static LuaValue text(String chars) {
        if (chars.chars().allMatch(c -> c <= 0xFF)) {
            return LuaString.valueOf(chars.getBytes(StandardCharsets.ISO_8859_1));
        }
        for (int i = 0; i < chars.length(); i += Character.charCount(chars.codePointAt(i))) {
            if (Character.getType(chars.codePointAt(i)) == Character.SURROGATE) {
                throw new LuaError("invalid unicode escape code");
            }
        }
        return LuaString.valueOf(chars.getBytes(StandardCharsets.UTF_8));
    }
}
