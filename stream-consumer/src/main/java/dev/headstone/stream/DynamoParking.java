package dev.headstone.stream;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.CreateTableRequest;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;

/**
 * {@link Parking} in a table, in parts, since a record may hold two images of 400 KB and an item
 * may not. Safe for use by several threads.
 */
public final class DynamoParking implements Parking {
    private static final Logger log = LoggerFactory.getLogger(DynamoParking.class);

    /** Well below the 400 KB that an item may have. */
    private static final int PART_BYTES = 300 * 1024;

    private final DynamoDbClient dynamo;
    private final String table;

    /**
     * @param table has the hash key {@code id} and the range key {@code part}, both text
     */
    public DynamoParking(DynamoDbClient dynamo, String table) {
        this.dynamo = dynamo;
        this.table = table;
    }

    /** How to create the table of that name. */
    public static CreateTableRequest table(String name) {
        return CreateTableRequest.builder()
                .tableName(name)
                .billingMode(BillingMode.PAY_PER_REQUEST)
                .attributeDefinitions(definition("id"), definition("part"))
                .keySchema(key("id", KeyType.HASH), key("part", KeyType.RANGE))
                .build();
    }

    private static AttributeDefinition definition(String name) {
        return AttributeDefinition.builder()
                .attributeName(name)
                .attributeType(ScalarAttributeType.S)
                .build();
    }

    private static KeySchemaElement key(String name, KeyType type) {
        return KeySchemaElement.builder().attributeName(name).keyType(type).build();
    }

    @Override
    public boolean park(Parked parked) {
        byte[] record = parked.record().getBytes(StandardCharsets.UTF_8);
        String id = parked.sequenceNumber().orElse("none") + "." + digest(record);
        try {
            for (int from = 0, part = 0; from == 0 || from < record.length; part++) {
                int to = Math.min(record.length, from + PART_BYTES);
                Map<String, AttributeValue> item = new HashMap<>();
                item.put("id", AttributeValue.fromS(id));
                item.put("part", AttributeValue.fromS("%04d".formatted(part)));
                item.put("why", AttributeValue.fromS(parked.why()));
                item.put("parked_at", AttributeValue.fromS(parked.at().toString()));
                item.put(
                        "record",
                        AttributeValue.fromB(
                                SdkBytes.fromByteArray(
                                        java.util.Arrays.copyOfRange(record, from, to))));
                dynamo.putItem(put -> put.tableName(table).item(item));
                from = Math.max(to, 1);
            }
            return true;
        } catch (SdkException e) {
            log.atError()
                    .addKeyValue("why", e.getClass().getSimpleName())
                    .log("record could not be parked");
            return false;
        }
    }

    private static String digest(byte[] record) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(record);
            return HexFormat.of().formatHex(hash, 0, 16);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
