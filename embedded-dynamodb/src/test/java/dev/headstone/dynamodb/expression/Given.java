package dev.headstone.dynamodb.expression;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.headstone.dynamodb.value.AttributeValue;
import dev.headstone.dynamodb.value.Item;
import dev.headstone.dynamodb.value.ItemJson;
import java.util.Map;

/** Items and values in short: the protocol's JSON with single quotes. */
final class Given {
    private static final JsonMapper JSON =
            JsonMapper.builder()
                    .enable(JsonReadFeature.ALLOW_SINGLE_QUOTES)
                    .enable(JsonReadFeature.ALLOW_UNQUOTED_FIELD_NAMES)
                    .build();

    private Given() {}

    static JsonNode json(String text) {
        try {
            return JSON.readTree(text);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(text, e);
        }
    }

    static Item item(String text) {
        return ItemJson.decodeItem(json(text));
    }

    static AttributeValue value(String text) {
        return ItemJson.decode(json(text));
    }

    /** A context with those values and the name #n, which stands for the reserved word "name". */
    static ExpressionContext values(String text) {
        return new ExpressionParser().context(Map.of("#n", "name"), item(text).attributes());
    }
}
