package dev.headstone.standalone.source;

import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.CreateTableRequest;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;

/**
 * What the sources' two tables have in common: a hash key {@code consumer} and a range key, both
 * strings.
 */
final class KeyedTables {
    /** Sequence numbers have 21 to 40 digits; padded to the same length they sort as strings do. */
    private static final int LONGEST_SEQUENCE_NUMBER = 40;

    private KeyedTables() {}

    static CreateTableRequest byConsumerAnd(String rangeKey, String name) {
        return CreateTableRequest.builder()
                .tableName(name)
                .billingMode(BillingMode.PAY_PER_REQUEST)
                .attributeDefinitions(string("consumer"), string(rangeKey))
                .keySchema(key("consumer", KeyType.HASH), key(rangeKey, KeyType.RANGE))
                .build();
    }

    static String padded(String sequenceNumber) {
        return "0".repeat(Math.max(0, LONGEST_SEQUENCE_NUMBER - sequenceNumber.length()))
                + sequenceNumber;
    }

    static String text(Map<String, AttributeValue> item, String attribute) {
        return value(item, attribute).s();
    }

    /**
     * @throws IllegalStateException naming the attribute that is missing
     */
    static AttributeValue value(Map<String, AttributeValue> item, String attribute) {
        AttributeValue value = item.get(attribute);
        if (value == null) {
            throw new IllegalStateException("item has no attribute '%s'".formatted(attribute));
        }
        return value;
    }

    private static AttributeDefinition string(String name) {
        return AttributeDefinition.builder()
                .attributeName(name)
                .attributeType(ScalarAttributeType.S)
                .build();
    }

    private static KeySchemaElement key(String name, KeyType type) {
        return KeySchemaElement.builder().attributeName(name).keyType(type).build();
    }
}
