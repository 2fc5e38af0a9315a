package dev.headstone.standalone;

import java.time.Duration;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.CreateTableRequest;
import software.amazon.awssdk.services.dynamodb.model.ResourceInUseException;

/** Creates tables that are missing; one that exists is left as it is. */
record MissingTables(DynamoDbClient dynamo) {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    /** Creates the table unless there is one of its name, and waits until it can be used. */
    void create(CreateTableRequest table) {
        try {
            dynamo.createTable(table);
        } catch (ResourceInUseException e) {
            // it exists, or somebody else is creating it
        }
        dynamo.waiter()
                .waitUntilTableExists(
                        describe -> describe.tableName(table.tableName()),
                        wait -> wait.waitTimeout(PATIENCE));
    }
}
