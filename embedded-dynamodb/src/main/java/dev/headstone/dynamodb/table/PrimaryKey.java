package dev.headstone.dynamodb.table;

import dev.headstone.dynamodb.schema.KeyAttribute;
import dev.headstone.dynamodb.schema.KeySchema;
import dev.headstone.dynamodb.value.AttributeValue;
import dev.headstone.dynamodb.value.Item;
import dev.headstone.dynamodb.value.ItemSize;
import dev.headstone.dynamodb.value.ValidationException;
import java.util.Map;
import java.util.Optional;

/** The key of an item in a table: values of the right types, neither empty nor too long. */
public record PrimaryKey(AttributeValue hash, Optional<AttributeValue> range) {
    private static final int MAX_HASH_BYTES = 2048;
    private static final int MAX_RANGE_BYTES = 1024;

    /**
     * The key that a request names.
     *
     * @throws ValidationException unless {@code key} has the attributes of the schema, and only
     *     those
     */
    public static PrimaryKey of(KeySchema schema, Item key) {
        if (key.attributes().size() != schema.attributes().size()) {
            throw mismatch();
        }
        for (KeyAttribute attribute : schema.attributes()) {
            if (key.get(attribute.name())
                    .filter(value -> value.type() == attribute.type())
                    .isEmpty()) {
                throw mismatch();
            }
        }
        return checked(schema, key);
    }

    /**
     * The key of an item to be stored.
     *
     * @throws ValidationException if the item lacks it, or has it with other types
     */
    public static PrimaryKey ofItem(KeySchema schema, Item item) {
        for (KeyAttribute attribute : schema.attributes()) {
            AttributeValue value =
                    item.get(attribute.name())
                            .orElseThrow(
                                    () ->
                                            new ValidationException(
                                                    "One or more parameter values were invalid: Missing the key %s in the item"
                                                            .formatted(attribute.name())));
            if (value.type() != attribute.type()) {
                throw new ValidationException(
                        "One or more parameter values were invalid: Type mismatch for key %s expected: %s actual: %s"
                                .formatted(attribute.name(), attribute.type(), value.type()));
            }
        }
        return checked(schema, item);
    }

    private static PrimaryKey checked(KeySchema schema, Item item) {
        AttributeValue hash = value(item, schema.hash());
        Optional<AttributeValue> range = schema.range().map(attribute -> value(item, attribute));
        if (ItemSize.of(hash) > MAX_HASH_BYTES) {
            throw new ValidationException(
                    "One or more parameter values were invalid: Size of hashkey has exceeded the maximum size limit of%d bytes"
                            .formatted(MAX_HASH_BYTES));
        }
        if (range.isPresent() && ItemSize.of(range.get()) > MAX_RANGE_BYTES) {
            throw new ValidationException(
                    "One or more parameter values were invalid: Aggregated size of all range keys has exceeded the size limit of %d bytes"
                            .formatted(MAX_RANGE_BYTES));
        }
        return new PrimaryKey(hash, range);
    }

    private static AttributeValue value(Item item, KeyAttribute attribute) {
        AttributeValue value = item.get(attribute.name()).orElseThrow();
        emptyKind(value)
                .ifPresent(
                        kind -> {
                            throw new ValidationException(
                                    "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty %s value. Key: %s"
                                            .formatted(kind, attribute.name()));
                        });
        return value;
    }

    /** What an empty value is called, if it is one. */
    static Optional<String> emptyKind(AttributeValue value) {
        return switch (value) {
            case AttributeValue.S(String text) when text.isEmpty() -> Optional.of("string");
            case AttributeValue.B(var bytes) when bytes.length() == 0 -> Optional.of("binary");
            case AttributeValue.S _,
                    AttributeValue.N _,
                    AttributeValue.B _,
                    AttributeValue.Bool _,
                    AttributeValue.Null _,
                    AttributeValue.SS _,
                    AttributeValue.NS _,
                    AttributeValue.BS _,
                    AttributeValue.L _,
                    AttributeValue.M _ ->
                    Optional.empty();
        };
    }

    /** The key as an item that has nothing else. */
    public Item asItem(KeySchema schema) {
        String hashName = schema.hash().name();
        return new Item(
                range.map(
                                value ->
                                        Map.of(
                                                hashName,
                                                hash,
                                                schema.range().orElseThrow().name(),
                                                value))
                        .orElseGet(() -> Map.of(hashName, hash)));
    }

    byte[] stored() {
        return StoredKeys.of(this);
    }

    private static ValidationException mismatch() {
        return new ValidationException("The provided key element does not match the schema");
    }
}
